import type { ComponentChildren } from 'preact'
import type { JsonObject } from './json.ts'

type Column = readonly [name: string, view: (item: JsonObject) => ComponentChildren]
type TableProps = { caption: string; items: readonly JsonObject[]; columns: readonly Column[] }

/**
 * A table of items, which on a narrow screen becomes a list of cards with the columns' names as labels. The roles outlast the
 * change of layout, which would make the table none for screen readers.
 */
export const RecordTable = ({ caption, items, columns }: TableProps) => (
  <table class="records" role="table">
    <caption class="visually-hidden">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(([name]) => (
          <th scope="col" role="columnheader" key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {items.map((item, index) => (
        <tr role="row" key={String(index)}>
          {columns.map(([name, view]) => (
            <td data-label={name} role="cell" key={name}>
              {view(item)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
