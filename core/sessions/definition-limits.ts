import {
  type AttributeDefinition,
  definitionsIn,
  maxEmbedTenantBytes,
} from '../embed-tenants/embed-tenant.ts'
import type { ItemAttributes } from '../embed-tenants/narrow-update.ts'
import {
  maxSessionGroupBytes,
  measuredGroupsIn,
  sessionGroupBytesIn,
} from '../embed-tenants/session-groups.ts'
import type { InputError } from '../refusal.ts'
import { defaultsOf } from './context.ts'
import type { GenerateSession } from './request.ts'

/**
 * The most that an embed tenant, or an account, may have of each
 * (docs/specification.md#generate-an-embed-session).
 */
const maxGroups = 1000
const maxAttributes = 200

/**
 * What is too many or too large once the request has turned the item `before` into `after`. Only
 * growth is refused, so that what has reached a limit can still be used and changed. What others
 * have filled is no limit for an admin.
 */
export function problemsOfGrowth(
  request: GenerateSession,
  before: ItemAttributes,
  after: ItemAttributes,
  maxTokenBytes: number,
  admin: boolean,
): InputError[] {
  const [groups, attributes] = ['tenantGroupDefinitions', 'userAttributeDefinitions'] as const
  const groupsIn = (item: ItemAttributes) =>
    definitionsIn(item).groups.length - (admin ? measuredGroupsIn(item) : 0)
  // The rest of a token is for the session's own context.
  const maxDefaults = Math.floor(maxTokenBytes / 4)
  const limits: readonly [
    keyof GenerateSession,
    string,
    (item: ItemAttributes) => number,
    number,
  ][] = [
    [groups, 'the number of groups', groupsIn, maxGroups],
    [
      attributes,
      'the number of attributes',
      (item) => definitionsIn(item).attributes.length,
      maxAttributes,
    ],
    [attributes, 'the bytes of defaults in every token', defaultBytesIn, maxDefaults],
    [groups, 'the bytes of groups that sessions define', sessionGroupBytesIn, maxSessionGroupBytes],
    [groups, 'the bytes of all definitions', bytesOf, maxEmbedTenantBytes],
    [attributes, 'the bytes of all definitions', bytesOf, maxEmbedTenantBytes],
  ]
  return limits.flatMap(([field, what, amountIn, limit]) => {
    if (request[field] === undefined) return []
    const amount = amountIn(after)
    if (amount <= limit || amount <= amountIn(before)) return []
    return [
      { pointer: `/${field}`, message: `would bring ${what} to ${amount}; the limit is ${limit}` },
    ]
  })
}

const defaultBytesIn = (item: ItemAttributes): number =>
  bytesOfDefaults(definitionsIn(item).attributes)

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))

/**
 * What the defaults take in a token of a session that leaves all attributes out: their JSON, in
 * base64url.
 */
export const bytesOfDefaults = (definitions: readonly AttributeDefinition[]): number =>
  Math.ceil((bytesOf(defaultsOf(definitions)) * 4) / 3)
