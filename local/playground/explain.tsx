import { useEffect } from 'preact/hooks'
import { ask, call, pageOf, type Schemas, send } from './api.ts'
import { Badge, Behind, type Exchange, Outcome } from './exchange.tsx'
import { Button, Field } from './fields.tsx'
import { type Form, focusSoon } from './form.ts'
import { type Page, useLatest } from './page.ts'
import { inWords, item } from './words.tsx'

/** Why a tenant sees a workbook or not, as `catalog explain` says it. */
type Explained = Schemas['AccessExplanation'] & { facts: readonly string[] }
type Verdict = { verdict: string; explained?: Explained }
type ViewerList = Exchange & { of: string }

/** What is asked about which workbook; left out: the one of the form. A new object asks again. */
export type Question = {
  word: 'why' | 'who'
  workbook?: number
  tenant?: string | undefined
}

type ExplainProps = {
  page: Page
  form: Form
  question: Question | undefined
  put(question: Question): void
}

/** The local service explains it to this page alone, whatever the key. The API says who sees it. */
export function Explain({ page, form, question, put }: ExplainProps) {
  const { authorization, deployment, directory, settled } = page
  const { tenant = '', why = '' } = form.values
  const [told, tell] = useLatest<Verdict | ViewerList | undefined>()
  const named = directory.things.workbooks.find(({ id }) => String(id) === why.trim())
  async function explain(): Promise<Verdict> {
    const explained = await ask<Explained>('explain', { deployment, tenant, workbook: why })
    const what = explained.path.at(-1)?.name ?? `workbook ${why}`
    const sees = explained.isSeen ? 'sees' : 'does not see'
    return { verdict: `${tenant.toLowerCase()} ${sees} ${what}.`, explained }
  }
  async function list(): Promise<ViewerList> {
    const [of, id] = [deployment, why.trim()].map(encodeURIComponent)
    const path = `/api/v1/deployments/${of}/workbooks/${id}/embed-tenants?first=200`
    const request = call(path, authorization)
    return { request, answer: await send(request), of: named?.name ?? `workbook ${why}` }
  }
  const say = () => explain().catch(({ message }: Error) => ({ verdict: message }))
  const begin = (word: Question['word']) => tell(word === 'who' && why.trim() ? list() : say())
  // A link may bring the question with it.
  useEffect(() => {
    if (why && tenant && deployment) begin('why')
    else tell(undefined)
  }, [settled])
  useEffect(() => {
    if (question) begin(question.word).then(() => focusSoon('.explain .outcome'))
  }, [question])
  const hint = named?.name ?? 'Its id. Names are suggested.'
  return (
    <div class="explain">
      <h3>Who sees a workbook, and why?</h3>
      <form class="row" method="dialog" onSubmit={() => begin('why')}>
        <Field form={form} name="why" label="Workbook" list="workbook-ids" hint={hint} />
        <button type="submit" children="Explain" />
        <Button onClick={() => put({ word: 'who' })} children="Who can see this workbook?" />
      </form>
      {told && ('answer' in told ? <Viewers {...told} put={put} /> : <Explanation {...told} />)}
    </div>
  )
}

function Viewers({ put, of, ...exchange }: ViewerList & Pick<ExplainProps, 'put'>) {
  const { answer } = exchange
  const { items, hasNext } = pageOf<Schemas['EmbedAccess']>(answer)
  const some = hasNext ? `The first 200 who see ${of}:` : `Who sees ${of}:`
  return (
    <div class="viewers">
      <Outcome answer={answer} key={answer}>
        {answer.isOk && (items.length === 0 ? `Nobody sees ${of}.` : some)}
      </Outcome>
      <ul>
        {items.map(({ grantee, reasons }) => {
          const tenant = 'name' in grantee ? grantee.name : undefined
          return (
            <li class="row" key={tenant ?? ''}>
              <b>{tenant ?? 'All embed users'}</b>
              <span>{reasons.map((reason) => inWords(reason, tenant ?? '')).join('; ')}</span>
              {tenant && (
                <Button
                  class="quiet"
                  aria-label={`Why ${tenant}`}
                  onClick={() => put({ word: 'why', tenant })}
                  children="Why"
                />
              )}
            </li>
          )
        })}
      </ul>
      <Behind of={exchange} />
    </div>
  )
}

function Explanation({ verdict, explained }: Verdict) {
  if (!explained) return <Outcome key={verdict}>{verdict}</Outcome>
  const { isSeen, facts } = explained
  return (
    <div class="explanation" key={explained}>
      <Outcome>
        <Badge look={isSeen ? 'good' : 'bad'}>{isSeen ? 'Seen' : 'Not seen'}</Badge> {verdict}
      </Outcome>
      <ol class="facts" children={facts.map(item)} />
    </div>
  )
}
