import { type DbtSync, lengthOf, phasesOf, text } from './dbt-sync.ts'
import { Badge, JsonView, Lazy } from './exchange.tsx'
import { Fields } from './fields.tsx'
import type { JsonObject } from './json.ts'
import { Listing } from './listing.tsx'
import { RecordTable } from './record-table.tsx'
import type { TabProps } from './tab.tsx'
import { Axis, Legend, phaseOrder, type Scale, scaleFor, Timeline } from './timeline.tsx'
import { duration, Moment } from './words.tsx'

const optionsOf = (...values: string[]) => [['', 'Any'] as const, ...values.map((value) => [value, value] as const)]
const filters = [
  { name: 'status', label: 'Status', as: optionsOf('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN') },
  { name: 'trigger', label: 'Trigger', as: optionsOf('manual', 'api', 'webhook', 'agent', 'unknown') },
]

export function SyncsTab(props: TabProps) {
  const { form, directory } = props
  const { status = '', trigger = '' } = form.values
  const nameOf = (id: unknown) => directory.account?.users.find((user) => user.id === id)?.firstName
  return (
    <Listing
      {...props}
      id="syncs"
      title="dbt syncs"
      lead="The newest start comes first. All bars have the same scale."
      noun="sync"
      empty="No dbt sync of this deployment matches the filters."
      path="dbt-sync"
      query={{ status, trigger }}
      view={(items) => <Syncs of={items as readonly DbtSync[]} nameOf={nameOf} />}
      filters={<Fields form={form} of={filters} />}
    />
  )
}

type NameOf = (userId: unknown) => string | undefined

function Syncs({ of, nameOf }: { of: readonly DbtSync[]; nameOf: NameOf }) {
  const scale = scaleFor(of)
  const order = phaseOrder(of)
  return (
    <div class="syncs">
      <Legend order={order} />
      <Axis scale={scale} />
      <ol class="plain">
        {of.map((sync) => (
          <Sync sync={sync} scale={scale} order={order} nameOf={nameOf} key={sync.syncJobId} />
        ))}
      </ol>
    </div>
  )
}

const looks: Record<string, 'good' | 'bad' | 'busy'> = { COMPLETED: 'good', FAILED: 'bad', RUNNING: 'busy' }

function Sync({
  sync,
  scale,
  order,
  nameOf,
}: {
  sync: DbtSync
  scale: Scale
  order: readonly string[]
  nameOf: NameOf
}) {
  const length = lengthOf(sync)
  const who = nameOf(sync.userId)
  return (
    <li class="sync">
      <div class="sync-facts">
        <Badge look={looks[sync.status] ?? 'idle'}>{sync.status}</Badge> <b>{sync.branchName}</b>
        <br />
        <span class="hint">
          <Moment iso={sync.startedAt} />, {sync.trigger}
          {who && ` by ${who}`}, {sync.source}
        </span>
      </div>
      <Timeline sync={sync} scale={scale} order={order} />
      <span class="sync-length">{lengthText(sync, length)}</span>
      {sync.errorMessage !== undefined && (
        <p class="sync-error">
          <b>{text(sync.failedPhase)}</b>: {text(sync.errorMessage)}
        </p>
      )}
      <Lazy summary="Phases and details">{() => <Details sync={sync} />}</Lazy>
    </li>
  )
}

function lengthText(sync: DbtSync, length: number | undefined): string {
  if (length === undefined) return 'no times'
  return sync.status === 'RUNNING' ? `${duration(length)} so far` : duration(length)
}

function Details({ sync }: { sync: DbtSync }) {
  const { phases: _, ...others } = sync
  const phases = phasesOf(sync) as unknown as JsonObject[]
  return (
    <div>
      {phases.length > 0 && (
        <RecordTable
          caption="Phases"
          items={phases}
          columns={{
            Phase: ({ phase }) => String(phase),
            Outcome: ({ outcome }) => String(outcome),
            'Began after': ({ startedOffsetMs }) => duration(Number(startedOffsetMs)),
            Took: ({ durationMs }) => duration(Number(durationMs)),
          }}
        />
      )}
      <JsonView value={others} />
    </div>
  )
}
