import { byId, element, within } from './dom.ts'
import type { Json } from './json.ts'

type Kind = 'text' | 'number' | 'flag' | 'texts' | 'numbers'

const kinds: readonly (readonly [Kind, string])[] = [
  ['text', 'text'],
  ['number', 'number'],
  ['flag', 'true or false'],
  ['texts', 'list of texts'],
  ['numbers', 'list of numbers'],
]

/** The user attributes, one a row. A value is sent with the type that was chosen for it. */
export function createAttributeRows(changed: () => void): { value(): Json | undefined } {
  const field = byId('attributes', HTMLFieldSetElement)
  const list = within(field, 'ul', HTMLUListElement)
  const add = byId('add-attribute', HTMLButtonElement)
  let made = 0

  function addRow(): void {
    const id = `attribute-${++made}`
    const remove = element('button', { type: 'button', class: 'quiet' }, 'Remove')
    const row = element(
      'li',
      { class: 'field' },
      labelled('Name', element('input', { id: `${id}-name`, autocomplete: 'off', spellcheck: 'false' })),
      labelled(
        'Type',
        element('select', { id: `${id}-kind` }, ...kinds.map(([value, text]) => element('option', { value }, text))),
      ),
      labelled('Value', element('input', { id: `${id}-value`, autocomplete: 'off', spellcheck: 'false' })),
      remove,
    )
    remove.addEventListener('click', () => {
      row.remove()
      renumber()
      changed()
      // Else the focus would be lost with the button that had it.
      add.focus()
    })
    list.append(row)
    renumber()
    within(row, 'input', HTMLInputElement).focus()
    changed()
  }

  function renumber(): void {
    for (const [index, row] of [...list.children].entries()) {
      const [name, kind, value] = partsOf(row as HTMLElement)
      name.dataset.pointer = `/userAttributes/${index}/name`
      value.dataset.pointer = `/userAttributes/${index}/value`
      const number = `of attribute ${index + 1}`
      name.setAttribute('aria-label', `Name ${number}`)
      kind.setAttribute('aria-label', `Type ${number}`)
      value.setAttribute('aria-label', `Value ${number}`)
      within(row as HTMLElement, 'button', HTMLButtonElement).setAttribute(
        'aria-label',
        `Remove attribute ${index + 1}`,
      )
    }
  }

  add.addEventListener('click', addRow)
  return {
    value: () => {
      const rows = [...list.children].map((row) => {
        const [name, kind, value] = partsOf(row as HTMLElement)
        return { name: name.value, value: typed(value.value, kind.value as Kind) }
      })
      return rows.length === 0 ? undefined : rows
    },
  }
}

const partsOf = (row: HTMLElement) =>
  [
    within(row, 'input', HTMLInputElement),
    within(row, 'select', HTMLSelectElement),
    within(row, '.labelled:nth-of-type(3) input', HTMLInputElement),
  ] as const

const labelled = (text: string, control: HTMLElement): HTMLElement =>
  element('div', { class: 'labelled' }, element('label', { for: control.id }, text), control)

/** What isn't of the chosen type is sent as the text it is, for the service to refuse. */
function typed(text: string, kind: Kind): Json {
  const items = () => text.split(',').map((item) => item.trim())
  switch (kind) {
    case 'text':
      return text
    case 'number':
      return number(text)
    case 'flag':
      return text === 'true' || (text === 'false' ? false : text)
    case 'texts':
      return text === '' ? [] : items()
    case 'numbers':
      return text === '' ? [] : items().map(number)
  }
}

const number = (text: string): Json => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
