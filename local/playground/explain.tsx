import { useEffect, useRef, useState } from 'preact/hooks'
import type { Explained, Place } from './directory.ts'
import { Badge } from './exchange.tsx'
import { Field } from './fields.tsx'
import type { TabProps } from './tab.tsx'
import { ask } from './use-directory.ts'
import { announce } from './words.tsx'

type Told = Explained & { readonly verdict: string }

/** Why an embed tenant sees a workbook or not. The local service says it to this page alone, whatever the key. */
export function Explain({ form, directory, caller: { deployment }, isShown, settled }: TabProps) {
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
    setTold(undefined)
    if (isShown && why && tenant && deployment) explain()
  }, [isShown, settled])
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
      {told instanceof Error ? <p class="outcome">{told.message}</p> : told && <Explanation of={told} />}
    </div>
  )
}

const Explanation = ({ of: { isSeen, verdict, path, facts } }: { of: Told }) => (
  <div class="explanation">
    <p class="outcome">
      <Badge look={isSeen ? 'good' : 'bad'}>{isSeen ? 'Seen' : 'Not seen'}</Badge> {verdict}
    </p>
    <ol class="plain path" aria-label="From the top folder to the workbook">
      {path.map((place, level) => (
        <PlaceView of={place} level={level} key={`${place.type} ${place.id}`} />
      ))}
    </ol>
    <h4>Step by step</h4>
    <ol class="facts">
      {facts.map((fact) => (
        <li key={fact} children={fact} />
      ))}
    </ol>
  </div>
)

const shareWords = { shared: '✓ shared', noLongerShared: '– no longer shared', notShared: '– not shared' }

const PlaceView = ({ of: { type, id, name, shares }, level }: { of: Place; level: number }) => (
  <li class={shares.some(({ state }) => state === 'shared') ? 'open' : ''} style={{ '--level': level }}>
    <b>{name}</b> <span class="hint">{`${type} ${id}`}</span>
    <ul class="plain">
      {shares.map(({ grantee, state }) => (
        <li key={grantee.type} class={state === 'shared' ? 'mark' : 'hint'}>
          {`${shareWords[state]} with ${grantee.name ?? 'all embed users'}`}
        </li>
      ))}
    </ul>
  </li>
)
