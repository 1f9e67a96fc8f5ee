import { type AttributeDefinition, maxEmbedTenantBytes, type StoredDefinitions } from '../embed-tenants/embed-tenant.ts'
import type { Addition } from '../embed-tenants/narrow-update.ts'
import type { InputError } from '../refusal.ts'
import type { GenerateSession } from './request.ts'

/** The most that an embed tenant, or an account, may have of each (docs/specification.md#generate-an-embed-session). */
const maxGroups = 1000
const maxAttributes = 200

/** The largest part of a token that defaults may take, so that there is room for a session's own context. */
const partForDefaults = 1 / 4

/**
 * What is too many or too large once the request is done. Only growth is refused, so that what has reached a limit can
 * still be used and changed.
 * @param item the tenant's item as it would be
 */
export function problemsOfSize(
  request: GenerateSession,
  before: StoredDefinitions,
  after: StoredDefinitions,
  item: object,
  maxTokenBytes: number,
): InputError[] {
  const maxDefaults = Math.floor(maxTokenBytes * partForDefaults)
  const limits: readonly [keyof GenerateSession, number, number, number, string][] = [
    ['tenantGroupDefinitions', before.groups.length, after.groups.length, maxGroups, 'groups'],
    ['userAttributeDefinitions', before.attributes.length, after.attributes.length, maxAttributes, 'attributes'],
    [
      'userAttributeDefinitions',
      tokenBytesOfDefaults(before.attributes),
      tokenBytesOfDefaults(after.attributes),
      maxDefaults,
      'bytes of defaults in every token',
    ],
  ]
  const problems = limits
    .filter(([, least, most, limit]) => most > limit && most > least)
    .map(([field, , most, limit, what]) => ({
      pointer: `/${field}`,
      message: `must not make it ${most} ${what}; at most ${limit} are possible`,
    }))
  if (problems.length > 0) return problems
  const growth = bytesOf(after) - bytesOf(before)
  const bytes = bytesOf(item)
  if (bytes <= maxEmbedTenantBytes || growth <= 0) return []
  const fields = (['tenantGroupDefinitions', 'userAttributeDefinitions'] as const).filter((field) => request[field])
  return fields.map((field) => ({
    pointer: `/${field}`,
    message: `must not make all definitions take ${bytes} bytes; at most ${maxEmbedTenantBytes} are possible`,
  }))
}

/**
 * What is too much for the budget of groups that sessions define. Only growth is refused.
 * @param before the bytes that these groups take so far
 */
export function problemsOfBudget(before: number, { by, limit }: Addition): InputError[] {
  if (by <= 0 || before + by <= limit) return []
  const message = `must not make it ${before + by} bytes of groups that sessions define; at most ${limit} are possible`
  return [{ pointer: '/tenantGroupDefinitions', message }]
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))

/** What the defaults take in a token of a session that leaves all attributes out: their JSON, in base64url. */
export function tokenBytesOfDefaults(definitions: readonly AttributeDefinition[]): number {
  const defaults = definitions.flatMap(({ name, defaultValue: value }) =>
    value === undefined ? [] : [{ name, value }],
  )
  return Math.ceil((bytesOf(defaults) * 4) / 3)
}
