import type { FieldSpec } from './fields.tsx'

/** A field of a session's body, by its pointer without the first slash. */
type SessionField = FieldSpec & { readonly holds?: 'json' | 'integer' | 'attributes' | 'switch' }

/** Settings that are on, off, or left alone, which is not the same as off. */
const switches = ['allowAi', 'allowChatWorkspaceAuthoring', 'showAiWidgets', 'showDashboardChat']
  .concat('showDashboardSettings', 'showGroupByModel', 'showMemberNames', 'showWorkbookChat', 'showWorkbookShare')
  .map((label): SessionField => {
    const as = Object.entries({ '': 'as it is', true: 'on', false: 'off' })
    return { name: `settings/${label}`, label, as, holds: 'switch', class: 'switch' }
  })

const attributes: SessionField = { name: 'userAttributes', holds: 'attributes' }
const tenantGroupsHint = 'One name per line. Each must exist in the embed tenant, or be defined below.'
const rolesHint = 'One per line. They go into the token, and give nobody a role here.'
const creatorModeHint = 'Tenant groups need creator mode and an embed tenant.'
const contextHint = 'A JSON object, such as {"customerId": 42}.'

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
  groups: [
    { name: 'groups', as: 'lines', label: 'Global groups', hint: 'One name per line. Each must exist in the account.' },
  ],
  creatorMode: [{ name: 'creatorMode', as: 'check', label: 'Creator mode', hint: creatorModeHint }],
  tenantGroups: [{ name: 'tenantGroups', as: 'lines', label: 'Tenant groups', hint: tenantGroupsHint }],
  roles: [{ name: 'roles', as: 'lines', label: 'Roles', hint: rolesHint }],
  context: [{ name: 'securityContext', as: 'area', holds: 'json', label: 'Security context', hint: contextHint }],
  theme: [
    { name: 'embedTheme/primaryColor', as: 'colour', label: 'Primary colour' },
    { name: 'embedTheme/font', label: 'Font' },
    { name: 'embedTheme/chat/inputColor', as: 'colour', label: 'Chat input' },
    { name: 'embedTheme/analyticsChat/backgroundColor', as: 'colour', label: 'Analytics chat' },
    { name: 'embedTheme/analyticsChat/chatInput/backgroundColor', as: 'colour', label: 'Its input' },
    { name: 'embedTheme/analyticsChat/chatInput/borderColor', as: 'colour', label: 'Border of its input' },
  ],
  switches,
  locale: [
    { name: 'settings/locale', id: 'locale', label: 'Locale' },
    { name: 'settings/timezone', id: 'timezone', label: 'Time zone' },
  ],
  others: [
    { name: 'publicDashboardId', label: 'Public dashboard id', list: 'dashboard-public-ids' },
    { name: 'isEphemeral', as: 'check', label: 'Ephemeral' },
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

const all: readonly SessionField[] = Object.values(fields).flat()
export const allFields = [{ name: 'deploymentId', holds: 'integer' } satisfies SessionField, attributes, ...all]
