import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Answer, type ApiRequest, get, type Schemas, send } from './api.ts'
import { AnswerView, Outcome, outcomeText, RequestView } from './exchange.tsx'
import { Button, Field, Folded, focusSoon, useLatest } from './fields.tsx'
import type { Tab, Values } from './link.ts'
import type { Page } from './page.ts'
import { announce, counted } from './words.tsx'

type ListingProps<Item> = {
  readonly page: Page
  readonly tab: Tab
  /** One thing of the list, as in `10 workbooks`. */
  readonly noun: string
  /** Why there may be nothing, as a sentence. */
  readonly empty: string
  /** Below the deployment's. */
  readonly path: string
  /** The query parameters, besides the page's. Empty ones are left out. */
  readonly query: Values
  /** What the list needs besides key and deployment, as a sentence. */
  readonly missing?: string | undefined
  /** Whether what it needs may still be suggested. */
  readonly isWaiting?: boolean
  readonly filters: ComponentChildren
  /** @param asked what the filters had when the list was asked for */
  view(items: readonly Item[], asked: Values): ComponentChildren
}

/** A list as it was asked for; what is typed since counts with the next one. */
type Asked = { readonly path: string; readonly query: Values; readonly values: Values }

type Shown = {
  readonly asked: Asked
  /** The cursors of the pages that led here: the API goes forward only, so the way back is kept. */
  readonly cursors: readonly string[]
  readonly request: ApiRequest
  readonly answer: Answer
  readonly focusErrors: boolean
}

/** A list with filters, page by page. A choice lists at once. A typed filter lists with Enter or the button. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { page, filters, missing = page.missing } = props
  const form = page.formOf(props.tab)
  const values = { first: '10', ...form.values }
  /** A text says what is missing. */
  const [shown, show, isBusy] = useLatest<Shown | string>()

  async function list(asked: Asked, cursors: readonly string[], focusErrors = false): Promise<Shown> {
    const parameters = Object.entries({ ...asked.query, after: cursors.at(-1) ?? '' })
    const search = new URLSearchParams(parameters.filter(([, value]) => value !== ''))
    const request = get(`${asked.path}?${search}`, page.authorization)
    return { asked, cursors, request, answer: await send(request), focusErrors }
  }
  /** From the first page on: a cursor belongs to the filters it came with. */
  function begin(focusErrors: boolean): void {
    const path = `/api/v1/deployments/${encodeURIComponent(page.deployment)}/${props.path}`
    const asked = { path, query: { ...props.query, first: values.first }, values }
    show(missing ?? list(asked, [], focusErrors))
  }
  const turn = async (asked: Asked, cursors: readonly string[]) => {
    await show(list(asked, cursors))
    // The button that was pressed is gone; the new page begins here.
    focusSoon(`#${props.tab} .listing > .outcome`)
  }

  const isReady = page.isKnown && !props.isWaiting
  useEffect(() => {
    if (isReady) begin(false)
  }, [isReady, page.settled])
  useEffect(() => {
    if (typeof shown === 'string') announce(shown)
    if (typeof shown !== 'object') return
    page.showErrors(shown.answer.errors, shown.focusErrors)
    announce(outcomeText(shown.answer))
  }, [shown])
  return (
    <>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin(true)
        }}
        onChange={({ target }) => (target as Element).matches('select, [type=radio]') && page.settle()}
      >
        {filters}
        <Field form={{ ...form, values }} name="first" class="tiny" label="Page size" />
        <button type="submit" class="primary" children="List" />
      </form>
      <div class="listing" aria-busy={isBusy}>
        {shown === undefined && <p class="hint">The list is on its way …</p>}
        {typeof shown === 'string' && <p class="outcome hint">{shown}</p>}
        {typeof shown === 'object' && <ListView {...props} {...shown} turn={turn} key={shown.answer} />}
      </div>
    </>
  )
}

type ListProps<Item> = ListingProps<Item> & Shown & { turn: (asked: Asked, cursors: readonly string[]) => void }

function ListView<Item>({ answer, asked, cursors, request, noun, empty, view, turn }: ListProps<Item>) {
  const { items = [], pageInfo } = answer.body as { items?: readonly Item[]; pageInfo?: Schemas['PageInfo'] }
  const isOk = answer.status === 200
  const hasNext = pageInfo?.hasNextPage ?? false
  const more = hasNext ? ', more follow' : cursors.length > 0 ? ', the last of them' : ', all there are'
  const pager = (text: string, to: readonly string[], isThere: boolean) => (
    <Button disabled={!isThere} onClick={() => turn(asked, to)} children={text} />
  )
  return (
    <>
      <Outcome answer={answer}>
        {isOk && <span class="message">{counted(items.length, noun) + (items.length > 0 ? more : '')}</span>}
      </Outcome>
      {items.length > 0 && view(items, asked.values)}
      {items.length === 0 && isOk && <p class="hint">{hasNext ? 'This page is empty. There is a next one.' : empty}</p>}
      {(items.length > 0 || cursors.length > 0 || hasNext) && (
        <fieldset class="actions" aria-label="Pages">
          {pager('Previous page', cursors.slice(0, -1), cursors.length > 0)}
          <span class="hint">Page {cursors.length + 1}</span>
          {pager('Next page', [...cursors, pageInfo?.endCursor ?? ''], hasNext)}
        </fieldset>
      )}
      <Folded summary="The request and its answer">
        {() => [<RequestView request={request} key="request" />, <AnswerView answer={answer} key="answer" />]}
      </Folded>
    </>
  )
}

type TableProps<Item> = {
  readonly caption: string
  readonly items: readonly Item[]
  /** What each shows of an item, by its name. */
  readonly columns: Readonly<Record<string, (item: Item) => ComponentChildren>>
}

/**
 * A table of items, which on a narrow screen becomes a list of cards with the columns' names as labels. The roles outlast the
 * change of layout, which would make the table none for screen readers.
 */
export const RecordTable = <Item,>({ caption, items, columns }: TableProps<Item>) => (
  <table class="records" role="table" aria-label={caption}>
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
