import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { call, pageOf, send } from './api.ts'
import { Behind, type Exchange, Outcome } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import { focusSoon, type Values } from './form.ts'
import { Missing } from './key-bar.tsx'
import { type Page, type Tab, useLatest } from './page.ts'

type ListingProps<Item> = {
  page: Page
  tab: Tab
  noun: string
  empty: string
  /** Below the path of the deployment. */
  path: string
  query: Values
  missing?: string | undefined
  /** Whether the missing value may still be suggested. */
  isWaiting?: boolean
  filters: ComponentChildren
  /** @param asked what the filters had when the list was asked for */
  view(items: readonly Item[], asked: Values): ComponentChildren
}

type Shown = Exchange & {
  /** The cursors of the pages that led here: the API goes forward only. */
  cursors: readonly string[]
  asked: Values
  /** Shows another page of this list. It ignores what somebody has typed into the form since. */
  turn(cursors: readonly string[]): Promise<void>
}

/** A list with filters, page by page. A choice lists at once, what is typed with Enter. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { page, path, query, missing = page.missing } = props
  const form = page.formOf(props.tab)
  const asked = { first: '10', ...form.values }
  const [shown, show, isBusy] = useLatest<Shown | string>()

  async function list(cursors: readonly string[]): Promise<Shown> {
    const parameters = Object.entries({ ...query, first: asked.first, after: cursors.at(-1) ?? '' })
    const search = new URLSearchParams(parameters.filter(([, value]) => value !== ''))
    const at = `/api/v1/deployments/${encodeURIComponent(page.deployment)}/${path}`
    const request = call(`${at}?${search}`, page.authorization)
    async function turn(to: readonly string[]): Promise<void> {
      await show(list(to))
      // The button that was pressed is gone; the new page begins here.
      focusSoon(`#${props.tab} .listing > .outcome`)
    }
    return { request, answer: await send(request), cursors, asked, turn }
  }
  /** Begins with the first page, since a cursor belongs to the filters it came with. */
  const begin = () => show(missing ?? list([]))

  const choose = ({ target }: Event) => (target as Element).matches('select') && page.settle()
  const isReady = page.isKnown && !props.isWaiting
  useEffect(() => {
    if (isReady) begin()
  }, [isReady, page.settled])
  useEffect(() => {
    if (typeof shown === 'object') page.showErrors(shown.answer.errors)
  }, [shown])
  return (
    <>
      {/* A browser submits the method "dialog" nowhere. */}
      <form class="row" method="dialog" onSubmit={begin} onChange={choose}>
        {props.filters}
        <Field form={{ ...form, values: asked }} name="first" class="narrow" label="Page size" />
        <button type="submit" class="primary" children="List" />
      </form>
      <div class="listing" aria-busy={isBusy}>
        {shown === undefined && <p class="hint">The list is on its way …</p>}
        {typeof shown === 'string' && <Missing page={page} what={shown} key={shown} />}
        {typeof shown === 'object' && <ListView {...props} {...shown} key={shown.answer} />}
      </div>
    </>
  )
}

function ListView<Item>(props: ListingProps<Item> & Shown) {
  const { answer, cursors, turn, noun } = props
  const { items, hasNext, next } = pageOf<Item>(answer)
  const isFirst = cursors.length === 0
  const end = isFirst ? 'all there are' : 'the last of them'
  const rest = hasNext ? 'more follow' : end
  const counted = `${items.length} ${noun}${items.length === 1 ? '' : 's'}`
  return (
    <>
      <Outcome answer={answer}>
        {answer.isOk && <span>{items.length > 0 ? `${counted}, ${rest}` : counted}</span>}
      </Outcome>
      {items.length > 0 && props.view(items, props.asked)}
      {items.length === 0 && answer.isOk && (
        <p class="hint">{hasNext ? 'This page is empty. There is a next one.' : props.empty}</p>
      )}
      {(items.length > 0 || !isFirst || hasNext) && (
        <fieldset class="row" aria-label="Pages">
          <Button disabled={isFirst} onClick={() => turn(cursors.slice(0, -1))}>
            Previous page
          </Button>
          <span class="hint">Page {cursors.length + 1}</span>
          <Button disabled={!hasNext} onClick={() => turn([...cursors, next])}>
            Next page
          </Button>
        </fieldset>
      )}
      <Behind of={props} />
    </>
  )
}

export type Columns<Item> = Readonly<Record<string, (item: Item) => ComponentChildren>>

type TableProps<Item> = { caption: string; items: readonly Item[]; columns: Columns<Item> }

/** A table, which a narrow screen shows as cards. The roles keep it one for screen readers. */
export const RecordTable = <Item,>({ caption, items, columns }: TableProps<Item>) => (
  <table role="table" aria-label={caption}>
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
            <td data-label={name} role="cell" key={name} children={<div>{view(item)}</div>} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
