import { useEffect, useRef, useState } from 'preact/hooks'
import type { Explained, Place } from './directory.ts'
import { type Form, Input } from './fields.tsx'
import { ask, type Directory } from './use-directory.ts'
import { announce } from './words.tsx'

type ExplainProps = {
  readonly form: Form
  readonly directory: Directory
  readonly deployment: string
  readonly isShown: boolean
  readonly settled: number
}

type Told = Explained & { readonly tenant: string; readonly workbook: string }

/** Why an embed tenant sees a workbook or not. The local service says it to this page alone, whatever the key. */
export function Explain({ form, directory, deployment, isShown, settled }: ExplainProps) {
  const { tenant = '', why = '' } = form.values
  const [told, setTold] = useState<Told | string>()
  const latest = useRef(0)
  async function explain(focus: boolean): Promise<void> {
    latest.current += 1
    const run = latest.current
    const made = await ask<Explained>('explain', { deployment, tenant, workbook: why }).then(
      (explained) => ({ ...explained, tenant: tenant.toLowerCase(), workbook: why }),
      (error: Error) => error.message,
    )
    if (run !== latest.current) return
    setTold(made)
    if (focus) announce(typeof made === 'string' ? made : verdict(made))
  }
  // A link may bring the question with it.
  useEffect(() => {
    if (isShown && why && tenant && deployment) explain(false)
    else setTold(undefined)
  }, [isShown, settled])
  const name = directory.things.workbooks.find(({ id }) => String(id) === why.trim())?.name
  return (
    <div class="explain">
      <h3>Why does this tenant see a workbook, or not?</h3>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          explain(true)
        }}
      >
        <Input
          form={form}
          name="why"
          errorsOf="why"
          label="Workbook"
          list="workbook-ids"
          numeric
          hint={name ?? 'Its id. Names are suggested.'}
        />
        <button type="submit">Explain</button>
      </form>
      {typeof told === 'string' && <p class="outcome">{told}</p>}
      {typeof told === 'object' && <Explanation of={told} />}
    </div>
  )
}

const verdict = ({ isSeen, tenant, path, workbook }: Told): string =>
  `${tenant} ${isSeen ? 'sees' : 'does not see'} ${path.at(-1)?.name ?? `workbook ${workbook}`}.`

const Explanation = ({ of }: { of: Told }) => (
  <div class="explanation">
    <p class="outcome">
      <span class={`badge ${of.isSeen ? 'good' : 'bad'}`}>{of.isSeen ? 'Seen' : 'Not seen'}</span> {verdict(of)}
    </p>
    {of.path.length > 0 && (
      <ol class="path" aria-label="From the top folder to the workbook">
        {of.path.map((place) => (
          <PlaceView of={place} key={`${place.type} ${place.id}`} />
        ))}
      </ol>
    )}
    <h4>Step by step</h4>
    <ol class="facts">
      {of.facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ol>
  </div>
)

const PlaceView = ({ of: { type, id, name, shares } }: { of: Place }) => (
  <li class={`place ${type} ${shares.some(({ state }) => state === 'shared') ? 'open' : ''}`}>
    <span>
      <b>{name}</b>{' '}
      <span class="hint">
        {type} {id}
      </span>
    </span>
    <ul class="plain">
      {shares.map(({ grantee, state }) => (
        <li key={grantee}>
          <span class={state === 'shared' ? 'mark' : 'no mark'} aria-hidden="true">
            {state === 'shared' ? '✓' : '·'}
          </span>{' '}
          {state} with {grantee}
        </li>
      ))}
    </ul>
  </li>
)
