import type { InputError } from './api.ts'
import { type Content, type FieldSpec, linesIn, type Values } from './form.ts'

type Body = { [name: string]: unknown }
type As = FieldSpec['as']
export const field = (label: string, name: string, as: As = 'text', hint = '') =>
  ({ name, label, as, hint }) satisfies FieldSpec
const listed = (label: string, name: string, list: string) => ({ name, label, list })

/** On, off, or left alone, which is not off. */
const states = Object.entries({ '': 'as it is', true: 'on', false: 'off' })
const switches = [
  'allowAi',
  'allowChatWorkspaceAuthoring',
  'showAiWidgets',
  'showDashboardChat',
  'showDashboardSettings',
  'showGroupByModel',
  'showMemberNames',
  'showWorkbookChat',
  'showWorkbookShare',
]
const attributes = 'One a line, such as region: north. A value may be JSON.'
const more =
  'A JSON object. Its fields replace those above: {"tenantGroupDefinitions": [{"name": "buyers"}]}'

/** The fields of the body by their tab. Each is named by its pointer, without the first slash. */
export const fields: Record<string, readonly FieldSpec[]> = {
  'End user': [
    listed('Embed tenant', 'embedTenantName', 'embed-tenants'),
    listed('External id', 'externalId', 'external-ids'),
    listed('Internal id', 'internalId', 'internal-ids'),
    field('E-mail', 'email'),
    field('Name of the user', 'userProfile/displayName'),
    field('Picture', 'userProfile/picture'),
    field('Name of the embed tenant', 'embedTenantProfile/displayName'),
    {
      ...field('View as this end user: who', 'actor/id', 'text', 'For support, by an admin.'),
      errorsOf: '/actor',
      class: 'first',
    },
    field('View as this end user: why', 'actor/reason', 'text', 'Such as a ticket.'),
  ],
  'Groups and roles': [
    field('Global groups', 'groups', 'lines', 'One a line. Each must exist in the account.'),
    field('Tenant groups', 'tenantGroups', 'lines', 'One a line. They need creator mode.'),
    field('Roles', 'roles', 'lines', 'One a line, for the token. They give no rights here.'),
    field('Creator mode', 'creatorMode', 'true or false', 'It needs an embed tenant.'),
  ],
  Attributes: [
    field('User attributes', 'userAttributes', 'attributes', attributes),
    field('Security context', 'securityContext', 'json', 'As JSON, such as {"customerId": 42}.'),
  ],
  Theme: [
    field('Primary colour', 'embedTheme/primaryColor'),
    field('Font', 'embedTheme/font'),
    field('Chat input', 'embedTheme/chat/inputColor'),
    field('Analytics chat', 'embedTheme/analyticsChat/backgroundColor'),
    field('Its input', 'embedTheme/analyticsChat/chatInput/backgroundColor'),
    field('Border of its input', 'embedTheme/analyticsChat/chatInput/borderColor'),
  ],
  Settings: [
    ...switches.map((name) => field(name, `settings/${name}`, states)),
    field('Locale', 'settings/locale'),
    field('Time zone', 'settings/timezone'),
  ],
  'Any other field': [
    listed('Public dashboard id', 'publicDashboardId', 'dashboard-public-ids'),
    field('Branch of the data model', 'branchName'),
    field('Lifetime of the token in seconds', 'tokenLifetimeSeconds', 'number'),
    field('Ephemeral', 'isEphemeral', 'true or false'),
    // It shows the errors that belong to no other field.
    { ...field('More fields of the body', 'more', 'json', more), errorsOf: '', class: 'wide' },
  ],
}

const all: readonly FieldSpec[] = [
  field('', 'deploymentId', 'number'),
  ...Object.values(fields).flat(),
]

/** The body of a session request as the form has it, and what in the form can't be sent at all. */
export function bodyOf(values: Values) {
  const body: Body = {}
  const errors: InputError[] = []
  for (const { name, as = 'text', errorsOf: pointer = `/${name}` } of all) {
    const text = values[name] ?? ''
    if (text.trim() === '') continue
    try {
      const value = contents[typeof as === 'object' ? 'true or false' : as](text)
      if (name !== 'more') put(body, name.split('/'), value)
      else if (/^\s*{/.test(text)) Object.assign(body, value)
      else throw new Error('must be a JSON object')
    } catch (error) {
      errors.push({ pointer, message: (error as Error).message })
    }
  }
  return { body, errors }
}

/** Makes a field's text a value. Text of a wrong type is sent as it is, so that it is refused. */
const contents: Record<Content, (text: string) => unknown> = {
  text: (text) => text,
  lines: linesIn,
  'true or false': (text) => (/^(true|false)$/.test(text) ? text === 'true' : text),
  number: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
  attributes: (text) => linesIn(text).map(attributeIn),
  json(text) {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new Error(`is not JSON: ${(error as Error).message}`)
    }
  },
}

function put(body: Body, [first = '', ...rest]: readonly string[], value: unknown): Body {
  body[first] = rest.length === 0 ? value : put((body[first] ?? {}) as Body, rest, value)
  return body
}

/** `region: north`, or `region: ["north", "west"]`. What isn't JSON is a text. */
function attributeIn(line: string) {
  const [name = '', ...rest] = line.split(':')
  if (rest.length === 0) throw new Error(`has a line without a colon: ${line}`)
  const value = rest.join(':').trim()
  try {
    return { name: name.trim(), value: JSON.parse(value) }
  } catch {
    return { name: name.trim(), value }
  }
}
