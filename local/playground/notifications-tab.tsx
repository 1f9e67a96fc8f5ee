import type { ComponentChildren } from 'preact'
import { Input } from './fields.tsx'
import type { Json, JsonObject } from './json.ts'
import { Listing } from './listing.tsx'
import { RecordTable } from './record-table.tsx'
import type { TabProps } from './tab.ts'

const parameters = [
  'dashboardId',
  'dashboardPublicId',
  'recipientUserId',
  'recipientEmail',
  'recipientEmbedTenantName',
  'recipientExternalId',
]

export function NotificationsTab(props: TabProps) {
  const { form, caller, directory } = props
  const titleOf = (id: Json | undefined) => directory.things.dashboards.find((dashboard) => dashboard.id === id)?.title
  return (
    <Listing
      {...props}
      id="notifications"
      title="Scheduled notifications"
      lead="The newest comes first. Filter by one identifier of a dashboard and one of a recipient. Give two of one kind to see a refusal."
      noun="notification"
      empty="No notification of this deployment matches the filters. An unknown dashboard or recipient gives an empty list too."
      path={`/api/v1/deployments/${encodeURIComponent(caller.deployment)}/notifications`}
      query={Object.fromEntries(parameters.map((name) => [name, form.values[name] ?? '']))}
      view={(items) => <Notifications items={items} titleOf={titleOf} />}
      filters={
        <>
          <fieldset>
            <legend>Dashboard</legend>
            <Input form={form} name="dashboardId" label="Id" list="dashboard-ids" numeric />
            <Input form={form} name="dashboardPublicId" label="Public id" list="dashboard-public-ids" />
          </fieldset>
          <fieldset>
            <legend>Recipient</legend>
            <Input form={form} name="recipientUserId" label="User id" list="user-ids" numeric />
            <Input form={form} name="recipientEmail" label="E-mail" list="internal-ids" />
            <Input form={form} name="recipientEmbedTenantName" label="Embed tenant" list="embed-tenants" />
            <Input form={form} name="recipientExternalId" label="External id" list="external-ids" />
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
    columns={[
      ['Id', ({ id }) => String(id)],
      [
        'Schedule',
        ({ humanReadableSchedule, cronExpression, timezone }) => (
          <Stacked first={<b>{String(humanReadableSchedule)}</b>} second={`${cronExpression}, ${timezone}`} />
        ),
      ],
      ['Dashboard', ({ dashboardId }) => <Stacked first={titleOf(dashboardId) ?? ''} second={String(dashboardId)} />],
      ['Format', ({ notificationFormat }) => String(notificationFormat)],
      ['State', (item) => <State of={item} />],
      ['Shows', (item) => <Content of={item} />],
    ]}
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
  return (
    <span class={`badge ${isOn ? 'good' : 'idle'}`}>
      {isOn ? 'on' : isEnabled ? 'notification off' : 'schedule off'}
    </span>
  )
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
