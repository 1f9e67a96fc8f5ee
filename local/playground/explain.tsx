import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from './api.ts'
import type { TabProps } from './app.tsx'
import { Badge } from './exchange.tsx'
import { Field } from './fields.tsx'
import { ask } from './use-directory.ts'
import { announce } from './words.tsx'

/** Whether an embed tenant sees a workbook, and from what that follows. */
type Explained = Schemas['AccessExplanation'] & {
  /** As `npm run catalog -- explain` prints them. */
  readonly facts: readonly string[]
}
type Told = Explained & { readonly verdict: string }

/** Why an embed tenant sees a workbook or not. The local service says it to this page alone, whatever the key. */
export function Explain({ form, directory, caller: { deployment }, settled }: TabProps) {
  const { tenant = '', why = '' } = form.values
  const [told, setTold] = useState<Told | Error>()
  const latest = useRef(0)
  const name = directory.things.workbooks.find(({ id }) => String(id) === why.trim())?.name
  async function explain(): Promise<void> {
    latest.current += 1
    const run = latest.current
    const asked = ask<Explained>('explain', { deployment, tenant, workbook: why })
    const made = await asked.catch((error: Error) => error)
    if (run !== latest.current) return
    if (made instanceof Error) return setTold(made)
    const what = made.path.at(-1)?.name ?? `workbook ${why}`
    setTold({ ...made, verdict: `${tenant.toLowerCase()} ${made.isSeen ? 'sees' : 'does not see'} ${what}.` })
  }
  // A link may bring the question with it.
  useEffect(() => {
    if (why && tenant && deployment) explain()
    else setTold(undefined)
  }, [settled])
  useEffect(() => {
    if (told) announce(told instanceof Error ? told.message : told.verdict)
  }, [told])
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
          hint={name ?? 'Its id. Names are suggested.'}
        />
        <button type="submit" children="Explain" />
      </form>
      {told instanceof Error ? <p class="outcome">{told.message}</p> : told && <Explanation {...told} />}
    </div>
  )
}

const shareWords = { shared: '✓ shared', noLongerShared: '– no longer shared', notShared: '– not shared' }

const Explanation = ({ isSeen, verdict, path, facts }: Told) => (
  <div class="explanation">
    <p class="outcome">
      <Badge look={isSeen ? 'good' : 'bad'}>{isSeen ? 'Seen' : 'Not seen'}</Badge> {verdict}
    </p>
    <ol class="plain path" aria-label="From the top folder to the workbook">
      {path.map(({ type, id, name, shares }, level) => {
        const isOpen = shares.some(({ state }) => state === 'shared')
        return (
          <li class={isOpen ? 'open' : ''} style={{ '--level': level }} key={`${type} ${id}`}>
            <b>{name}</b> <span class="hint">{`${type} ${id}`}</span>
            <ul class="plain">
              {shares.map(({ grantee, state }) => (
                <li key={grantee.type} class={state === 'shared' ? 'mark' : 'hint'}>
                  {`${shareWords[state]} with ${'name' in grantee ? grantee.name : 'all embed users'}`}
                </li>
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
    <h4>Step by step</h4>
    <ol class="facts">
      {facts.map((fact) => (
        <li key={fact} children={fact} />
      ))}
    </ol>
  </div>
)
