import { useEffect, useRef } from 'preact/hooks'
import { Errors, Field, type Form } from './fields.tsx'
import { type Attribute, attributesIn } from './session-body.ts'

const kinds = [
  ['text', 'text'],
  ['number', 'number'],
  ['flag', 'true or false'],
  ['texts', 'list of texts'],
  ['numbers', 'list of numbers'],
] as const

/** The user attributes, one a row. A value is sent with the type that was chosen for it. */
export function AttributeRows({ form }: { form: Form }) {
  const rows = attributesIn(form.values.userAttributes)
  const put = (changed: readonly Attribute[]) =>
    form.set({ userAttributes: JSON.stringify(changed.map(({ name, kind, value }) => [name, kind, value])) })
  const add = useRef<HTMLButtonElement>(null)
  const before = useRef(rows.length)
  useEffect(() => {
    // A new row is there to be filled in. With a row that is gone the focus would be lost.
    if (rows.length > before.current) document.getElementById(`attribute-${rows.length - 1}-name`)?.focus()
    if (rows.length < before.current) add.current?.focus()
    before.current = rows.length
  }, [rows.length])
  return (
    <fieldset class="field rows" tabIndex={-1}>
      <legend>User attributes</legend>
      <ul class="plain">
        {rows.map((row, index) => {
          const set = (changed: object) => put(rows.with(index, { ...row, ...changed }))
          const its = { values: row, ids: `attribute-${index}-`, prefix: `/userAttributes/${index}/`, set }
          const label = (text: string) => [
            text,
            <span class="visually-hidden" key="">
              {' '}
              of attribute {index + 1}
            </span>,
          ]
          return (
            <li key={String(index)}>
              <Field form={its} name="name" label={label('Name')} />
              <Field form={its} name="kind" label={label('Type')} as={kinds} />
              <Field form={its} name="value" label={label('Value')} />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove attribute ${index + 1}`}
                onClick={() => put(rows.toSpliced(index, 1))}
              >
                Remove
              </button>
            </li>
          )
        })}
      </ul>
      <button
        type="button"
        class="quiet"
        id="add-attribute"
        ref={add}
        onClick={() => put([...rows, { name: '', kind: 'text', value: '' }])}
      >
        Add an attribute
      </button>
      <Errors of="/userAttributes" id="attributes" />
    </fieldset>
  )
}
