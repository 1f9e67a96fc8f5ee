import { announce } from './announcer.ts'
import { type ApiRequest, get, send } from './api.ts'
import type { Caller } from './caller.ts'
import { element, within } from './dom.ts'
import { answerView, lazyDetails, outcomeView, requestView } from './exchange-view.ts'
import { clearErrors, showErrors } from './field-errors.ts'
import { isObject, type JsonObject } from './json.ts'
import { counted } from './words.ts'

export type Listing = {
  /** To be called whenever the section comes into view. */
  shown(): void
}

type ListingOptions = {
  readonly caller: Caller
  readonly section: HTMLElement
  /** One thing of the list, as in `10 workbooks`. */
  readonly noun: string
  path(): string
  /** Why there may be nothing, as a sentence. */
  readonly empty: string
  /** What the list needs besides key and deployment, as a sentence. */
  missing?(): string | undefined
  view(items: readonly JsonObject[]): HTMLElement
}

/** A list with filters, page by page. A choice lists at once. A typed filter lists with Enter or the button. */
export function createListing({ caller, section, noun, path, empty, missing, view }: ListingOptions): Listing {
  const form = within(section, 'form', HTMLFormElement)
  const place = within(section, '.listing', HTMLElement)
  const forms = [caller.form, form]
  /** The cursors of the pages that led here: the API goes forward only, so the way back is kept. */
  let cursors: readonly string[] = []
  /** The list and its filters as they were asked for; what is typed since counts with the next list. */
  let asked: URL
  let latest = 0
  let isCurrent = false

  async function list(focus = false): Promise<void> {
    const run = ++latest
    isCurrent = true
    const request = get(pageOf(asked, cursors.at(-1)), caller.authorization())
    place.setAttribute('aria-busy', 'true')
    const answer = await send(request)
    // A later choice may have been answered first.
    if (run !== latest) return
    place.removeAttribute('aria-busy')
    if (focus) showErrors(forms, answer.errors)
    const items = isObject(answer.body) && Array.isArray(answer.body.items) ? (answer.body.items as JsonObject[]) : []
    const pageInfo = isObject(answer.body) && isObject(answer.body.pageInfo) ? answer.body.pageInfo : {}
    const outcome = outcomeView(answer)
    if (answer.status === 200) {
      const more = pageInfo.hasNextPage
        ? ', more follow'
        : cursors.length > 0
          ? ', the last of them'
          : ', all there are'
      outcome.append(element('span', { class: 'message' }, `${counted(items.length, noun)}${items.length ? more : ''}`))
    }
    announce(outcome.textContent ?? '')
    place.replaceChildren(
      outcome,
      items.length > 0 ? view(items) : answer.status === 200 ? emptyState(pageInfo) : '',
      items.length > 0 || cursors.length > 0 || pageInfo.hasNextPage === true ? pages(pageInfo) : '',
      exchangeView(request, () => answerView(answer)),
    )
  }

  /** A page may be empty although the list goes on. */
  const emptyState = ({ hasNextPage }: JsonObject): HTMLElement =>
    element('p', { class: 'hint' }, hasNextPage === true ? 'This page is empty. There is a next one.' : empty)

  function pages({ hasNextPage, endCursor }: JsonObject): HTMLElement {
    const turn = (name: string, to: readonly string[], enabled: boolean) => {
      const button = element('button', { type: 'button', disabled: !enabled }, name)
      button.addEventListener('click', async () => {
        cursors = to
        await list()
        // The button that was pressed is gone; the new page begins here.
        const heading = section.querySelector<HTMLElement>('.outcome')
        heading?.setAttribute('tabindex', '-1')
        heading?.focus()
      })
      return button
    }
    const next = typeof endCursor === 'string' ? [...cursors, endCursor] : cursors
    return element(
      'div',
      { class: 'actions pages', role: 'group', 'aria-label': 'Pages' },
      turn('Previous page', cursors.slice(0, -1), cursors.length > 0),
      element('span', { class: 'hint' }, `Page ${cursors.length + 1}`),
      turn('Next page', next, hasNextPage === true),
    )
  }

  /** From the first page on: a cursor belongs to the filters it came with. */
  const begin = (focus: boolean) => {
    cursors = []
    const lacking = caller.missing() ?? missing?.()
    if (lacking !== undefined) {
      latest += 1
      isCurrent = true
      place.removeAttribute('aria-busy')
      place.replaceChildren(element('p', { class: 'outcome hint' }, lacking))
      if (focus) announce(lacking)
      return
    }
    asked = new URL(`${path()}?${queryOf(form)}`, location.origin)
    return list(focus)
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    begin(true)
  })
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'radio'))
      begin(false)
  })
  form.addEventListener('input', () => clearErrors(forms))
  // Once a key or deployment is settled, not at every letter of it.
  caller.form.addEventListener('change', () => {
    isCurrent = false
    clearErrors(forms)
    if (!section.hidden) begin(false)
  })
  return {
    shown: () => {
      if (!isCurrent) begin(false)
    },
  }
}

function pageOf(list: URL, after: string | undefined): string {
  const page = new URL(list)
  if (after !== undefined) page.searchParams.append('after', after)
  return page.pathname + page.search
}

function queryOf(form: HTMLFormElement): URLSearchParams {
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
    const name = field.dataset.parameter ?? field.name
    const isChosen = !(field instanceof HTMLInputElement) || field.type !== 'radio' || field.checked
    // A part of the path is not one of the query.
    if (field.value !== '' && isChosen && name !== 'embedTenantName') query.append(name, field.value)
  }
  return query
}

const exchangeView = (request: ApiRequest, answer: () => HTMLElement): HTMLElement =>
  lazyDetails('The request and its answer', () => element('div', {}, requestView(request), answer()))
