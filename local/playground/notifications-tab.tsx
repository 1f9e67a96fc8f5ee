import type { ComponentChildren } from 'preact'
import type { Schemas } from './api.ts'
import type { TabProps } from './app.tsx'
import { Badge } from './exchange.tsx'
import { Fields } from './fields.tsx'
import { Listing, RecordTable } from './listing.tsx'

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
const names = Object.values(groups).flatMap((fields) => fields.map(({ name }) => name))

export function NotificationsTab(props: TabProps) {
  const { values } = props.form
  const titleOf = (dashboardId?: number) =>
    props.directory.things.dashboards.find(({ id }) => id === dashboardId)?.title ?? ''
  return (
    <Listing<Notification>
      {...props}
      noun="notification"
      empty="No notification of this deployment matches the filters. An unknown dashboard or recipient gives an empty list too."
      path="notifications"
      query={Object.fromEntries(names.map((name) => [name, values[name] ?? '']))}
      filters={Object.entries(groups).map(([legend, fields]) => (
        <fieldset class="group" key={legend}>
          <legend>{legend}</legend>
          <Fields form={props.form} of={fields} />
        </fieldset>
      ))}
      view={(items) => (
        <RecordTable
          caption="Scheduled notifications"
          items={items}
          columns={{
            Id: ({ id }) => id,
            Schedule: ({ humanReadableSchedule, cronExpression, timezone }) =>
              stacked(<b>{humanReadableSchedule}</b>, `${cronExpression}, ${timezone}`),
            Dashboard: ({ dashboardId }) => stacked(titleOf(dashboardId), `${dashboardId}`),
            Format: ({ notificationFormat }) => notificationFormat,
            State: ({ isEnabled, notificationEnabled }) =>
              isEnabled && notificationEnabled ? (
                <Badge look="good">on</Badge>
              ) : (
                <Badge look="idle">{isEnabled ? 'notification off' : 'schedule off'}</Badge>
              ),
            Shows: (item) => <Content of={item} />,
          }}
        />
      )}
    />
  )
}

const stacked = (first: ComponentChildren, second: string) => (
  <>
    {first}
    <div class="hint">{second}</div>
  </>
)

/** Filters, switched members, grains and whether there is a summary, each in a line. */
function Content({ of }: { of: Notification }) {
  const { filters = [], memberSwitchers = [], timeGrains = [] } = of
  const lines = [
    ...filters.map(({ member, operator, value }) => `${member} ${operator} ${value}`),
    ...memberSwitchers.map(({ member, selected }) => `${selected} for ${member}`),
    ...timeGrains.map(({ member, grain }) => `${member} by ${grain}`),
  ]
  return (
    <ul class="plain">
      {lines.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
      {of.notificationAiSummary && <li key="">with an AI summary</li>}
    </ul>
  )
}
