import { useEffect, useRef } from 'preact/hooks'
import { Button, Errors, Field, type Form } from './fields.tsx'
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
  const before = useRef(rows.length)
  useEffect(() => {
    // A new row is there to be filled in. With a row that is gone the focus would be lost.
    const isNew = rows.length > before.current
    if (rows.length !== before.current)
      document.getElementById(isNew ? `attribute-${rows.length - 1}-name` : 'add-attribute')?.focus()
    before.current = rows.length
  }, [rows.length])
  return (
    <fieldset class="field rows" data-of="/userAttributes" tabIndex={-1}>
      <legend>User attributes</legend>
      <ul class="plain">
        {rows.map((row, index) => {
          const set = (changed: object) => put(rows.with(index, { ...row, ...changed }))
          const its = { values: row, ids: `attribute-${index}-`, prefix: `/userAttributes/${index}/`, set }
          const label = (text: string) => (
            <>
              {text} <span class="visually-hidden">of attribute {index + 1}</span>
            </>
          )
          return (
            <li key={String(index)}>
              <Field form={its} name="name" label={label('Name')} />
              <Field form={its} name="kind" label={label('Type')} as={kinds} />
              <Field form={its} name="value" label={label('Value')} />
              <Button
                class="quiet"
                aria-label={`Remove attribute ${index + 1}`}
                onClick={() => put(rows.toSpliced(index, 1))}
                children="Remove"
              />
            </li>
          )
        })}
      </ul>
      <Button
        class="quiet"
        id="add-attribute"
        onClick={() => put([...rows, { name: '', kind: 'text', value: '' }])}
        children="Add an attribute"
      />
      <Errors of="/userAttributes" id="attributes" />
    </fieldset>
  )
}
