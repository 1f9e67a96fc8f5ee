import type { Caller } from './caller.ts'
import { byId, element } from './dom.ts'
import type { Json, JsonObject } from './json.ts'
import { createListing, type Listing } from './listing.ts'
import { recordTable } from './record-table.ts'

export function notificationsSection(caller: Caller): Listing {
  const titleOf = (id: Json | undefined) => caller.account()?.dashboards.find((dashboard) => dashboard.id === id)?.title
  return createListing({
    caller,
    section: byId('notifications', HTMLElement),
    noun: 'notification',
    empty:
      'No notification of this deployment matches the filters. An unknown dashboard or recipient gives an empty list too.',
    path: () => `/api/v1/deployments/${encodeURIComponent(caller.deployment())}/notifications`,
    view: (items) =>
      recordTable('Scheduled notifications', items, [
        ['Id', ({ id }) => String(id)],
        [
          'Schedule',
          ({ humanReadableSchedule, cronExpression, timezone }) =>
            stacked(element('b', {}, String(humanReadableSchedule)), `${cronExpression}, ${timezone}`),
        ],
        ['Dashboard', ({ dashboardId }) => stacked(titleOf(dashboardId) ?? '', String(dashboardId))],
        ['Format', ({ notificationFormat }) => String(notificationFormat)],
        ['State', (item) => stateView(item)],
        ['Shows', (item) => contentView(item)],
      ]),
  })
}

const stacked = (first: Node | string, second: string): HTMLElement =>
  element('span', { class: 'stacked' }, element('span', {}, first), element('span', { class: 'hint' }, second))

function stateView({ isEnabled, notificationEnabled }: JsonObject): HTMLElement {
  const on = isEnabled && notificationEnabled
  const off = !isEnabled ? 'schedule off' : 'notification off'
  return element('span', { class: `badge ${on ? 'good' : 'idle'}` }, on ? 'on' : off)
}

/** Filters, switched members, grains and whether there is a summary, each in a line. */
function contentView({ filters, memberSwitchers, timeGrains, notificationAiSummary }: JsonObject): HTMLElement {
  const lines = [
    ...list(filters).map(({ member, operator, value }) => `${member} ${operator} ${value}`),
    ...list(memberSwitchers).map(({ member, selected }) => `${selected} for ${member}`),
    ...list(timeGrains).map(({ member, grain }) => `${member} by ${grain}`),
  ]
  return element(
    'ul',
    { class: 'plain' },
    ...lines.map((line) => element('li', {}, element('code', {}, line))),
    notificationAiSummary ? element('li', {}, 'with an AI summary') : undefined,
  )
}

const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value : [])
