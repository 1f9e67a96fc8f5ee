import type { FieldSpec } from './fields.tsx'

/** The fields of a session's body, each by its pointer without the first slash. */
type SessionField = FieldSpec & { readonly holds?: 'json' | 'integer' | 'attributes' | 'switch' }

export const endUser: readonly SessionField[] = [
  { name: 'embedTenantName', id: 'embed-tenant', label: 'Embed tenant', list: 'embed-tenants' },
  { name: 'email', label: 'E-mail' },
  { name: 'externalId', label: 'External id', list: 'external-ids' },
  { name: 'internalId', label: 'Internal id', list: 'internal-ids' },
]

export const profile: readonly SessionField[] = [
  { name: 'userProfile/displayName', label: 'Name of the user' },
  { name: 'userProfile/picture', label: 'Picture' },
  { name: 'embedTenantProfile/displayName', label: 'Name of the embed tenant' },
]

export const groups: SessionField = {
  name: 'groups',
  as: 'lines',
  label: 'Global groups',
  hint: 'One name per line. Each must exist in the account.',
}

export const creatorMode: SessionField = {
  name: 'creatorMode',
  as: 'check',
  label: 'Creator mode',
  hint: 'Tenant groups need creator mode and an embed tenant.',
}

export const tenantGroups: SessionField = {
  name: 'tenantGroups',
  as: 'lines',
  label: 'Tenant groups',
  hint: 'One name per line. Each must exist in the embed tenant, or be defined below.',
}

export const roles: SessionField = {
  name: 'roles',
  as: 'lines',
  label: 'Roles',
  hint: 'One per line. They go into the token, and give nobody a role here.',
}

export const securityContext: SessionField = {
  name: 'securityContext',
  as: 'area',
  holds: 'json',
  label: 'Security context',
  hint: 'A JSON object, such as {"customerId": 42}.',
}

export const theme: readonly SessionField[] = [
  { name: 'embedTheme/primaryColor', as: 'colour', label: 'Primary colour' },
  { name: 'embedTheme/font', label: 'Font' },
  { name: 'embedTheme/chat/inputColor', as: 'colour', label: 'Chat input' },
  { name: 'embedTheme/analyticsChat/backgroundColor', as: 'colour', label: 'Analytics chat' },
  { name: 'embedTheme/analyticsChat/chatInput/backgroundColor', as: 'colour', label: 'Its input' },
  { name: 'embedTheme/analyticsChat/chatInput/borderColor', as: 'colour', label: 'Border of its input' },
]

/** A setting is on, off, or left alone, which is not the same as off. */
export const switches: readonly SessionField[] = [
  'allowAi',
  'allowChatWorkspaceAuthoring',
  'showAiWidgets',
  'showDashboardChat',
  'showDashboardSettings',
  'showGroupByModel',
  'showMemberNames',
  'showWorkbookChat',
  'showWorkbookShare',
].map((label) => {
  const states = [
    ['', 'as it is'],
    ['true', 'on'],
    ['false', 'off'],
  ] as const
  return { name: `settings/${label}`, label, as: states, holds: 'switch', class: 'switch' }
})

export const locale: readonly SessionField[] = [
  { name: 'settings/locale', id: 'locale', label: 'Locale' },
  { name: 'settings/timezone', id: 'timezone', label: 'Time zone' },
]

export const others: readonly SessionField[] = [
  { name: 'publicDashboardId', label: 'Public dashboard id', list: 'dashboard-public-ids' },
  { name: 'isEphemeral', as: 'check', label: 'Ephemeral' },
]

export const more: FieldSpec = {
  name: 'more',
  as: 'area',
  errorsOf: '',
  label: 'More fields of the body',
  hint: 'A JSON object. Its fields replace those above: {"tenantGroupDefinitions": [{"name": "buyers"}]}',
}

export const allFields: readonly SessionField[] = [
  { name: 'deploymentId', holds: 'integer' },
  ...endUser,
  ...profile,
  ...[
    groups,
    creatorMode,
    tenantGroups,
    roles,
    { name: 'userAttributes', holds: 'attributes' } as const,
    securityContext,
  ],
  ...theme,
  ...switches,
  ...locale,
  ...others,
]
