import type { ComponentChildren } from 'preact'
import type { JsonObject } from './json.ts'

type TableProps = {
  readonly caption: string
  readonly items: readonly JsonObject[]
  /** What each shows of an item, by its name. */
  readonly columns: Readonly<Record<string, (item: JsonObject) => ComponentChildren>>
}

/**
 * A table of items, which on a narrow screen becomes a list of cards with the columns' names as labels. The roles outlast the
 * change of layout, which would make the table none for screen readers.
 */
export const RecordTable = ({ caption, items, columns }: TableProps) => (
  <table class="records" role="table">
    <caption class="visually-hidden">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {Object.keys(columns).map((name) => (
          <th scope="col" role="columnheader" key={name} children={name} />
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {items.map((item, index) => (
        <tr role="row" key={String(index)}>
          {Object.entries(columns).map(([name, view]) => (
            <td data-label={name} role="cell" key={name}>
              <div>{view(item)}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
