import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type ApiRequest, get, post, send } from './api.ts'
import { AnswerView, type Exchange, ExchangeView, Outcome, outcomeText, RequestView } from './exchange.tsx'
import { Field } from './fields.tsx'
import { isObject } from './json.ts'
import { fieldsOf, peopleOf } from './person.tsx'
import { bodyOf, pointersOf } from './session-body.ts'
import { SessionFields } from './session-form.tsx'
import { Section, type TabProps } from './tab.tsx'
import { DryRunView, TimeLeft, TokenView } from './token-view.tsx'
import { announce, counted } from './words.tsx'

const sessionLifetimeMs = 5 * 60 * 1000

/** What has become of a session since it was generated. */
type Session = {
  readonly id: string
  readonly expires: number
  readonly attempts: readonly Exchange[]
  readonly token?: string
  readonly used?: Exchange
  readonly revoked?: Exchange
}

let exchanges = 0
async function exchange(request: ApiRequest): Promise<Exchange> {
  const answer = await send(request)
  announce(outcomeText(answer))
  exchanges += 1
  return { number: exchanges, request, answer }
}

/** The text in a field of an answer. */
const textIn = ({ body }: Answer, name: string): string | undefined =>
  isObject(body) && typeof body[name] === 'string' ? body[name] : undefined

/** A session from the form to its end: generate, redeem, read the token, use it, revoke. */
export function SessionTab(props: TabProps) {
  const { form, caller, directory, showErrors } = props
  const [generated, setGenerated] = useState<Exchange>()
  const [note, setNote] = useState('')
  const [session, setSession] = useState<Session>()
  const generate = useRef<HTMLButtonElement>(null)
  const isDryRun = form.values.dryRun === 'true'
  const verb = isDryRun ? 'Try it without a session' : 'Generate the session'
  const { body, errors } = bodyOf({ ...form.values, deploymentId: caller.deployment })
  const request = post(`/api/v1/embed/generate-session${isDryRun ? '?dryRun=true' : ''}`, body, caller.authorization)
  usePersonOf(props)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (errors.length > 0 || caller.missing !== undefined) {
      showErrors(errors, pointersOf(form.values), true)
      const text = caller.missing ?? 'Not sent. Correct the fields that are marked.'
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
    const made = await exchange(request)
    setSession((before) => (before?.id === session?.id && before ? { ...before, ...changes(made, before) } : before))
  }
  const sessionId = session?.id ?? ''
  const redeem = () =>
    go(post('/api/v1/embed/session/token', { sessionId }), (redeemed, { attempts }) => {
      const token = textIn(redeemed.answer, 'token')
      return { attempts: [...attempts, redeemed], ...(token !== undefined && { token }) }
    })
  const use = () =>
    go(
      get(`/api/v1/deployments/${encodeURIComponent(caller.deployment)}/dbt-sync?first=1`, `Bearer ${session?.token}`),
      (used) => ({ used }),
    )
  const revoke = () =>
    go(post('/api/v1/embed/session/revoke', { sessionId }, caller.authorization), (revoked, before) => ({
      // A refusal leaves a session revoked that was revoked before.
      revoked: isDone(before.revoked) && !isDone(revoked) ? (before.revoked as Exchange) : revoked,
    }))

  const answer = generated?.answer
  const tried = isObject(answer?.body) && isObject(answer.body.limits) ? answer.body : undefined
  const last = session?.attempts.at(-1)
  return (
    <Section
      {...props}
      id="session"
      title="An embed session"
      lead="The host application's backend asks for a session for one of its end users. The user's browser redeems it, once, for a signed token."
    >
      <div class="columns">
        <form id="session-form" noValidate onSubmit={submit}>
          <SessionFields form={form} directory={directory} />
          <div class="at-hand">
            <button type="submit" class="primary" children={verb} />
          </div>
        </form>
        <ol class="steps">
          <Step title="Generate">
            <div id="generate-request">
              <RequestView request={request} />
            </div>
            <div class="actions">
              <button type="submit" form="session-form" class="primary" id="generate" ref={generate} children={verb} />
              <Field
                form={form}
                name="dryRun"
                as="check"
                class="inline"
                label="Dry run"
                hint="Checks everything, writes nothing."
              />
            </div>
            <div id="generate-answer">
              {answer && <AnswerView answer={answer} folded={tried !== undefined} key={generated?.number} />}
              {tried && <DryRunView of={tried} />}
              {note && <p class="outcome">{note}</p>}
            </div>
          </Step>
          <Step title="Redeem" hint="The end user's browser does this. The session id is the only credential.">
            <div class="actions">
              <button type="button" id="redeem" class="primary" disabled={!session} onClick={redeem}>
                {last ? 'Redeem it again' : 'Redeem the session'}
              </button>
              {session && !last && <TimeLeft until={session.expires} what="The session expires" />}
            </div>
            <div id="redeem-exchange">
              {last && <ExchangeView of={last} />}
              {session && session.attempts.length > 1 && <Attempts of={session.attempts} />}
            </div>
          </Step>
          <Step title="Read the token">
            <div id="token">
              {session?.token && (
                <TokenView token={session.token} isRevoked={isDone(session.revoked)} key={session.token} />
              )}
              {!session?.token && <p class="hint">Redeem the session to see its token.</p>}
            </div>
          </Step>
          <Step
            title="Use and revoke"
            hint="An internal user's token may call the API. An external user's token gets a 403, and a revoked one a 401. Only an admin can revoke."
          >
            <div class="actions">
              <button
                type="button"
                id="use-token"
                disabled={!session?.token}
                onClick={use}
                children="Call the API with the token"
              />
              <button type="button" id="revoke" disabled={!session} onClick={revoke} children="Revoke the session" />
            </div>
            <div id="use-exchange">{session?.used && <ExchangeView of={session.used} />}</div>
            <div id="revoke-exchange">{session?.revoked && <ExchangeView of={session.revoked} />}</div>
          </Step>
        </ol>
      </div>
    </Section>
  )
}

const isDone = (exchange: Exchange | undefined): boolean => exchange?.answer.status === 204

const Step = ({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) => (
  <li>
    <h3>{title}</h3>
    {hint && <p class="hint">{hint}</p>}
    {children}
  </li>
)

const Attempts = ({ of }: { of: readonly Exchange[] }) => (
  <div>
    <h4>All attempts with this session</h4>
    <ol class="attempts">
      {of.map(({ number, answer }) => (
        <li key={number} children={<Outcome answer={answer} />} />
      ))}
    </ol>
  </div>
)

/** Begins with the first person of an account, unless somebody has filled in the form. */
function usePersonOf({ directory, form: { values, set } }: TabProps): void {
  const { account, things } = directory
  const filledFor = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!account || things.embedTenants.length === 0 || filledFor.current === account.id) return
    const isUntouched = Object.values(values).every((value) => value === '')
    if (isUntouched || filledFor.current !== undefined) set(fieldsOf(peopleOf(directory)[0]?.[0] ?? ''))
    filledFor.current = account.id
  }, [account, things])
}
