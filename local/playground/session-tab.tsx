import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type ApiRequest, get, post, send } from './api.ts'
import { AnswerView, type Exchange, ExchangeView, Outcome, outcomeText, RequestView } from './exchange.tsx'
import { isObject } from './json.ts'
import { firstPerson } from './person.tsx'
import { bodyOf, pointersOf } from './session-body.ts'
import { SessionFields } from './session-form.tsx'
import type { TabProps } from './tab.ts'
import { DryRunView, TimeLeft, TokenView } from './token-view.tsx'
import { announce, counted } from './words.tsx'

const sessionLifetimeMs = 5 * 60 * 1000

/** What has become of a session since it was generated. */
type Session = {
  readonly id: string
  readonly expires: number
  readonly redeemed?: Exchange
  readonly attempts: readonly Exchange[]
  readonly token?: string
  readonly used?: Exchange
  readonly revoked?: Exchange
}

let exchanges = 0
async function exchange(request: ApiRequest): Promise<Exchange> {
  const answer = await send(request)
  announce(outcomeText(answer))
  return { number: ++exchanges, request, answer }
}

/** The text in a field of an answer. */
const textIn = ({ body }: Answer, name: string): string | undefined =>
  isObject(body) && typeof body[name] === 'string' ? body[name] : undefined

/** A session from the form to its end: generate, redeem, read the token, use it, revoke. */
export function SessionTab({ form, caller, directory, showErrors, isShown }: TabProps) {
  const [generated, setGenerated] = useState<Exchange>()
  const [note, setNote] = useState('')
  const [session, setSession] = useState<Session>()
  const generate = useRef<HTMLButtonElement>(null)
  const isDryRun = form.values.dryRun === 'true'
  const { body, errors } = bodyOf({ ...form.values, deploymentId: caller.deployment })
  const request = post(`/api/v1/embed/generate-session${isDryRun ? '?dryRun=true' : ''}`, body, caller.authorization)
  usePersonOf(directory, form)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const lacking = caller.missing
    if (errors.length > 0 || lacking !== undefined) {
      showErrors(errors, pointersOf(form.values), true)
      const text = lacking ?? 'Not sent. Correct the fields that are marked.'
      setGenerated(undefined)
      setNote(text)
      return announce(text)
    }
    const made = await exchange(request)
    const elsewhere = showErrors(made.answer.errors, pointersOf(form.values), true)
    const atFields = made.answer.errors.length - elsewhere.length
    setGenerated(made)
    setNote(atFields > 0 ? `${counted(atFields, 'problem')} shown at the fields.` : '')
    // On a phone the answer is far from the button that stays in sight.
    if (event.submitter !== generate.current) generate.current?.scrollIntoView()
    const id = textIn(made.answer, 'sessionId')
    if (id !== undefined) setSession({ id, expires: Date.now() + sessionLifetimeMs, attempts: [] })
  }

  /** Asks, and keeps what becomes of it with the session, unless there is another one by then. */
  async function go(
    request: ApiRequest,
    changes: (made: Exchange, before: Session) => Partial<Session>,
  ): Promise<void> {
    const id = session?.id
    const made = await exchange(request)
    setSession((before) => (before && before.id === id ? { ...before, ...changes(made, before) } : before))
  }
  const redeem = () =>
    go(post('/api/v1/embed/session/token', { sessionId: session?.id ?? '' }), (redeemed, { attempts, token }) => {
      const given = textIn(redeemed.answer, 'token') ?? token
      return { redeemed, attempts: [...attempts, redeemed], ...(given !== undefined && { token: given }) }
    })
  const use = () =>
    go(
      get(`/api/v1/deployments/${encodeURIComponent(caller.deployment)}/dbt-sync?first=1`, `Bearer ${session?.token}`),
      (used) => ({ used }),
    )
  const revoke = () =>
    go(
      post('/api/v1/embed/session/revoke', { sessionId: session?.id ?? '' }, caller.authorization),
      (revoked, before) => ({
        // A refusal leaves a session revoked that was revoked before.
        revoked: before.revoked?.answer.status === 204 && revoked.answer.status !== 204 ? before.revoked : revoked,
      }),
    )

  const answer = generated?.answer
  const isTried = isObject(answer?.body) && isObject(answer.body.limits) && answer.body
  return (
    <section id="session" aria-labelledby="session-title" hidden={!isShown}>
      <h2 id="session-title" tabIndex={-1}>
        An embed session
      </h2>
      <p class="lead">
        The host application's backend asks for a session for one of its end users. The user's browser redeems it, once,
        for a signed token.
      </p>
      <div class="columns">
        <form id="session-form" noValidate onSubmit={submit}>
          <SessionFields form={form} directory={directory} />
          <div class="at-hand">
            <button type="submit" class="primary">
              {isDryRun ? 'Try it without a session' : 'Generate the session'}
            </button>
          </div>
        </form>
        <ol class="steps">
          <li>
            <h3>Generate</h3>
            <div id="generate-request">
              <RequestView request={request} />
            </div>
            <div class="actions">
              <button type="submit" form="session-form" class="primary" id="generate" ref={generate}>
                {isDryRun ? 'Try it without a session' : 'Generate the session'}
              </button>
              <span class="field check inline">
                <input
                  type="checkbox"
                  id="dry-run"
                  aria-describedby="dry-run-hint"
                  checked={isDryRun}
                  onInput={(event) => form.set({ dryRun: event.currentTarget.checked ? 'true' : '' })}
                />
                <label for="dry-run">Dry run</label>
                <span class="hint" id="dry-run-hint">
                  Checks everything, writes nothing.
                </span>
              </span>
            </div>
            <div id="generate-answer">
              {answer && <AnswerView answer={answer} folded={Boolean(isTried)} key={generated?.number} />}
              {isTried && <DryRunView of={isTried} />}
              {note && <p class="outcome">{note}</p>}
            </div>
          </li>
          <li>
            <h3>Redeem</h3>
            <p class="hint">The end user's browser does this. The session id is the only credential.</p>
            <div class="actions">
              <button type="button" id="redeem" class="primary" disabled={!session} onClick={redeem}>
                {session?.redeemed ? 'Redeem it again' : 'Redeem the session'}
              </button>
            </div>
            <div id="redeem-exchange">
              {session && !session.redeemed && (
                <p class="hint">
                  <TimeLeft until={session.expires} what="The session expires" />
                </p>
              )}
              {session?.redeemed && <ExchangeView of={session.redeemed} />}
              {session && session.attempts.length > 1 && <Attempts of={session.attempts} />}
            </div>
          </li>
          <li>
            <h3>Read the token</h3>
            <div id="token">
              {session?.token ? (
                <TokenView
                  token={session.token}
                  isRevoked={session.revoked?.answer.status === 204}
                  key={session.token}
                />
              ) : (
                <p class="hint">Redeem the session to see its token.</p>
              )}
            </div>
          </li>
          <li>
            <h3>Use and revoke</h3>
            <p class="hint">
              An internal user's token may call the API. An external user's token gets a 403, and a revoked one a 401.
              Only an admin can revoke.
            </p>
            <div class="actions">
              <button type="button" id="use-token" disabled={!session?.token} onClick={use}>
                Call the API with the token
              </button>
              <button type="button" id="revoke" disabled={!session} onClick={revoke}>
                Revoke the session
              </button>
            </div>
            <div id="use-exchange">{session?.used && <ExchangeView of={session.used} />}</div>
            <div id="revoke-exchange">{session?.revoked && <ExchangeView of={session.revoked} />}</div>
          </li>
        </ol>
      </div>
    </section>
  )
}

const Attempts = ({ of }: { of: readonly Exchange[] }) => (
  <div>
    <h4>All attempts with this session</h4>
    <ol class="attempts">
      {of.map(({ number, answer }) => (
        <li key={number}>
          <Outcome answer={answer} />
        </li>
      ))}
    </ol>
  </div>
)

/** Begins with the first person of an account, unless somebody has filled in the form. */
function usePersonOf(directory: TabProps['directory'], { values, set }: TabProps['form']): void {
  const { account, things } = directory
  const filledFor = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!account || things.embedTenants.length === 0 || filledFor.current === account.id) return
    const isUntouched = Object.values(values).every((value) => value === '')
    if (isUntouched || filledFor.current !== undefined) set(firstPerson(directory))
    filledFor.current = account.id
  }, [account, things])
}
