import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, type ApiRequest, call, type Schemas, send } from './api.ts'
import { peopleOf } from './directory.ts'
import { Embedded } from './embedded.tsx'
import { AnswerView, type Exchange, ExchangeView, Outcome, RequestView } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import type { Values } from './form.ts'
import { useFilledFor } from './hooks.ts'
import { Missing } from './key-bar.tsx'
import type { Page } from './page.ts'
import { bodyOf, field } from './session-body.ts'
import { PersonPicker, SessionFields } from './session-form.tsx'
import { DryRunView, TokenView } from './token-view.tsx'

const dryRun = field('Dry run', 'dryRun', 'true or false', 'Checks everything, writes nothing.')

const exchange = async (request: ApiRequest): Promise<Exchange> => ({
  request,
  answer: await send(request),
})

/** What an answer brought: a session, a token, or what a dry run says. */
type Brought = Partial<Schemas['GeneratedSession'] & Schemas['EmbedToken'] & Schemas['DryRun']>
const broughtBy = (answer: Answer | undefined) => (answer?.body ?? {}) as Brought

/** A session from the form to its end: generate, redeem, read the token, use it, revoke. */
export function SessionTab({ page }: { page: Page }) {
  const { directory, authorization, deployment, missing, showErrors } = page
  const form = page.formOf('session')
  // Somebody who is picked is embedded; what is typed waits for a click.
  const [picked, setPicked] = useState(0)
  const pick = (person: Values) => {
    form.set(person)
    setPicked((before) => before + 1)
  }
  const [{ answer, refused }, setGenerated] = useState<{ answer?: Answer; refused?: true }>({})
  const [sessionId, setSessionId] = useState('')
  const isDryRun = form.values.dryRun === 'true'
  const verb = isDryRun ? 'Try it without a session' : 'Generate the session'
  const { body, errors } = bodyOf({ ...form.values, deploymentId: deployment })
  const path = '/api/v1/embed/generate-session'
  const asked = call(path, authorization, body)
  const request = isDryRun ? { ...asked, path: `${path}?dryRun=true` } : asked
  const isFilled = Object.values(form.values).some((value) => value !== '')
  const account = directory.things.embedTenants[0] && directory.account?.id
  useFilledFor(account, isFilled, () => pick(JSON.parse(peopleOf(directory)[0]?.[0] ?? '{}')))
  const isFirst = account !== undefined && isFilled && picked === 0

  async function submit(): Promise<void> {
    if (errors.length > 0 || missing !== undefined) {
      showErrors(errors)
      return setGenerated({ refused: true })
    }
    const answer = await send(request)
    showErrors(answer.errors)
    setGenerated({ answer })
    setSessionId((before) => broughtBy(answer).sessionId ?? before)
  }

  const tried = broughtBy(answer).limits && (answer?.body as Schemas['DryRun'])
  return (
    <div class="stack">
      <div
        class="row"
        children={<PersonPicker form={{ ...form, set: pick }} {...{ directory }} />}
      />
      <Embedded page={page} request={asked} picked={isFirst ? 1 : picked} />
      <h3>Ask for any session</h3>
      <form id="session-form" method="dialog" onSubmit={submit}>
        <SessionFields form={form} directory={directory} />
      </form>
      <ol class="steps">
        <Step title="Generate">
          <div id="generate-request" children={<RequestView request={request} />} />
          <div class="row">
            <button
              type="submit"
              form="session-form"
              class="primary"
              id="generate"
              children={verb}
            />
            <Field form={form} {...dryRun} />
          </div>
          <div id="generate-answer">
            {answer && <AnswerView answer={answer} folded={!!tried} key={answer} />}
            {tried && <DryRunView {...tried} />}
            {refused && missing && <Missing page={page} />}
            {refused && errors.length > 0 && (
              <Outcome>Not sent. Correct the fields that are marked.</Outcome>
            )}
          </div>
        </Step>
        <LaterSteps id={sessionId} page={page} key={sessionId} />
      </ol>
    </div>
  )
}

/** What becomes of one session, which has an empty id before there is one. */
function LaterSteps({ id, page }: { id: string; page: Page }) {
  const [redeemed, setRedeemed] = useState<Exchange>()
  const [token, setToken] = useState<string>()
  const [used, setUsed] = useState<Exchange>()
  const [revoked, setRevoked] = useState<Exchange>()
  const isRevoked = revoked?.answer.status === 204
  async function redeem(): Promise<void> {
    const made = await exchange(call('/api/v1/embed/session/token', undefined, { sessionId: id }))
    setRedeemed(made)
    setToken((first) => first ?? broughtBy(made.answer).token)
  }
  const useAt = (path: string) => async () => setUsed(await exchange(call(path, `Bearer ${token}`)))
  async function revoke(): Promise<void> {
    const made = await exchange(
      call('/api/v1/embed/session/revoke', page.authorization, { sessionId: id }),
    )
    // A refusal leaves a session revoked that was revoked before.
    if (!isRevoked || made.answer.status === 204) setRevoked(made)
  }
  const listOfSyncs = `/api/v1/deployments/${encodeURIComponent(page.deployment)}/dbt-sync?first=1`
  return (
    <>
      <Step
        title="Redeem"
        hint={
          "The end user's browser does this. The session id is the only credential, for five " +
          'minutes.'
        }
      >
        <Button id="redeem" class="primary" disabled={!id} onClick={redeem}>
          {redeemed ? 'Redeem it again' : 'Redeem the session'}
        </Button>
        <div id="redeem-exchange" children={<ExchangeView of={redeemed} />} />
      </Step>
      <Step title="Read the token">
        <div id="token">
          {token && <TokenView token={token} isRevoked={isRevoked} />}
          {!token && <p class="hint">Redeem the session to see its token.</p>}
        </div>
      </Step>
      <Step
        title="Use and revoke"
        hint={
          "Every token may ask about itself. An internal user's may call the API, an external " +
          "user's gets a 403, and a revoked one a 401. Admins may revoke, and whoever generated " +
          'the session.'
        }
      >
        <div class="row">
          <Button
            disabled={!token}
            onClick={useAt('/api/v1/embed/session')}
            children="Is the token still good?"
          />
          <Button
            disabled={!token}
            onClick={useAt(listOfSyncs)}
            children="Call the API with the token"
          />
          <Button id="revoke" disabled={!id} onClick={revoke} children="Revoke the session" />
        </div>
        <div id="use-exchange" children={<ExchangeView of={used} />} />
        <div id="revoke-exchange" children={<ExchangeView of={revoked} />} />
      </Step>
    </>
  )
}

const Step = ({
  title,
  hint,
  children,
}: {
  title: string
  hint?: string
  children: ComponentChildren
}) => (
  <li>
    <h3>{title}</h3>
    {hint && <p class="hint">{hint}</p>}
    {children}
  </li>
)
