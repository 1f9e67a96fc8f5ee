import type * as v from 'valibot'
import { exactly, optional, text } from '../schema.ts'
import type { Item } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import { name, newGroupName } from './names.ts'

/** A user attribute that sessions may set. Its default applies where a session leaves the attribute out. */
export const AttributeDefinition = exactly({
  name,
  defaultValue: optional(text),
  description: optional(text),
  displayName: optional(text),
})

export type AttributeDefinition = Readonly<v.InferOutput<typeof AttributeDefinition>>

export const TenantGroup = exactly({ name: newGroupName, description: optional(text) })

export type TenantGroup = Readonly<v.InferOutput<typeof TenantGroup>>

/**
 * An embed tenant with its groups and attribute definitions. It is one item: a session that names the tenant needs all of
 * it, and its changes come into force together with the session.
 */
export type EmbedTenant = {
  readonly name: string
  readonly displayName?: string | undefined
  readonly groups: readonly TenantGroup[]
  readonly attributes: readonly AttributeDefinition[]
}

/** The most bytes that an embed tenant may have as JSON after an addition: DynamoDB's 400 KB, less room for deletions. */
export const maxEmbedTenantBytes = 320 * 1024

export const embedTenantKey = (accountId: string, name: string) => ({
  pk: key('account', accountId),
  sk: key('embedTenant', name),
})

export const groupKey = (accountId: string, name: string) => ({ pk: key('account', accountId), sk: key('group', name) })

/** Where an account keeps the attribute definitions for sessions without an embed tenant. */
export const accountAttributesKey = (accountId: string) => ({ pk: key('account', accountId), sk: 'attributes' })

/** The embed tenant in an item, unless it was deleted. */
export function embedTenantOf(item: Item | undefined): EmbedTenant | undefined {
  return item && item.deleted !== true ? (item as unknown as EmbedTenant) : undefined
}
