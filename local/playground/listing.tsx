import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, type ApiRequest, call, type Schemas, send } from './api.ts'
import { AnswerView, Outcome, RequestView } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import { focusSoon, type Values } from './form.ts'
import { useLatest } from './hooks.ts'
import { Missing } from './key-bar.tsx'
import type { Page, Tab } from './page.ts'

type ListingProps<Item> = {
  readonly page: Page
  readonly tab: Tab
  readonly noun: string
  readonly empty: string
  /** Below the deployment's. */
  readonly path: string
  readonly query: Values
  /** What has to be typed before, as a sentence. */
  readonly missing?: string | undefined
  /** Whether that may still be suggested. */
  readonly isWaiting?: boolean
  readonly filters: ComponentChildren
  /** @param asked what the filters had when the list was asked for */
  view(items: readonly Item[], asked: Values): ComponentChildren
}

type Shown = {
  readonly request: ApiRequest
  readonly answer: Answer
  /** The cursors of the pages that led here: the API goes forward only, so the way back is kept. */
  readonly cursors: readonly string[]
  readonly asked: Values
  /** Another page of the list as it was asked for; what is typed since counts with the next one. */
  turn(cursors: readonly string[]): Promise<void>
}

/**
 * A list with filters, page by page. A choice lists at once. A typed filter lists with Enter or the
 * button.
 */
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
    const answer = await send(request)
    const turn = async (to: readonly string[]) => {
      await show(list(to))
      // The button that was pressed is gone; the new page begins here.
      focusSoon(`#${props.tab} .listing > .outcome`)
    }
    return { request, answer, cursors, asked, turn }
  }
  /** From the first page on: a cursor belongs to the filters it came with. */
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
        {typeof shown === 'string' && shown === page.missing && <Missing page={page} key={shown} />}
        {typeof shown === 'string' && shown !== page.missing && (
          <Outcome key={shown} children={<span class="hint">{shown}</span>} />
        )}
        {typeof shown === 'object' && <ListView {...props} {...shown} key={shown.answer} />}
      </div>
    </>
  )
}

function ListView<Item>({
  answer,
  asked,
  cursors,
  request,
  turn,
  noun,
  empty,
  view,
}: ListingProps<Item> & Shown) {
  const { items = [], pageInfo } = (answer.body ?? {}) as {
    items?: readonly Item[]
    pageInfo?: Schemas['PageInfo']
  }
  const hasNext = pageInfo?.hasNextPage ?? false
  const more = hasNext
    ? ', more follow'
    : cursors.length > 0
      ? ', the last of them'
      : ', all there are'
  const next = [...cursors, pageInfo?.endCursor ?? '']
  // A page may have megabytes, which would be written out again at each keystroke.
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Outcome answer={answer}>
        {answer.isOk && (
          <span>
            {`${items.length} ${noun}${items.length === 1 ? '' : 's'}`}
            {items.length > 0 && more}
          </span>
        )}
      </Outcome>
      {items.length > 0 && view(items, asked)}
      {items.length === 0 && answer.isOk && (
        <p class="hint">{hasNext ? 'This page is empty. There is a next one.' : empty}</p>
      )}
      {(items.length > 0 || cursors.length > 0 || hasNext) && (
        <fieldset class="row" aria-label="Pages">
          <Button
            disabled={cursors.length === 0}
            onClick={() => turn(cursors.slice(0, -1))}
            children="Previous page"
          />
          <span class="hint">Page {cursors.length + 1}</span>
          <Button disabled={!hasNext} onClick={() => turn(next)} children="Next page" />
        </fieldset>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>The request and its answer</summary>
        {isOpen && [
          <RequestView request={request} key="request" />,
          <AnswerView answer={answer} isTold key="" />,
        ]}
      </details>
    </>
  )
}

/** What each column shows of an item, by its name. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => ComponentChildren>>

type TableProps<Item> = { caption: string; items: readonly Item[]; columns: Columns<Item> }

/**
 * A table of items. A narrow screen shows cards with the columns' names as labels.
 * The roles keep it a table for screen readers, for whom that layout would be none.
 */
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
