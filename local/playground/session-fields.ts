import type { FieldSpec } from './fields.tsx'
import type { Content } from './session-body.ts'

/** A field of a session's body, by its pointer without the first slash. */
type SessionField = FieldSpec & { readonly holds?: Content }

/** Settings that are on, off, or left alone, which is not the same as off. */
const switches = ['allowAi', 'allowChatWorkspaceAuthoring', 'showAiWidgets', 'showDashboardChat']
  .concat('showDashboardSettings', 'showGroupByModel', 'showMemberNames', 'showWorkbookChat', 'showWorkbookShare')
  .map((label): SessionField => {
    const as = Object.entries({ '': 'as it is', true: 'on', false: 'off' })
    return { name: `settings/${label}`, label, as, holds: 'flag', class: 'switch' }
  })

const lines = (name: string, label: string, hint: string) =>
  ({ name, label, hint, as: 'lines', holds: 'lines' }) as const
const check = (name: string, label: string, hint?: string) =>
  ({ name, label, hint, as: 'check', holds: 'flag' }) as const
const colour = (name: string, label: string) => ({ name: `embedTheme/${name}`, label, as: 'colour' }) as const

export const fields = {
  endUser: [
    { name: 'embedTenantName', id: 'embed-tenant', label: 'Embed tenant', list: 'embed-tenants' },
    { name: 'email', label: 'E-mail' },
    { name: 'externalId', label: 'External id', list: 'external-ids' },
    { name: 'internalId', label: 'Internal id', list: 'internal-ids' },
  ],
  profile: [
    { name: 'userProfile/displayName', label: 'Name of the user' },
    { name: 'userProfile/picture', label: 'Picture' },
    { name: 'embedTenantProfile/displayName', label: 'Name of the embed tenant' },
  ],
  groups: [lines('groups', 'Global groups', 'One name per line. Each must exist in the account.')],
  creatorMode: [check('creatorMode', 'Creator mode', 'Tenant groups need creator mode and an embed tenant.')],
  tenantGroups: [
    lines(
      'tenantGroups',
      'Tenant groups',
      'One name per line. Each must exist in the embed tenant, or be defined below.',
    ),
  ],
  roles: [lines('roles', 'Roles', 'One per line. They go into the token, and give nobody a role here.')],
  context: [
    {
      name: 'securityContext',
      as: 'area',
      holds: 'json',
      label: 'Security context',
      hint: 'A JSON object, such as {"customerId": 42}.',
    },
  ],
  theme: [
    colour('primaryColor', 'Primary colour'),
    { name: 'embedTheme/font', label: 'Font' },
    colour('chat/inputColor', 'Chat input'),
    colour('analyticsChat/backgroundColor', 'Analytics chat'),
    colour('analyticsChat/chatInput/backgroundColor', 'Its input'),
    colour('analyticsChat/chatInput/borderColor', 'Border of its input'),
  ],
  switches,
  locale: [
    { name: 'settings/locale', id: 'locale', label: 'Locale' },
    { name: 'settings/timezone', id: 'timezone', label: 'Time zone' },
  ],
  others: [
    { name: 'publicDashboardId', label: 'Public dashboard id', list: 'dashboard-public-ids' },
    check('isEphemeral', 'Ephemeral'),
    { name: 'tokenLifetimeSeconds', holds: 'integer', label: 'Lifetime of the token in seconds' },
  ],
} satisfies Record<string, readonly SessionField[]>

/** Of all other fields of the body. Its errors are those that belong nowhere else. */
export const more: FieldSpec = {
  name: 'more',
  as: 'area',
  errorsOf: '',
  label: 'More fields of the body',
  hint: 'A JSON object. Its fields replace those above: {"tenantGroupDefinitions": [{"name": "buyers"}]}',
}

type Holding = { readonly name: string; readonly holds?: Content }
export const allFields: readonly Holding[] = [
  { name: 'deploymentId', holds: 'integer' },
  { name: 'userAttributes', holds: 'attributes' },
  ...Object.values(fields).flat(),
]
