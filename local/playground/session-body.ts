import type { InputError } from './api.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import type { Values } from './link.ts'

export const switches = [
  'allowAi',
  'allowChatWorkspaceAuthoring',
  'showAiWidgets',
  'showDashboardChat',
  'showDashboardSettings',
  'showGroupByModel',
  'showMemberNames',
  'showWorkbookChat',
  'showWorkbookShare',
].map((name) => `settings/${name}`)

const kinds: Readonly<Record<string, (text: string) => Json | undefined>> = {
  text: (text) => text,
  // What is no number stays text: the service has to refuse it.
  integer: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  flag: (text) => text === 'true',
  lines: (text) => {
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.length === 0 ? undefined : lines
  },
  json: parsed,
  attributes: (text) => {
    const rows = attributesIn(text).map(({ name, kind, value }) => ({ name, value: typed(value, kind) }))
    return rows.length === 0 ? undefined : rows
  },
}

/** The fields of the form, each by its pointer without the first slash, and what they hold. */
const fields: Readonly<Record<string, keyof typeof kinds>> = {
  deploymentId: 'integer',
  embedTenantName: 'text',
  'embedTenantProfile/displayName': 'text',
  email: 'text',
  externalId: 'text',
  internalId: 'text',
  'userProfile/displayName': 'text',
  'userProfile/picture': 'text',
  groups: 'lines',
  creatorMode: 'flag',
  tenantGroups: 'lines',
  roles: 'lines',
  userAttributes: 'attributes',
  securityContext: 'json',
  publicDashboardId: 'text',
  isEphemeral: 'flag',
  'embedTheme/primaryColor': 'text',
  'embedTheme/font': 'text',
  'embedTheme/chat/inputColor': 'text',
  'embedTheme/analyticsChat/backgroundColor': 'text',
  'embedTheme/analyticsChat/chatInput/backgroundColor': 'text',
  'embedTheme/analyticsChat/chatInput/borderColor': 'text',
  ...Object.fromEntries(switches.map((name) => [name, 'flag'])),
  'settings/locale': 'text',
  'settings/timezone': 'text',
}

/** The pointers at which the form can show an error. The empty one is that of all other fields. */
export const pointersOf = (values: Values): string[] => [
  ...Object.keys(fields).map((name) => `/${name}`),
  ...attributesIn(values.userAttributes).flatMap((_, index) =>
    ['name', 'value'].map((part) => `/userAttributes/${index}/${part}`),
  ),
  '',
]

/** The body of a session request as the form has it, and what in the form can't be sent at all. */
export function bodyOf(values: Values): { body: JsonObject; errors: readonly InputError[] } {
  const body: JsonObject = {}
  const errors: InputError[] = []
  const tryAt = (pointer: string, read: () => void) => {
    try {
      read()
    } catch (error) {
      errors.push({ pointer, message: (error as Error).message })
    }
  }
  for (const [name, kind] of Object.entries(fields)) {
    const text = values[name] ?? ''
    if (text.trim() !== '') tryAt(`/${name}`, () => put(body, name.split('/'), kinds[kind]?.(text)))
  }
  tryAt('', () => {
    const more = values.more?.trim() ? parsed(values.more) : {}
    if (!isObject(more)) throw new Error('must be a JSON object')
    Object.assign(body, more)
  })
  return { body, errors }
}

function put(body: JsonObject, [first = '', ...rest]: readonly string[], value: Json | undefined): void {
  if (value === undefined) return
  if (rest.length === 0) {
    body[first] = value
    return
  }
  const inner = (body[first] ?? {}) as JsonObject
  body[first] = inner
  put(inner, rest, value)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`)
  }
}

export type AttributeKind = 'text' | 'number' | 'flag' | 'texts' | 'numbers'
export type Attribute = { readonly name: string; readonly kind: AttributeKind; readonly value: string }

/** The rows of attributes, which a link carries as JSON. */
export function attributesIn(text = '[]'): Attribute[] {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows.map(([name, kind, value]) => ({ name, kind, value })) : []
  } catch {
    return []
  }
}

export const attributesAsText = (rows: readonly Attribute[]): string =>
  rows.length === 0 ? '' : JSON.stringify(rows.map(({ name, kind, value }) => [name, kind, value]))

/** What isn't of the chosen type is sent as the text it is, for the service to refuse. */
function typed(text: string, kind: AttributeKind): Json {
  const items = () => (text === '' ? [] : text.split(',').map((item) => item.trim()))
  switch (kind) {
    case 'number':
      return number(text)
    case 'flag':
      return text === 'true' || (text === 'false' ? false : text)
    case 'texts':
      return items()
    case 'numbers':
      return items().map(number)
    default:
      return text
  }
}

const number = (text: string): Json => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
