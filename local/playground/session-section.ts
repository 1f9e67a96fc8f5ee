import { announce } from './announcer.ts'
import { type Answer, type ApiRequest, get, post, send } from './api.ts'
import type { Caller } from './caller.ts'
import { byId, element } from './dom.ts'
import { answerView, outcomeText, outcomeView, requestView } from './exchange-view.ts'
import { clearErrors, showErrors } from './field-errors.ts'
import { isObject } from './json.ts'
import { createSessionForm } from './session-form.ts'
import { timeLeft, tokenView } from './token-view.ts'
import { counted } from './words.ts'

const sessionLifetimeMs = 5 * 60 * 1000

/** A session from the form to its end: generate, redeem, read the token, use it, revoke. */
export function sessionSection(caller: Caller): void {
  const sessionForm = createSessionForm(caller)
  const { form } = sessionForm
  const forms = [caller.form, form]
  const dryRun = byId('dry-run', HTMLInputElement)
  const generate = byId('generate', HTMLButtonElement)
  const redeem = byId('redeem', HTMLButtonElement)
  const useToken = byId('use-token', HTMLButtonElement)
  const revoke = byId('revoke', HTMLButtonElement)
  const generateAnswer = byId('generate-answer', HTMLElement)
  const redeemExchange = byId('redeem-exchange', HTMLElement)
  const revokeExchange = byId('revoke-exchange', HTMLElement)
  const tokenPlace = byId('token', HTMLElement)
  const noToken = [...tokenPlace.childNodes]
  let sessionId = ''
  let token = ''
  let attempts: HTMLElement[] = []

  const request = (): ApiRequest =>
    post(
      `/api/v1/embed/generate-session${dryRun.checked ? '?dryRun=true' : ''}`,
      sessionForm.content().body,
      caller.authorization(),
    )
  function preview(): void {
    byId('generate-request', HTMLElement).replaceChildren(requestView(request()))
    generate.textContent = dryRun.checked ? 'Try it without a session' : 'Generate the session'
  }

  function begin(id: string): void {
    sessionId = id
    token = ''
    attempts = []
    redeem.disabled = revoke.disabled = false
    useToken.disabled = true
    redeem.textContent = 'Redeem the session'
    redeemExchange.replaceChildren(
      element('p', { class: 'hint' }, timeLeft(Date.now() + sessionLifetimeMs, 'The session expires')),
    )
    revokeExchange.replaceChildren()
    tokenPlace.replaceChildren(...noToken)
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { errors } = sessionForm.content()
    const lacking = caller.missing()
    if (errors.length > 0 || lacking !== undefined) {
      showErrors(forms, errors)
      const text = lacking ?? 'Not sent. Correct the fields that are marked.'
      generateAnswer.replaceChildren(element('p', { class: 'outcome' }, text))
      announce(text)
      return
    }
    const answer = await ask(request())
    const elsewhere = showErrors(forms, answer.errors)
    generateAnswer.replaceChildren(answerView(answer), fieldsNote(answer, elsewhere.length))
    // On a phone the answer is far from the button that stays in sight.
    if (event.submitter !== generate) generate.scrollIntoView()
    if (isObject(answer.body) && typeof answer.body.sessionId === 'string') begin(answer.body.sessionId)
  })

  redeem.addEventListener('click', async () => {
    const exchange = post('/api/v1/embed/session/token', { sessionId })
    const answer = await ask(exchange)
    attempts.push(element('li', {}, outcomeView(answer)))
    redeemExchange.replaceChildren(
      requestView(exchange),
      answerView(answer, { folded: answer.status === 200 }),
      ...(attempts.length > 1 ? [attemptsView(attempts)] : []),
    )
    redeem.textContent = 'Redeem it again'
    if (isObject(answer.body) && typeof answer.body.token === 'string') {
      token = answer.body.token
      useToken.disabled = false
      tokenPlace.replaceChildren(await tokenView(token))
    }
  })

  useToken.addEventListener('click', () =>
    show(get(`/api/v1/deployments/${caller.deployment()}/dbt-sync?first=1`, `Bearer ${token}`)),
  )
  revoke.addEventListener('click', () =>
    show(post('/api/v1/embed/session/revoke', { sessionId }, caller.authorization())),
  )
  async function show(shown: ApiRequest): Promise<void> {
    const answer = await ask(shown)
    revokeExchange.replaceChildren(requestView(shown), answerView(answer, { folded: answer.status === 200 }))
  }

  const previewAndForget = () => {
    clearErrors(forms)
    preview()
  }
  sessionForm.onInput(previewAndForget)
  caller.onChange(previewAndForget)
  dryRun.addEventListener('input', preview)
  preview()
}

async function ask(request: ApiRequest): Promise<Answer> {
  const answer = await send(request)
  announce(outcomeText(answer))
  return answer
}

const attemptsView = (attempts: readonly HTMLElement[]): HTMLElement =>
  element(
    'div',
    {},
    element('h4', {}, 'All attempts with this session'),
    element('ol', { class: 'attempts' }, ...attempts),
  )

/** Says where to look for what is wrong, and for a dry run how large the token would be. */
function fieldsNote({ errors, body }: Answer, elsewhere: number): HTMLElement {
  const note = element('p', { class: 'hint' })
  if (errors.length > elsewhere)
    note.textContent = `${counted(errors.length - elsewhere, 'problem')} shown at the fields.`
  const limits = isObject(body) && isObject(body.limits) ? body.limits : undefined
  if (isObject(body) && limits) {
    note.textContent = `Nothing was written. The token would have ${body.tokenBytes} of at most ${limits.maxTokenBytes} bytes.`
  }
  return note
}
