import { useEffect, useRef } from 'preact/hooks'
import { Field, type Form } from './fields.tsx'
import { type Attribute, type AttributeKind, attributesAsText, attributesIn } from './session-body.ts'

const kinds: readonly (readonly [AttributeKind, string])[] = [
  ['text', 'text'],
  ['number', 'number'],
  ['flag', 'true or false'],
  ['texts', 'list of texts'],
  ['numbers', 'list of numbers'],
]

/** The user attributes, one a row. A value is sent with the type that was chosen for it. */
export function AttributeRows({ form }: { form: Form }) {
  const rows = attributesIn(form.values.userAttributes)
  const put = (changed: readonly Attribute[]) => form.set({ userAttributes: attributesAsText(changed) })
  const add = useRef<HTMLButtonElement>(null)
  const last = useRef<HTMLInputElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (added.current) last.current?.focus()
    added.current = false
  }, [rows.length])

  const cell = (index: number, part: keyof Attribute, text: string) => {
    const row = rows[index] as Attribute
    const id = `attribute-${index}-${part}`
    const shared = {
      'aria-label': `${text} of attribute ${index + 1}`,
      value: row[part],
      autocomplete: 'off',
      spellcheck: false,
    }
    const onInput = (event: Event) => {
      const { value } = event.currentTarget as HTMLInputElement
      put(rows.with(index, { ...row, [part]: value }))
    }
    return (
      <Field id={id} name={`/userAttributes/${index}/${part}`} label={text} class="labelled">
        {(aria) =>
          part === 'kind' ? (
            <select {...aria} {...shared} onInput={onInput}>
              {kinds.map(([value, name]) => (
                <option value={value} key={value}>
                  {name}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...aria}
              {...shared}
              onInput={onInput}
              {...(part === 'name' && index === rows.length - 1 && { ref: last })}
            />
          )
        }
      </Field>
    )
  }
  return (
    <Field id="attributes" name="/userAttributes" class="rows">
      {(aria) => (
        <fieldset {...aria} tabIndex={-1}>
          <legend>User attributes</legend>
          <ul class="plain">
            {rows.map((_, index) => (
              <li key={String(index)}>
                {cell(index, 'name', 'Name')}
                {cell(index, 'kind', 'Type')}
                {cell(index, 'value', 'Value')}
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove attribute ${index + 1}`}
                  onClick={() => {
                    put(rows.toSpliced(index, 1))
                    // Else the focus would be lost with the button that had it.
                    add.current?.focus()
                  }}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="quiet"
            id="add-attribute"
            ref={add}
            onClick={() => {
              added.current = true
              put([...rows, { name: '', kind: 'text', value: '' }])
            }}
          >
            Add an attribute
          </button>
        </fieldset>
      )}
    </Field>
  )
}
