import type { Schemas, User } from './api.ts'
import { duration } from './duration.ts'
import { Badge, Code } from './exchange.tsx'
import { Fields, Folded } from './fields.tsx'
import type { Options } from './form.ts'
import { Listing } from './listing.tsx'
import type { Page } from './page.ts'
import { dateOf, item, Moment, useNow } from './words.tsx'

type DbtSync = Schemas['DbtSync']
type Phase = ReturnType<typeof phasesOf>[number]

const looks = {
  RUNNING: 'busy',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'idle',
  UNKNOWN: 'idle',
} as const
const anyOf = (values: readonly string[]): Options => [
  ['', 'Any'],
  ...values.map((value) => [value, value] as const),
]
const triggers = ['manual', 'api', 'webhook', 'agent', 'unknown']
const filters = [
  { name: 'status', label: 'Status', as: anyOf(Object.keys(looks)) },
  { name: 'trigger', label: 'Trigger', as: anyOf(triggers) },
]

export function SyncsTab({ page }: { page: Page }) {
  const form = page.formOf('syncs')
  const { status = '', trigger = '' } = form.values
  return (
    <Listing<DbtSync>
      page={page}
      tab="syncs"
      noun="sync"
      empty="No dbt sync of this deployment matches the filters."
      path="dbt-sync"
      query={{ status, trigger }}
      filters={<Fields form={form} of={filters} />}
      view={(syncs) => <Syncs syncs={syncs} users={page.directory.account?.users ?? []} />}
    />
  )
}

function Syncs({ syncs, users }: { syncs: readonly DbtSync[]; users: readonly User[] }) {
  const chart = chartOf(syncs)
  const whoOf = ({ userId }: DbtSync) => users.find(({ id }) => id === userId)?.firstName
  return (
    <div class="syncs">
      <ul class="row hint" aria-label="Phases">
        {chart.order.map((phase, index) => item([swatch(index), ' ', phase], phase))}
        {item([swatch(0, 'stopped'), ' failed or cancelled there'], '')}
      </ul>
      <ol>
        {syncs.map((sync) => (
          <Sync sync={sync} chart={chart} who={whoOf(sync)} key={sync.syncJobId} />
        ))}
      </ol>
    </div>
  )
}

const swatch = (phase: number, look = '') => (
  <span class={`swatch ${look}`} style={{ '--phase': phase }} key="" />
)

/** Anything of a phase may be missing. */
const phasesOf = ({ phases = [] }: DbtSync) =>
  phases.map((known) => ({ phase: 'unknown phase', outcome: 'unknown outcome', ...known }))

/** When the phases of a sync ended, in milliseconds after its start. */
const endsOf = ({ phases = [] }: DbtSync): number[] =>
  phases.flatMap(({ startedOffsetMs: start, durationMs: took }) =>
    start === undefined || took === undefined ? [] : start + took,
  )

type Chart = ReturnType<typeof chartOf>

/** A scale that several syncs share, up to the longest. A phase may end after its sync. */
function chartOf(syncs: readonly DbtSync[]) {
  const ends = syncs.flatMap((sync) => [sync.durationMs ?? 0, ...endsOf(sync)])
  const longest = Math.max(1000, ...ends)
  const longestFirst = syncs.map(phasesOf).sort((a, b) => b.length - a.length)
  return {
    at: (milliseconds: number) => `${(milliseconds / longest) * 100}%`,
    /** Phases in the order in which they first run, each with its colour. */
    order: [...new Set(longestFirst.flat().map(({ phase }) => phase))],
  }
}

type SyncProps = { sync: DbtSync; chart: Chart; who: string | undefined }

function Sync({ sync, chart, who }: SyncProps) {
  const { status, branchName, startedAt, trigger, source, errorMessage, failedPhase } = sync
  const length = sync.durationMs ?? endsOf(sync).at(-1)
  const took = length === undefined ? 'no times' : duration(length)
  return (
    <li class="sync">
      <div class="sync-facts">
        <Badge look={looks[status]}>{status}</Badge> <b>{branchName}</b>
        <p class="hint">
          <Moment iso={startedAt} />, {who ? `${trigger} by ${who}` : trigger}, {source}
        </p>
      </div>
      <Timeline phases={phasesOf(sync)} chart={chart} />
      <span class="hint">
        {status === 'RUNNING' ? <SoFar since={dateOf(startedAt).getTime()} /> : took}
      </span>
      {errorMessage !== undefined && (
        <p class="sync-error">
          {failedPhase !== undefined && [<b class="bad" key="" children={failedPhase} />, ': ']}
          {errorMessage}
        </p>
      )}
      <Folded summary="Phases and details">
        <Code text={JSON.stringify(sync, null, 2)} label="Phases and details" />
      </Folded>
    </li>
  )
}

const SoFar = ({ since }: { since: number }) => <>{duration(useNow() - since)} so far</>

type TimelineProps = { phases: readonly Phase[]; chart: Chart }

function Timeline({ phases, chart: { at, order } }: TimelineProps) {
  const told = phases.map(inWords).join('; ')
  const label = told === '' ? 'No phases recorded' : `Phases: ${told}`
  return (
    <div class="timeline" role="img" aria-label={label}>
      {phases.map((each) => {
        const { phase, outcome, durationMs: took, startedOffsetMs: start } = each
        if (took === undefined || start === undefined) return null
        return (
          <span
            class={`segment ${/^(succeeded|unknown outcome)$/.test(outcome) ? '' : 'stopped'}`}
            title={inWords(each)}
            style={{ left: at(start), width: at(took), '--phase': order.indexOf(phase) }}
            key={`${phase} ${start}`}
          />
        )
      })}
    </div>
  )
}

const inWords = ({ phase, outcome, durationMs }: Phase) =>
  `${phase}: ${outcome}${durationMs === undefined ? '' : `, ${duration(durationMs)}`}`
