import type { Caller } from './caller.ts'
import { type DbtSync, lengthOf, phasesOf, text } from './dbt-sync.ts'
import { byId, element } from './dom.ts'
import { json, lazyDetails } from './exchange-view.ts'
import type { JsonObject } from './json.ts'
import { createListing, type Listing } from './listing.ts'
import { recordTable } from './record-table.ts'
import { axisView, legendView, phaseOrder, type Scale, scaleFor, timelineView } from './timeline.ts'
import { duration, moment } from './words.ts'

export const dbtSyncsSection = (caller: Caller): Listing =>
  createListing({
    caller,
    section: byId('syncs', HTMLElement),
    noun: 'sync',
    empty: 'No dbt sync of this deployment matches the filters.',
    path: () => `/api/v1/deployments/${encodeURIComponent(caller.deployment())}/dbt-sync`,
    view: (items) => {
      const syncs = items as readonly DbtSync[]
      const scale = scaleFor(syncs)
      const order = phaseOrder(syncs)
      return element(
        'div',
        { class: 'syncs' },
        legendView(order),
        axisView(scale),
        element('ol', { class: 'plain' }, ...syncs.map((sync) => syncView(sync, scale, order))),
      )
    },
  })

const looks: Record<string, string> = { COMPLETED: 'good', FAILED: 'bad', RUNNING: 'busy' }

function syncView(sync: DbtSync, scale: Scale, order: readonly string[]): HTMLElement {
  const length = lengthOf(sync)
  return element(
    'li',
    { class: 'sync' },
    element(
      'div',
      { class: 'sync-facts' },
      element('span', { class: `badge ${looks[sync.status] ?? 'idle'}` }, sync.status),
      ' ',
      element('b', {}, sync.branchName),
      element('br'),
      element('span', { class: 'hint' }, moment(sync.startedAt), `, ${sync.trigger}, ${sync.source}`),
    ),
    timelineView(sync, scale, order),
    element('span', { class: 'sync-length' }, lengthText(sync, length)),
    sync.errorMessage === undefined
      ? undefined
      : element('p', { class: 'sync-error' }, element('b', {}, text(sync.failedPhase)), `: ${text(sync.errorMessage)}`),
    lazyDetails('Phases and details', () => detailsView(sync)),
  )
}

function lengthText(sync: DbtSync, length: number | undefined): string {
  if (length === undefined) return 'no times'
  return sync.status === 'RUNNING' ? `${duration(length)} so far` : duration(length)
}

function detailsView(sync: DbtSync): HTMLElement {
  const { phases: _, ...others } = sync
  return element(
    'div',
    {},
    phasesOf(sync).length === 0
      ? undefined
      : recordTable('Phases', phasesOf(sync) as unknown as JsonObject[], [
          ['Phase', ({ phase }) => String(phase)],
          ['Outcome', ({ outcome }) => String(outcome)],
          ['Began after', ({ startedOffsetMs }) => duration(Number(startedOffsetMs))],
          ['Took', ({ durationMs }) => duration(Number(durationMs))],
        ]),
    json(others),
  )
}
