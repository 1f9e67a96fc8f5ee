import type { Addition, ItemAttributes } from './narrow-update.ts'

/**
 * The most bytes of the groups that sessions of others than admins have defined in an embed tenant
 * (docs/decisions/03-embed-tenants.md).
 */
export const maxSessionGroupBytes = 32 * 1024

/**
 * The attribute of the tenant's item with the sum of their `bytes`. Whoever replaces or deletes one
 * takes its part away.
 */
const sessionGroupBytes = 'sessionGroupBytes'

export const sessionGroupBytesIn = (item: ItemAttributes | undefined): number =>
  (item?.[sessionGroupBytes] as number | undefined) ?? 0

/** How many groups have a part in the sum. */
export const measuredGroupsIn = (item: ItemAttributes): number =>
  Object.values(item).filter((value) => bytesOf(value) > 0).length

/**
 * A group as such a session writes it: its attribute, and its fields with the bytes that both take
 * as JSON.
 */
export function measuredGroup(attribute: string, group: object): [string, object] {
  const bytes = Buffer.byteLength(JSON.stringify({ [attribute]: { ...group, bytes: 0 } }))
  return [attribute, { ...group, bytes }]
}

/** What setting these attributes of a tenant's item, as it was read, adds to the sum. */
export const additionOfGroups = (
  item: ItemAttributes | undefined,
  set: ItemAttributes,
): Addition => ({
  attribute: sessionGroupBytes,
  by: Object.entries(set).reduce(
    (sum, [name, value]) => sum + bytesOf(value) - bytesOf(item?.[name]),
    0,
  ),
  limit: maxSessionGroupBytes,
})

/** A group has them if such a session wrote it last. */
const bytesOf = (value: unknown): number =>
  (value as { readonly bytes?: number } | undefined)?.bytes ?? 0
