import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type ApiRequest, get, send } from './api.ts'
import { AnswerView, Lazy, Outcome, outcomeText, RequestView } from './exchange.tsx'
import { Field } from './fields.tsx'
import { isObject, type JsonObject } from './json.ts'
import type { Tab, Values } from './link.ts'
import { Section, type TabProps } from './tab.tsx'
import { announce, counted } from './words.tsx'

type ListingProps = TabProps & {
  readonly id: Tab
  readonly title: string
  readonly lead: string
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
  const { form, caller, isShown, settled } = props
  const [shown, setShown] = useState<Shown>()
  const [lacking, setLacking] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [chosen, choose] = useState(0)
  const latest = useRef(0)
  const listedFor = useRef('')
  const place = useRef<HTMLDivElement>(null)
  const query = { ...props.query, first: form.values.first ?? '10' }

  /** From the first page on: a cursor belongs to the filters it came with. */
  function begin(focus: boolean): void {
    latest.current += 1
    const missing = caller.missing ?? props.missing ?? ''
    setLacking(missing)
    const path = `/api/v1/deployments/${encodeURIComponent(caller.deployment)}/${props.path}`
    if (missing === '') return void list({ path, query, values: form.values }, [], focus)
    setBusy(false)
    if (focus) announce(missing)
  }

  async function list(asked: Asked, cursors: readonly string[], focus: boolean): Promise<void> {
    latest.current += 1
    const number = latest.current
    const parameters = { ...asked.query, after: cursors.at(-1) ?? '' }
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

  // After what was chosen, or settled, has been taken in.
  const isReady = isShown && caller.isKnown && !props.isWaiting
  useEffect(() => {
    if (!isReady || listedFor.current === `${settled} ${chosen}`) return
    listedFor.current = `${settled} ${chosen}`
    begin(false)
  }, [isReady, settled, chosen])

  const turn = async (cursors: readonly string[]) => {
    if (shown) await list(shown.asked, cursors, false)
    // The button that was pressed is gone; the new page begins here.
    setTimeout(() => place.current?.querySelector<HTMLElement>('.outcome')?.focus())
  }
  return (
    <Section {...props}>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          begin(true)
        }}
        onChange={({ target }) => {
          if ((target as Element).matches('select, [type=radio]')) choose(chosen + 1)
        }}
      >
        {props.filters}
        <Field form={form} name="first" class="tiny" label="Page size" initial="10" />
        <button type="submit" class="primary" children="List" />
      </form>
      <div class="listing" ref={place} aria-busy={isBusy}>
        {lacking && <p class="outcome hint">{lacking}</p>}
        {!lacking && shown && <ListView {...props} shown={shown} turn={turn} key={shown.number} />}
        {!lacking && !shown && <p class="hint">The list is on its way …</p>}
      </div>
      {props.below}
    </Section>
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
  const isOk = answer.status === 200
  const more = hasNextPage ? ', more follow' : cursors.length > 0 ? ', the last of them' : ', all there are'
  const page = (text: string, to: readonly string[], isThere: boolean) => (
    <button type="button" disabled={!isThere} onClick={() => turn(to)} children={text} />
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
        <fieldset class="actions pages" aria-label="Pages">
          {page('Previous page', cursors.slice(0, -1), cursors.length > 0)}
          <span class="hint">Page {cursors.length + 1}</span>
          {page('Next page', [...cursors, String(endCursor)], hasNextPage === true)}
        </fieldset>
      )}
      <Lazy summary="The request and its answer">
        {() => [<RequestView request={request} key="request" />, <AnswerView answer={answer} key="answer" />]}
      </Lazy>
    </>
  )
}
