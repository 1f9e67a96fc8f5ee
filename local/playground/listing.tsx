import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type ApiRequest, get, send } from './api.ts'
import type { TabProps } from './app.tsx'
import { AnswerView, Lazy, Outcome, outcomeText, RequestView } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import type { Values } from './link.ts'
import { announce, counted } from './words.tsx'

type ListingProps<Item> = TabProps & {
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
  /** @param asked what the filters held when the list was asked for */
  view(items: readonly Item[], asked: Values): ComponentChildren
  readonly filters: ComponentChildren
}

/** A list as it was asked for; what is typed since counts with the next one. */
type Asked = { readonly path: string; readonly query: Values; readonly values: Values }

type Shown = {
  readonly asked: Asked
  /** The cursors of the pages that led here: the API goes forward only, so the way back is kept. */
  readonly cursors: readonly string[]
  readonly request: ApiRequest
  readonly answer: Answer
}

/** A list with filters, page by page. A choice lists at once. A typed filter lists with Enter or the button. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { form, caller, settled, settle } = props
  /** A text says what is missing. */
  const [shown, setShown] = useState<Shown | string>()
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(0)
  const place = useRef<HTMLDivElement>(null)

  /** From the first page on: a cursor belongs to the filters it came with. */
  function begin(focus: boolean): void {
    const missing = caller.missing ?? props.missing
    const path = `/api/v1/deployments/${encodeURIComponent(caller.deployment)}/${props.path}`
    const query = { ...props.query, first: form.values.first ?? '10' }
    if (missing === undefined) return void list({ path, query, values: form.values }, [], focus)
    latest.current += 1
    setBusy(false)
    setShown(missing)
    if (focus) announce(missing)
  }

  async function list(asked: Asked, cursors: readonly string[], focus: boolean): Promise<void> {
    latest.current += 1
    const number = latest.current
    const parameters = Object.entries({ ...asked.query, after: cursors.at(-1) ?? '' })
    const search = new URLSearchParams(parameters.filter(([, value]) => value !== ''))
    const request = get(`${asked.path}?${search}`, caller.authorization)
    setBusy(true)
    const answer = await send(request)
    // A later choice may have been answered first.
    if (number !== latest.current) return
    setBusy(false)
    props.showErrors(answer.errors, focus)
    announce(outcomeText(answer))
    setShown({ asked, cursors, request, answer })
  }

  const isReady = caller.isKnown && !props.isWaiting
  useEffect(() => {
    if (isReady) begin(false)
  }, [isReady, settled])

  const turn = async (asked: Asked, cursors: readonly string[]) => {
    await list(asked, cursors, false)
    // The button that was pressed is gone; the new page begins here.
    setTimeout(() => place.current?.querySelector<HTMLElement>('.outcome')?.focus())
  }
  return (
    <>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin(true)
        }}
        onChange={({ target }) => (target as Element).matches('select, [type=radio]') && settle()}
      >
        {props.filters}
        <Field form={form} name="first" class="tiny" label="Page size" initial="10" />
        <button type="submit" class="primary" children="List" />
      </form>
      <div class="listing" ref={place} aria-busy={isBusy}>
        {shown === undefined && <p class="hint">The list is on its way …</p>}
        {typeof shown === 'string' && <p class="outcome hint">{shown}</p>}
        {typeof shown === 'object' && <ListView {...props} {...shown} turn={turn} key={shown.answer} />}
      </div>
    </>
  )
}

type Page<Item> = { readonly items?: readonly Item[]; readonly pageInfo?: { hasNextPage: boolean; endCursor: string } }
type ListProps<Item> = ListingProps<Item> & Shown & { turn: (asked: Asked, cursors: readonly string[]) => void }

function ListView<Item>({ answer, asked, cursors, request, noun, empty, view, turn }: ListProps<Item>) {
  const { items = [], pageInfo: { hasNextPage, endCursor } = { hasNextPage: false, endCursor: '' } } = (answer.body ??
    {}) as unknown as Page<Item>
  const isOk = answer.status === 200
  const more = hasNextPage ? ', more follow' : cursors.length > 0 ? ', the last of them' : ', all there are'
  const page = (text: string, to: readonly string[], isThere: boolean) => (
    <Button disabled={!isThere} onClick={() => turn(asked, to)} children={text} />
  )
  return (
    <>
      <Outcome answer={answer}>
        {isOk && <span class="message">{counted(items.length, noun) + (items.length > 0 ? more : '')}</span>}
      </Outcome>
      {items.length > 0 && view(items, asked.values)}
      {items.length === 0 && isOk && (
        <p class="hint">{hasNextPage ? 'This page is empty. There is a next one.' : empty}</p>
      )}
      {(items.length > 0 || cursors.length > 0 || hasNextPage) && (
        <fieldset class="actions" aria-label="Pages">
          {page('Previous page', cursors.slice(0, -1), cursors.length > 0)}
          <span class="hint">Page {cursors.length + 1}</span>
          {page('Next page', [...cursors, endCursor], hasNextPage)}
        </fieldset>
      )}
      <Lazy summary="The request and its answer">
        {() => [<RequestView request={request} key="request" />, <AnswerView answer={answer} key="answer" />]}
      </Lazy>
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
            <td data-label={name} role="cell" key={name}>
              <div>{view(item)}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
