import { bytesOf, definitionsIn, maxEmbedTenantBytes } from '../embed-tenants/embed-tenant.ts'
import type { ItemAttributes } from '../embed-tenants/narrow-update.ts'
import {
  maxSessionGroupBytes,
  numberOfMeasuredGroups,
  sessionGroupBytesIn,
} from '../embed-tenants/session-groups.ts'
import type { InputError } from '../refusal.ts'
import { defaultsOf } from './context.ts'
import type { GenerateSession } from './request.ts'

/** Limits of an embed tenant or account (docs/specification.md#generate-an-embed-session). */
const maxGroups = 1000
const maxAttributes = 200

/**
 * The limits that a request exceeds by turning the item `before` into `after`. Only growth is
 * refused, so that an item at its limit can still be used and changed. For an admin, groups that
 * other callers have defined do not count.
 */
export function problemsOfGrowth(
  request: GenerateSession,
  before: ItemAttributes,
  after: ItemAttributes,
  maxTokenBytes: number,
  admin: boolean,
): InputError[] {
  const groups = 'tenantGroupDefinitions'
  const attributes = 'userAttributeDefinitions'
  // If an admin changes a group that others defined, this group counts as the admins' from then on.
  // It is not a new group. So the same number is subtracted before and after the change.
  const groupsOfOthers = admin ? numberOfMeasuredGroups(before) : 0
  const groupsIn = (item: ItemAttributes) => definitionsIn(item).groups.length - groupsOfOthers
  // The rest of a token is for the session's own context.
  const maxDefaults = Math.floor(maxTokenBytes / 4)
  const attributesIn = (item: ItemAttributes) => definitionsIn(item).attributes.length
  const defaultBytesIn = (item: ItemAttributes) => bytesOfDefaults(definitionsIn(item))
  const limits = [
    [groups, 'the number of groups', groupsIn, maxGroups],
    [attributes, 'the number of attributes', attributesIn, maxAttributes],
    [attributes, 'the bytes of defaults in every token', defaultBytesIn, maxDefaults],
    [groups, 'the bytes of groups that sessions define', sessionGroupBytesIn, maxSessionGroupBytes],
    [groups, 'the bytes of all definitions', bytesOf, maxEmbedTenantBytes],
    [attributes, 'the bytes of all definitions', bytesOf, maxEmbedTenantBytes],
  ] as const
  return limits.flatMap(([field, quantity, amountIn, limit]) => {
    if (request[field] === undefined) return []
    const amount = amountIn(after)
    if (amount <= limit || amount <= amountIn(before)) return []
    const message = `would bring ${quantity} to ${amount}; the limit is ${limit}`
    return [{ pointer: `/${field}`, message }]
  })
}

/** The bytes of the defaults in the token of a session that leaves out all attributes. */
export const bytesOfDefaults = ({ attributes }: ReturnType<typeof definitionsIn>): number =>
  Math.ceil((bytesOf(defaultsOf(attributes)) * 4) / 3)
