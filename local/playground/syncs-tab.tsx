import type { Schemas } from './api.ts'
import { Badge, JsonView } from './exchange.tsx'
import { Fields, Folded, type Options } from './fields.tsx'
import { Listing, RecordTable } from './listing.tsx'
import type { Page } from './page.ts'
import { duration, Moment } from './words.tsx'

type DbtSync = Schemas['DbtSync']

const optionsOf = (...values: string[]): Options => [['', 'Any'], ...values.map((value) => [value, value] as const)]
const filters = [
  { name: 'status', label: 'Status', as: optionsOf('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN') },
  { name: 'trigger', label: 'Trigger', as: optionsOf('manual', 'api', 'webhook', 'agent', 'unknown') },
]

export function SyncsTab({ page }: { page: Page }) {
  const form = page.formOf('syncs')
  const { status = '', trigger = '' } = form.values
  const nameOf = (userId?: number) => page.directory.account?.users.find(({ id }) => id === userId)?.firstName
  return (
    <Listing<DbtSync>
      page={page}
      tab="syncs"
      noun="sync"
      empty="No dbt sync of this deployment matches the filters."
      path="dbt-sync"
      query={{ status, trigger }}
      filters={<Fields form={form} of={filters} />}
      view={(syncs) => {
        const chart = chartOf(syncs)
        return (
          <div class="syncs">
            <Legend {...chart} />
            {/* Hidden from screen readers: each bar says its times itself. */}
            <div class="axis" aria-hidden="true">
              {chart.ticks.map((tick) => (
                <span style={{ left: chart.at(tick) }} key={tick} children={tick === 0 ? '0' : duration(tick)} />
              ))}
            </div>
            <ol class="plain">
              {syncs.map((sync) => (
                <Sync {...{ sync, chart }} who={nameOf(sync.userId)} key={sync.syncJobId} />
              ))}
            </ol>
          </div>
        )
      }}
    />
  )
}

const phasesOf = ({ phases = [] }: DbtSync) => phases as readonly Required<Schemas['DbtSyncPhase']>[]

/** How long it took, or has run for as far as its phases tell; nothing where neither is known. */
function lengthOf(sync: DbtSync): number | undefined {
  const ends = phasesOf(sync).map(({ startedOffsetMs, durationMs }) => startedOffsetMs + durationMs)
  return sync.durationMs ?? (ends.length > 0 ? Math.max(...ends) : undefined)
}

const steps = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400].map((seconds) => seconds * 1000)

type Chart = ReturnType<typeof chartOf>

/** A time axis that several syncs share, so that their bars compare: from nothing to the longest, with at most six marks. */
function chartOf(syncs: readonly DbtSync[]) {
  const longest = Math.max(1000, ...syncs.map((sync) => lengthOf(sync) ?? 0))
  const step = steps.find((each) => longest / each <= 5) ?? longest
  const count = Math.ceil(longest / step)
  const longestFirst = syncs.map(phasesOf).sort((a, b) => b.length - a.length)
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
    at: (milliseconds: number) => `${(milliseconds / (count * step)) * 100}%`,
    /** Phases in the order in which they first run, each with its colour. */
    order: [...new Set(longestFirst.flat().map(({ phase }) => phase))],
  }
}

const Legend = ({ order }: Chart) => (
  <ul class="legend" aria-label="Phases">
    {order.map((phase, index) => (
      <li key={phase}>
        <span class="swatch" style={{ '--phase': index }} />
        {phase}
      </li>
    ))}
    <li key="">
      <span class="swatch stopped" />
      failed or cancelled there
    </li>
  </ul>
)

const looks = { COMPLETED: 'good', FAILED: 'bad', RUNNING: 'busy', CANCELLED: 'idle', UNKNOWN: 'idle' } as const

function Sync({ sync, chart, who }: { sync: DbtSync; chart: Chart; who: string | undefined }) {
  const { status, branchName, startedAt, trigger, source, errorMessage, failedPhase } = sync
  const length = lengthOf(sync)
  return (
    <li class="sync">
      <div class="sync-facts">
        <Badge look={looks[status]}>{status}</Badge> <b>{branchName}</b>
        <br />
        <span class="hint">
          <Moment iso={startedAt} />, {who ? `${trigger} by ${who}` : trigger}, {source}
        </span>
      </div>
      <Timeline sync={sync} chart={chart} />
      <span class="sync-length">
        {length === undefined ? 'no times' : `${duration(length)}${status === 'RUNNING' ? ' so far' : ''}`}
      </span>
      {errorMessage !== undefined && (
        <p class="sync-error">
          <b>{failedPhase}</b>: {errorMessage}
        </p>
      )}
      <Folded summary="Phases and details">{() => <Details of={sync} />}</Folded>
    </li>
  )
}

/** The phases of a sync as a bar. */
function Timeline({ sync, chart: { ticks, at, order } }: { sync: DbtSync; chart: Chart }) {
  const phases = phasesOf(sync)
  const told = phases.map(({ phase, outcome, durationMs }) => `${phase} ${outcome} after ${duration(durationMs)}`)
  return (
    <div class="timeline" role="img" aria-label={told.length > 0 ? `Phases: ${told.join(', ')}` : 'No phases recorded'}>
      {ticks.map((tick) => (
        <span class="grid-line" style={{ left: at(tick) }} key={tick} />
      ))}
      {phases.map(({ phase, outcome, durationMs, startedOffsetMs }) => (
        <span
          class={`segment ${outcome === 'succeeded' ? '' : 'stopped'}`}
          title={`${phase}: ${outcome}, ${duration(durationMs)}`}
          data-phase={phase}
          data-outcome={outcome}
          style={{ left: at(startedOffsetMs), width: at(durationMs), '--phase': order.indexOf(phase) }}
          key={`${phase} ${startedOffsetMs}`}
        />
      ))}
    </div>
  )
}

const Details = ({ of: { phases: _, ...others }, of }: { of: DbtSync }) => (
  <div>
    {phasesOf(of).length > 0 && (
      <RecordTable
        caption="Phases"
        items={phasesOf(of)}
        columns={{
          Phase: ({ phase }) => phase,
          Outcome: ({ outcome }) => outcome,
          'Began after': ({ startedOffsetMs }) => duration(startedOffsetMs),
          Took: ({ durationMs }) => duration(durationMs),
        }}
      />
    )}
    <JsonView value={others} />
  </div>
)
