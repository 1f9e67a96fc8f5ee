import { useEffect } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { ask } from './api.ts'
import { Badge } from './exchange.tsx'
import { Field, type Form, useLatest } from './fields.tsx'
import type { Page } from './page.ts'
import { announce } from './words.tsx'

/** What it follows from, as `npm run catalog -- explain` prints it. */
type Explained = Schemas['AccessExplanation'] & { readonly facts: readonly string[] }

/** Why an embed tenant sees a workbook or not. The local service says it to this page alone, whatever the key. */
export function Explain({ page, form }: { page: Page; form: Form }) {
  const { deployment, directory, settled } = page
  const { tenant = '', why = '' } = form.values
  const [told, tell] = useLatest<{ verdict: string; explained?: Explained } | undefined>()
  const workbook = directory.things.workbooks.find(({ id }) => String(id) === why.trim())
  const explain = () =>
    tell(
      ask<Explained>('explain', { deployment, tenant, workbook: why }).then(
        (explained) => {
          const what = explained.path.at(-1)?.name ?? `workbook ${why}`
          return {
            verdict: `${tenant.toLowerCase()} ${explained.isSeen ? 'sees' : 'does not see'} ${what}.`,
            explained,
          }
        },
        ({ message }: Error) => ({ verdict: message }),
      ),
    )
  // A link may bring the question with it.
  useEffect(() => {
    if (why && tenant && deployment) explain()
    else tell(undefined)
  }, [settled])
  useEffect(() => {
    if (told) announce(told.verdict)
  }, [told])
  const { verdict, explained } = told ?? {}
  return (
    <div class="explain">
      <h3>Why does this tenant see a workbook, or not?</h3>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          explain()
        }}
      >
        <Field
          form={form}
          name="why"
          label="Workbook"
          list="workbook-ids"
          hint={workbook?.name ?? 'Its id. Names are suggested.'}
        />
        <button type="submit" children="Explain" />
      </form>
      {verdict !== undefined && (
        <div class="explanation">
          <p class="outcome">
            {explained && (
              <Badge look={explained.isSeen ? 'good' : 'bad'}>{explained.isSeen ? 'Seen' : 'Not seen'}</Badge>
            )}{' '}
            {verdict}
          </p>
          {explained && <Reasons {...explained} />}
        </div>
      )}
    </div>
  )
}

const shareWords = { shared: '✓ shared', noLongerShared: '– no longer shared', notShared: '– not shared' }

const Reasons = ({ path, facts }: Explained) => (
  <>
    <ol class="plain path" aria-label="From the top folder to the workbook">
      {path.map(({ type, id, name, shares }, level) => (
        <li
          class={shares.some(({ state }) => state === 'shared') ? 'open' : ''}
          style={{ '--level': level }}
          key={`${type} ${id}`}
        >
          <b>{name}</b> <span class="hint">{`${type} ${id}`}</span>
          <ul class="plain">
            {shares.map(({ grantee, state }) => (
              <li key={grantee.type} class={state === 'shared' ? 'mark' : 'hint'}>
                {`${shareWords[state]} with ${'name' in grantee ? grantee.name : 'all embed users'}`}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
    <h4>Step by step</h4>
    <ol class="facts">
      {facts.map((fact) => (
        <li key={fact} children={fact} />
      ))}
    </ol>
  </>
)
