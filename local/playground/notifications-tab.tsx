import type { ComponentChildren } from 'preact'
import type { Schemas } from './api.ts'
import { Badge } from './exchange.tsx'
import { Fields } from './fields.tsx'
import { type Columns, Listing, RecordTable } from './listing.tsx'
import type { Page } from './page.ts'
import { item } from './words.tsx'

type Notification = Schemas['Notification']

const groups = {
  Dashboard: [
    { name: 'dashboardId', label: 'Id', list: 'dashboard-ids' },
    { name: 'dashboardPublicId', label: 'Public id', list: 'dashboard-public-ids' },
  ],
  Recipient: [
    { name: 'recipientUserId', label: 'User id', list: 'user-ids' },
    { name: 'recipientEmail', label: 'E-mail', list: 'internal-ids' },
    { name: 'recipientEmbedTenantName', label: 'Embed tenant', list: 'embed-tenants' },
    { name: 'recipientExternalId', label: 'External id', list: 'external-ids' },
  ],
}
const filters = Object.values(groups).flat()

export function NotificationsTab({ page }: { page: Page }) {
  const form = page.formOf('notifications')
  const { dashboards } = page.directory.things
  const titles = new Map<number | undefined, string>(dashboards.map(({ id, title }) => [id, title]))
  return (
    <Listing<Notification>
      page={page}
      tab="notifications"
      noun="notification"
      empty={
        'No notification of this deployment matches the filters. An unknown dashboard or ' +
        'recipient gives an empty list too.'
      }
      path="notifications"
      query={Object.fromEntries(filters.map(({ name }) => [name, form.values[name] ?? '']))}
      filters={Object.entries(groups).map(([legend, fields]) => (
        <fieldset class="row inset" key={legend}>
          <legend>{legend}</legend>
          <Fields form={form} of={fields} />
        </fieldset>
      ))}
      view={(items) => (
        <RecordTable caption="Scheduled notifications" items={items} columns={columnsFor(titles)} />
      )}
    />
  )
}

const columnsFor = (titles: ReadonlyMap<number | undefined, string>): Columns<Notification> => ({
  Id: ({ id }) => id,
  Schedule: ({ humanReadableSchedule, cronExpression, timezone }) =>
    stacked(<b>{humanReadableSchedule}</b>, [cronExpression, timezone].filter(Boolean).join(', ')),
  Dashboard: ({ dashboardId }) => stacked(titles.get(dashboardId), dashboardId),
  Format: ({ notificationFormat }) => notificationFormat,
  State({ isEnabled, notificationEnabled }) {
    const states = [
      isEnabled === false && 'schedule off',
      notificationEnabled === false && 'notification off',
      isEnabled && notificationEnabled && 'on',
    ]
    const state = states.find(Boolean) || 'unknown'
    return <Badge look={state === 'on' ? 'good' : 'idle'} children={state} />
  },
  Shows: ({ filters = [], memberSwitchers = [], timeGrains = [], notificationAiSummary }) => (
    <ul>
      {[
        ...filters.map(({ member, operator, value }) => [member, operator, value]),
        ...memberSwitchers.map(({ member, selected }) => [selected, member && `for ${member}`]),
        ...timeGrains.map(({ member, grain }) => [member, grain && `by ${grain}`]),
      ]
        .map((parts) => parts.filter(Boolean).join(' '))
        .filter((line) => line !== '')
        .map((line) => item(<code>{line}</code>, line))}
      {notificationAiSummary && item('with an AI summary', '')}
    </ul>
  ),
})

const stacked = (first: ComponentChildren, second: ComponentChildren) => [
  first,
  <div class="hint" key="" children={second} />,
]
