import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { type Answer, call, type Schemas, send } from './api.ts'
import { peopleOf } from './directory.ts'
import { Embedded } from './embedded.tsx'
import { AnswerView, type Exchange, ExchangeView, Outcome, RequestView } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import type { Values } from './form.ts'
import { Missing } from './key-bar.tsx'
import { type Page, useFilledFor, useLatest } from './page.ts'
import { bodyOf, field } from './session-body.ts'
import { PersonPicker, SessionFields } from './session-form.tsx'
import { DryRunView, TokenView } from './token-view.tsx'

const at = '/api/v1/embed'
const dryRun = field('Dry run', 'dryRun', 'true or false', 'Checks everything, writes nothing.')

type SessionBody = Partial<Schemas['GeneratedSession'] & Schemas['EmbedToken'] & Schemas['DryRun']>
const bodyIn = (answer?: Answer) => (answer?.body ?? {}) as SessionBody

export function SessionTab({ page }: { page: Page }) {
  const { directory, authorization, deployment, missing, showErrors } = page
  const form = page.formOf('session')
  // Somebody who is picked is embedded; what is typed waits for a click.
  const [picked, setPicked] = useState(0)
  function pick(person: Values): void {
    form.set(person)
    setPicked(picked + 1)
  }
  const [shown, show] = useLatest<Answer | Pick<Answer, 'errors'>>()
  const answer = shown && 'status' in shown ? shown : undefined
  const isUnsent = shown && !answer
  const [sessionId, setSessionId] = useState('')
  const isDryRun = form.values.dryRun === 'true'
  const { body, errors } = bodyOf({ ...form.values, deploymentId: deployment })
  const asked = call(`${at}/generate-session`, authorization, body)
  const request = isDryRun ? { ...asked, path: `${asked.path}?dryRun=true` } : asked
  const isFilled = Object.values(form.values).some(Boolean)
  const account = directory.things.embedTenants[0] && directory.account?.id
  useFilledFor(account, isFilled, () => pick(JSON.parse(peopleOf(directory)[0]?.[0] ?? '{}')))
  const isFirst = account !== undefined && isFilled && picked === 0

  const submit = () => show(errors.length > 0 || missing ? { errors } : send(request))
  useLayoutEffect(() => {
    if (shown) showErrors(shown.errors)
    setSessionId((before) => bodyIn(answer).sessionId ?? before)
  }, [shown])

  const tried = bodyIn(answer).limits && (answer?.body as Schemas['DryRun'])
  return (
    <div class="stack">
      <div class="row">
        <PersonPicker form={{ ...form, set: pick }} directory={directory} />
      </div>
      <Embedded page={page} request={asked} picked={isFirst ? 1 : picked} />
      <h3>Ask for any session</h3>
      <form id="session-form" method="dialog" onSubmit={submit}>
        <SessionFields form={form} directory={directory} />
      </form>
      <ol class="steps">
        <Step title="Generate">
          <div id="generate-request" children={<RequestView request={request} />} />
          <div class="row">
            <button type="submit" form="session-form" class="primary" id="generate">
              {isDryRun ? 'Try it without a session' : 'Generate the session'}
            </button>
            <Field form={form} {...dryRun} />
          </div>
          <div id="generate-answer">
            {answer && <AnswerView answer={answer} folded={!!tried} key={answer} />}
            {tried && <DryRunView {...tried} />}
            {isUnsent && missing && <Missing page={page} />}
            {isUnsent && errors.length > 0 && (
              <Outcome>Not sent. Correct the fields that are marked.</Outcome>
            )}
          </div>
        </Step>
        <LaterSteps id={sessionId} page={page} key={sessionId} />
      </ol>
    </div>
  )
}

const redeemHint =
  "The end user's browser does this. The session id is the only credential, for five minutes."
const useHint =
  "Every token may ask about itself. An internal user's may call the API, an external user's " +
  'gets a 403, and a revoked one a 401.'

/** The id is empty before there is a session. */
function LaterSteps({ id, page }: { id: string; page: Page }) {
  type Made = Partial<Record<'redeem' | 'use' | 'revoke', Exchange>>
  const [made, setMade] = useState<Made>({})
  const [token, setToken] = useState<string>()
  const isRevoked = made.revoke?.answer.status === 204
  const sends = (step: keyof Made, ...asked: Parameters<typeof call>) => ({
    disabled: !(step === 'use' ? token : id),
    async onClick() {
      const request = call(...asked)
      const answer = await send(request)
      setToken((first) => first ?? bodyIn(answer).token)
      // A session that was revoked before stays revoked.
      if (step === 'revoke' && isRevoked && !answer.isOk) return
      setMade((before) => ({ ...before, [step]: { request, answer } }))
    },
  })
  const shown = (step: keyof Made) => (
    <div id={`${step}-exchange`} children={<ExchangeView of={made[step]} />} />
  )
  const body = { sessionId: id }
  const bearer = `Bearer ${token}`
  const syncs = `/api/v1/deployments/${encodeURIComponent(page.deployment)}/dbt-sync?first=1`
  return (
    <>
      <Step title="Redeem" hint={redeemHint}>
        <Button id="redeem" class="primary" {...sends('redeem', `${at}/session/token`, '', body)}>
          {made.redeem ? 'Redeem it again' : 'Redeem the session'}
        </Button>
        {shown('redeem')}
      </Step>
      <Step title="Read the token">
        <div id="token">
          {token && <TokenView token={token} isRevoked={isRevoked} />}
          {!token && <p class="hint">Redeem the session to see its token.</p>}
        </div>
      </Step>
      <Step title="Use and revoke" hint={useHint}>
        <div class="row">
          <Button {...sends('use', `${at}/session`, bearer)}>Is the token still good?</Button>
          <Button {...sends('use', syncs, bearer)}>Call the API with the token</Button>
          <Button
            id="revoke"
            {...sends('revoke', `${at}/session/revoke`, page.authorization, body)}
            children="Revoke the session"
          />
        </div>
        {shown('use')}
        {shown('revoke')}
      </Step>
    </>
  )
}

type StepProps = { title: string; hint?: string; children: ComponentChildren }

const Step = ({ title, hint, children }: StepProps) => (
  <li>
    <h3>{title}</h3>
    {hint && <p class="hint">{hint}</p>}
    {children}
  </li>
)
