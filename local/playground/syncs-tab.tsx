import type { Schemas } from './api.ts'
import type { TabProps } from './app.tsx'
import { Badge, JsonView, Lazy } from './exchange.tsx'
import { Fields, type Options } from './fields.tsx'
import { Listing, RecordTable } from './listing.tsx'
import { Axis, Legend, lengthOf, phaseOrder, phasesOf, type Scale, scaleFor, Timeline } from './timeline.tsx'
import { duration, Moment } from './words.tsx'

type DbtSync = Schemas['DbtSync']

const optionsOf = (...values: string[]): Options => [['', 'Any'], ...values.map((value) => [value, value] as const)]
const filters = [
  { name: 'status', label: 'Status', as: optionsOf('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN') },
  { name: 'trigger', label: 'Trigger', as: optionsOf('manual', 'api', 'webhook', 'agent', 'unknown') },
]

export function SyncsTab(props: TabProps) {
  const { form, directory } = props
  const { status = '', trigger = '' } = form.values
  const nameOf = (userId?: number) => directory.account?.users.find(({ id }) => id === userId)?.firstName
  return (
    <Listing<DbtSync>
      {...props}
      noun="sync"
      empty="No dbt sync of this deployment matches the filters."
      path="dbt-sync"
      query={{ status, trigger }}
      filters={<Fields form={form} of={filters} />}
      view={(syncs) => {
        const scale = scaleFor(syncs)
        const order = phaseOrder(syncs)
        return (
          <div class="syncs">
            <Legend order={order} />
            <Axis scale={scale} />
            <ol class="plain">
              {syncs.map((sync) => (
                <Sync {...{ sync, scale, order }} who={nameOf(sync.userId)} key={sync.syncJobId} />
              ))}
            </ol>
          </div>
        )
      }}
    />
  )
}

const looks = { COMPLETED: 'good', FAILED: 'bad', RUNNING: 'busy', CANCELLED: 'idle', UNKNOWN: 'idle' } as const

type SyncProps = { sync: DbtSync; scale: Scale; order: readonly string[]; who: string | undefined }

function Sync({ sync, scale, order, who }: SyncProps) {
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
      <Timeline sync={sync} scale={scale} order={order} />
      <span class="sync-length">
        {length === undefined ? 'no times' : `${duration(length)}${status === 'RUNNING' ? ' so far' : ''}`}
      </span>
      {errorMessage !== undefined && (
        <p class="sync-error">
          <b>{failedPhase}</b>: {errorMessage}
        </p>
      )}
      <Lazy summary="Phases and details">{() => <Details of={sync} />}</Lazy>
    </li>
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
