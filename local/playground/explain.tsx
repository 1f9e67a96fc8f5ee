import { useEffect } from 'preact/hooks'
import { ask, type Schemas } from './api.ts'
import { Badge, Outcome } from './exchange.tsx'
import { Field } from './fields.tsx'
import type { Form } from './form.ts'
import { useLatest } from './hooks.ts'
import type { Page } from './page.ts'
import { item } from './words.tsx'

/**
 * Why an embed tenant sees a workbook or not, with the facts as `npx embed-access catalog explain`
 * prints them.
 */
type Explained = Schemas['AccessExplanation'] & { readonly facts: readonly string[] }
type Told = { readonly verdict: string; readonly explained?: Explained }

/** The local service explains it to this page alone, whatever the key. */
export function Explain({ page, form }: { page: Page; form: Form }) {
  const { deployment, directory, settled } = page
  const { tenant = '', why = '' } = form.values
  const [told, tell] = useLatest<Told | undefined>()
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
  const begin = () => tell(explain().catch(({ message }: Error) => ({ verdict: message })))
  // A link may bring the question with it.
  useEffect(() => {
    if (why && tenant && deployment) begin()
    else tell(undefined)
  }, [settled])
  return (
    <div class="explain">
      <h3>Why does this tenant see a workbook, or not?</h3>
      <form class="row" method="dialog" onSubmit={begin}>
        <Field form={form} name="why" label="Workbook" list="workbook-ids" hint={hint} />
        <button type="submit" children="Explain" />
      </form>
      {told && <Explanation {...told} key={told} />}
    </div>
  )
}

const shareWords = {
  shared: '✓ shared',
  noLongerShared: '– no longer shared',
  notShared: '– not shared',
}

function Explanation({ verdict, explained }: Told) {
  if (!explained) return <Outcome>{verdict}</Outcome>
  const { isSeen, path, facts } = explained
  return (
    <div class="explanation">
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
                  {`${shareWords[state]} with ${'name' in grantee ? grantee.name : 'all embed users'}`}
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
