import type { Item } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'

/** A definition of a user attribute; its default fills the attribute where a session leaves it out. */
export type AttributeDefinition = {
  readonly name: string
  readonly defaultValue?: string | undefined
  readonly description?: string | undefined
  readonly displayName?: string | undefined
}

export type TenantGroup = { readonly name: string; readonly description?: string | undefined }

/**
 * An embed tenant with its groups and attribute definitions: one item, since every session that names the tenant needs
 * all of it, and changes to it must come into force together with the session.
 */
export type EmbedTenant = {
  readonly name: string
  readonly displayName?: string | undefined
  readonly groups: readonly TenantGroup[]
  readonly attributes: readonly AttributeDefinition[]
}

/** What an embed tenant may be called (specification, "Limits"). */
export const embedTenantNamePattern = /^[a-z][a-z0-9-]{0,34}[a-z0-9]$/

export const embedTenantNameRule =
  'must be 2 to 36 lower-case letters, digits or hyphens, begin with a letter and end with a letter or digit'

/** What an embed tenant's item may take as JSON when something is added: DynamoDB's 400 KB, with room for what ends. */
export const maxEmbedTenantBytes = 320 * 1024

export const embedTenantKey = (accountId: string, name: string) => ({
  pk: key('account', accountId),
  sk: key('embedTenant', name),
})

export const groupKey = (accountId: string, name: string) => ({ pk: key('account', accountId), sk: key('group', name) })

/** Attribute definitions of an account, for sessions without an embed tenant. */
export const accountAttributesKey = (accountId: string) => ({ pk: key('account', accountId), sk: 'attributes' })

export function embedTenantOf(item: Item | undefined): EmbedTenant | undefined {
  return item && item.deleted !== true ? (item as unknown as EmbedTenant) : undefined
}
