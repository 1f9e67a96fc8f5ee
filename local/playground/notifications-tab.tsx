import type { ComponentChildren } from 'preact'
import { Badge } from './exchange.tsx'
import { Fields } from './fields.tsx'
import type { Json, JsonObject } from './json.ts'
import { Listing } from './listing.tsx'
import { RecordTable } from './record-table.tsx'
import type { TabProps } from './tab.tsx'

const dashboard = [
  { name: 'dashboardId', label: 'Id', list: 'dashboard-ids' },
  { name: 'dashboardPublicId', label: 'Public id', list: 'dashboard-public-ids' },
]
const recipient = [
  { name: 'recipientUserId', label: 'User id', list: 'user-ids' },
  { name: 'recipientEmail', label: 'E-mail', list: 'internal-ids' },
  { name: 'recipientEmbedTenantName', label: 'Embed tenant', list: 'embed-tenants' },
  { name: 'recipientExternalId', label: 'External id', list: 'external-ids' },
]

export function NotificationsTab(props: TabProps) {
  const { form, directory } = props
  const titleOf = (id: Json | undefined) => directory.things.dashboards.find((dashboard) => dashboard.id === id)?.title
  return (
    <Listing
      {...props}
      id="notifications"
      title="Scheduled notifications"
      lead="The newest comes first. Filter by one identifier of a dashboard and one of a recipient. Give two of one kind to see a refusal."
      noun="notification"
      empty="No notification of this deployment matches the filters. An unknown dashboard or recipient gives an empty list too."
      path="notifications"
      query={Object.fromEntries([...dashboard, ...recipient].map(({ name }) => [name, form.values[name] ?? '']))}
      view={(items) => <Notifications items={items} titleOf={titleOf} />}
      filters={
        <>
          <fieldset class="group">
            <legend>Dashboard</legend>
            <Fields form={form} of={dashboard} />
          </fieldset>
          <fieldset class="group">
            <legend>Recipient</legend>
            <Fields form={form} of={recipient} />
          </fieldset>
        </>
      }
    />
  )
}

type NotificationsProps = { items: readonly JsonObject[]; titleOf: (id: Json | undefined) => string | undefined }

const Notifications = ({ items, titleOf }: NotificationsProps) => (
  <RecordTable
    caption="Scheduled notifications"
    items={items}
    columns={{
      Id: ({ id }) => String(id),
      Schedule: ({ humanReadableSchedule, cronExpression, timezone }) => (
        <Stacked first={<b>{String(humanReadableSchedule)}</b>} second={`${cronExpression}, ${timezone}`} />
      ),
      Dashboard: ({ dashboardId }) => <Stacked first={titleOf(dashboardId) ?? ''} second={String(dashboardId)} />,
      Format: ({ notificationFormat }) => String(notificationFormat),
      State: (item) => <State of={item} />,
      Shows: (item) => <Content of={item} />,
    }}
  />
)

const Stacked = ({ first, second }: { first: ComponentChildren; second: string }) => (
  <span class="stacked">
    <span>{first}</span>
    <span class="hint">{second}</span>
  </span>
)

function State({ of: { isEnabled, notificationEnabled } }: { of: JsonObject }) {
  const isOn = isEnabled && notificationEnabled
  const off = isEnabled ? 'notification off' : 'schedule off'
  return <Badge look={isOn ? 'good' : 'idle'}>{isOn ? 'on' : off}</Badge>
}

/** Filters, switched members, grains and whether there is a summary, each in a line. */
function Content({ of: { filters, memberSwitchers, timeGrains, notificationAiSummary } }: { of: JsonObject }) {
  const lines = [
    ...list(filters).map(({ member, operator, value }) => `${member} ${operator} ${value}`),
    ...list(memberSwitchers).map(({ member, selected }) => `${selected} for ${member}`),
    ...list(timeGrains).map(({ member, grain }) => `${member} by ${grain}`),
  ]
  return (
    <ul class="plain">
      {lines.map((line) => (
        <li key={line}>
          <code>{line}</code>
        </li>
      ))}
      {notificationAiSummary && <li key="">with an AI summary</li>}
    </ul>
  )
}

const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value : [])
