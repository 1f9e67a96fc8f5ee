import { useEffect } from 'preact/hooks'
import { ask, call, type Schemas, send } from './api.ts'
import { Badge, type Exchange, ExchangeView, Outcome } from './exchange.tsx'
import { Button, Field, Folded } from './fields.tsx'
import { type Form, focusSoon } from './form.ts'
import { useLatest } from './hooks.ts'
import type { Page } from './page.ts'
import { inWords, item } from './words.tsx'

/**
 * Why an embed tenant sees a workbook or not, with the facts as `npx embed-access catalog explain`
 * prints them.
 */
type Explained = Schemas['AccessExplanation'] & { readonly facts: readonly string[] }
type Told = { readonly verdict: string; readonly explained?: Explained }
type Seen = Exchange & { readonly of: string }

/** What is asked about the workbook that the form names. A new object asks again. */
export type Question = { readonly word: 'why' | 'who' }

type ExplainProps = {
  readonly page: Page
  readonly form: Form
  readonly question: Question | undefined
  ask(question: Question, tenant?: string): void
}

/** The local service explains it to this page alone, whatever the key. The API says who sees it. */
export function Explain({ page, form, question, ask: put }: ExplainProps) {
  const { authorization, deployment, directory, settled } = page
  const { tenant = '', why = '' } = form.values
  const [told, tell] = useLatest<Told | Seen | undefined>()
  const named = directory.things.workbooks.find(({ id }) => String(id) === why.trim())
  const hint = named?.name ?? 'Its id. Names are suggested.'
  async function explain(): Promise<Told> {
    const explained = await ask<Explained>('explain', { deployment, tenant, workbook: why })
    const what = explained.path.at(-1)?.name ?? `workbook ${why}`
    return {
      verdict: `${tenant.toLowerCase()} ${explained.isSeen ? 'sees' : 'does not see'} ${what}.`,
      explained,
    }
  }
  async function list(): Promise<Seen> {
    const [of, id] = [deployment, why.trim()].map(encodeURIComponent)
    const path = `/api/v1/deployments/${of}/workbooks/${id}/embed-tenants?first=200`
    const request = call(path, authorization)
    return { request, answer: await send(request), of: named?.name ?? `workbook ${why}` }
  }
  const begin = (word: Question['word']) =>
    tell(word === 'who' ? list() : explain().catch(({ message }: Error) => ({ verdict: message })))
  // A link may bring the question with it.
  useEffect(() => {
    if (why && tenant && deployment) begin('why')
    else tell(undefined)
  }, [settled])
  useEffect(() => {
    if (question) begin(question.word).then(() => focusSoon('.explain .outcome'))
  }, [question])
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

type ViewersProps = Seen & Pick<ExplainProps & { put: ExplainProps['ask'] }, 'put'>

/** The embed tenants that see a workbook, each with its reasons, and the way to the whole path. */
function Viewers({ request, answer, of, put }: ViewersProps) {
  const { items = [], pageInfo } = (answer.body ?? {}) as {
    items?: readonly Schemas['EmbedAccess'][]
    pageInfo?: Schemas['PageInfo']
  }
  const nobody = items.length === 0 ? `Nobody sees ${of}.` : `Who sees ${of}:`
  return (
    <div class="viewers">
      <Outcome answer={answer} key={answer}>
        {answer.isOk && (pageInfo?.hasNextPage ? `The first 200 who see ${of}:` : nobody)}
      </Outcome>
      <ul>
        {items.map(({ grantee, reasons }) => {
          const name = 'name' in grantee ? grantee.name : undefined
          return (
            <li class="row" key={name ?? ''}>
              <b>{name ?? 'All embed users'}</b>
              <span>{reasons.map((reason) => inWords(reason, name ?? '')).join('; ')}</span>
              {name && (
                <Button
                  class="quiet"
                  aria-label={`Why ${name}`}
                  onClick={() => put({ word: 'why' }, name)}
                  children="Why"
                />
              )}
            </li>
          )
        })}
      </ul>
      <Folded summary="The request for this, and its answer">
        <ExchangeView of={{ request, answer }} />
      </Folded>
    </div>
  )
}

const shareWords = {
  shared: '✓ shared',
  noLongerShared: '– no longer shared',
  notShared: '– not shared',
}

function Explanation({ verdict, explained }: Told) {
  if (!explained) return <Outcome key={verdict}>{verdict}</Outcome>
  const { isSeen, path, facts } = explained
  return (
    <div class="explanation" key={explained}>
      <Outcome>
        <Badge look={isSeen ? 'good' : 'bad'}>{isSeen ? 'Seen' : 'Not seen'}</Badge> {verdict}
      </Outcome>
      <ol class="path" aria-label="From the top folder to the workbook">
        {path.map(({ type, id, name, shares }, level) => (
          <li
            class={shares.some(({ state }) => state === 'shared') ? 'open' : ''}
            style={{ '--level': level }}
            key={`${type} ${id}`}
          >
            <b>{name}</b> <span class="hint">{`${type} ${id}`}</span>
            <ul>
              {shares.map(({ grantee, state }) => (
                <li key={grantee.type} class={state === 'shared' ? 'good' : 'hint'}>
                  {shareWords[state]} with {'name' in grantee ? grantee.name : 'all embed users'}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <h4>Step by step</h4>
      <ol class="facts" children={facts.map(item)} />
    </div>
  )
}
