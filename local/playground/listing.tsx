import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type ApiRequest, get, send } from './api.ts'
import { AnswerView, Lazy, Outcome, outcomeText, RequestView } from './exchange.tsx'
import { Input } from './fields.tsx'
import { isObject, type JsonObject } from './json.ts'
import type { Tab, Values } from './link.ts'
import type { TabProps } from './tab.ts'
import { announce, counted } from './words.tsx'

type ListingProps = TabProps & {
  readonly id: Tab
  readonly title: string
  readonly lead: string
  /** One thing of the list, as in `10 workbooks`. */
  readonly noun: string
  /** Why there may be nothing, as a sentence. */
  readonly empty: string
  readonly path: string
  /** The query parameters, besides the page's. Empty ones are left out. */
  readonly query: Values
  /** What the list needs besides key and deployment, as a sentence. */
  readonly missing?: string | undefined
  /** Whether what it needs may still be suggested. */
  readonly isWaiting?: boolean
  /** @param asked what the filters held when the list was asked for */
  view(items: readonly JsonObject[], asked: Values): ComponentChildren
  readonly filters: ComponentChildren
  readonly below?: ComponentChildren
}

/** A list as it was asked for; what is typed since counts with the next one. */
type Asked = { readonly path: string; readonly query: Values; readonly values: Values }

type Shown = {
  readonly number: number
  readonly asked: Asked
  /** The cursors of the pages that led here: the API goes forward only, so the way back is kept. */
  readonly cursors: readonly string[]
  readonly request: ApiRequest
  readonly answer: Answer
}

/** A list with filters, page by page. A choice lists at once. A typed filter lists with Enter or the button. */
export function Listing(props: ListingProps) {
  const { id, title, lead, form, caller, isShown, settled, filters, below } = props
  const [shown, setShown] = useState<Shown>()
  const [lacking, setLacking] = useState('')
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(0)
  const listedFor = useRef<number>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const query = { ...props.query, first: form.values.first ?? '10' }

  /** From the first page on: a cursor belongs to the filters it came with. */
  function begin(focus: boolean): void {
    latest.current += 1
    const missing = caller.missing ?? props.missing ?? ''
    setLacking(missing)
    if (missing === '') return void list({ path: props.path, query, values: form.values }, [], focus)
    setBusy(false)
    if (focus) announce(missing)
  }

  async function list(asked: Asked, cursors: readonly string[], focus: boolean): Promise<void> {
    latest.current += 1
    const number = latest.current
    const after = cursors.at(-1)
    const parameters = { ...asked.query, ...(after !== undefined && { after }) }
    const search = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''))
    const request = get(`${asked.path}?${search}`, caller.authorization)
    setBusy(true)
    const answer = await send(request)
    // A later choice may have been answered first.
    if (number !== latest.current) return
    setBusy(false)
    props.showErrors(answer.errors, [...Object.keys(query), 'embedTenantName'], focus)
    announce(outcomeText(answer))
    setShown({ number, asked, cursors, request, answer })
  }

  // What was chosen in the same event must have been taken in.
  const [chosen, choose] = useState(0)
  useEffect(() => {
    if (chosen > 0) begin(false)
  }, [chosen])
  const isReady = caller.isKnown && !props.isWaiting
  useEffect(() => {
    if (!isShown || !isReady || listedFor.current === settled) return
    listedFor.current = settled
    begin(false)
  }, [isShown, isReady, settled])

  const turn = async (cursors: readonly string[]) => {
    if (!shown) return
    await list(shown.asked, cursors, false)
    // The button that was pressed is gone; the new page begins here.
    setTimeout(() => place.current?.querySelector<HTMLElement>('.outcome')?.focus())
  }
  return (
    <section id={id} aria-labelledby={`${id}-title`} hidden={!isShown}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      <p class="lead">{lead}</p>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin(true)
        }}
        onChange={({ target }) => {
          if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'radio'))
            choose(chosen + 1)
        }}
      >
        {filters}
        <Input form={form} name="first" id={`${id}-first`} class="tiny" label="Page size" initial="10" numeric />
        <button type="submit" class="primary">
          List
        </button>
      </form>
      <div class="listing" ref={place} aria-busy={isBusy}>
        {lacking ? (
          <p class="outcome hint">{lacking}</p>
        ) : shown ? (
          <ListView {...props} shown={shown} turn={turn} key={shown.number} />
        ) : (
          <p class="hint">The answer is on its way …</p>
        )}
      </div>
      {below}
    </section>
  )
}

function ListView({
  shown,
  noun,
  empty,
  view,
  turn,
}: ListingProps & { shown: Shown; turn: (cursors: readonly string[]) => void }) {
  const { answer, asked, cursors, request } = shown
  const { items: found, pageInfo } = isObject(answer.body) ? answer.body : {}
  const items = Array.isArray(found) ? (found as JsonObject[]) : []
  const { hasNextPage, endCursor } = isObject(pageInfo) ? pageInfo : {}
  const more = hasNextPage ? ', more follow' : cursors.length > 0 ? ', the last of them' : ', all there are'
  const next = typeof endCursor === 'string' ? [...cursors, endCursor] : cursors
  return (
    <>
      <Outcome answer={answer}>
        {answer.status === 200 && (
          <span class="message">{`${counted(items.length, noun)}${items.length ? more : ''}`}</span>
        )}
      </Outcome>
      {items.length > 0 && view(items, asked.values)}
      {items.length === 0 && answer.status === 200 && (
        <p class="hint">{hasNextPage === true ? 'This page is empty. There is a next one.' : empty}</p>
      )}
      {(items.length > 0 || cursors.length > 0 || hasNextPage === true) && (
        <fieldset class="actions pages" aria-label="Pages">
          <button type="button" disabled={cursors.length === 0} onClick={() => turn(cursors.slice(0, -1))}>
            Previous page
          </button>
          <span class="hint">Page {cursors.length + 1}</span>
          <button type="button" disabled={hasNextPage !== true} onClick={() => turn(next)}>
            Next page
          </button>
        </fieldset>
      )}
      <Lazy summary="The request and its answer">
        {() => (
          <>
            <RequestView request={request} />
            <AnswerView answer={answer} />
          </>
        )}
      </Lazy>
    </>
  )
}
