import { type Content, element } from './dom.ts'
import type { JsonObject } from './json.ts'

type Column = readonly [name: string, view: (item: JsonObject) => Content]

/** A table of items, which on a narrow screen becomes a list of cards with the columns' names as labels. */
export function recordTable(caption: string, items: readonly JsonObject[], columns: readonly Column[]): HTMLElement {
  const rows = items.map((item) =>
    element(
      'tr',
      { role: 'row' },
      ...columns.map(([name, view]) => element('td', { 'data-label': name, role: 'cell' }, view(item))),
    ),
  )
  const heads = columns.map(([name]) => element('th', { scope: 'col', role: 'columnheader' }, name))
  // The roles outlast the change of layout, which would make the table none for screen readers.
  return element(
    'table',
    { class: 'records', role: 'table' },
    element('caption', { class: 'visually-hidden' }, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads)),
    element('tbody', { role: 'rowgroup' }, ...rows),
  )
}
