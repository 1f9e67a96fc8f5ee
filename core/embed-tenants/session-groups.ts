import { bytesOf, definitionIn } from './embed-tenant.ts'
import type { Addition, ItemAttributes } from './narrow-update.ts'

/**
 * The most bytes of the groups that sessions of others than admins have defined in an embed tenant
 * (docs/decisions/03-embed-tenants.md).
 */
export const maxSessionGroupBytes = 32 * 1024

/**
 * The attribute of the tenant's item with the sum of the `bytes` of these groups. A write that
 * replaces or deletes one of them subtracts its bytes.
 */
const sessionGroupBytes = 'sessionGroupBytes'

export const sessionGroupBytesIn = (item: ItemAttributes | undefined): number =>
  Number(item?.[sessionGroupBytes] ?? 0)

export const numberOfMeasuredGroups = (item: ItemAttributes): number =>
  Object.keys(item).filter((attribute) => bytesIn(item, attribute) > 0).length

/** A group that counts: its attribute, and its fields with the bytes of both. */
export function measuredGroup(attribute: string, group: object): [string, object] {
  const bytes = bytesOf({ [attribute]: { ...group, bytes: 0 } })
  return [attribute, { ...group, bytes }]
}

/**
 * How much the sum grows if the attributes of `set` are written.
 * @param item the tenant's item, as it was read
 */
export const additionOfGroups = (
  item: ItemAttributes | undefined,
  set: ItemAttributes,
): Addition => ({
  attribute: sessionGroupBytes,
  by: Object.keys(set).reduce(
    (sum, attribute) => sum + bytesIn(set, attribute) - bytesIn(item, attribute),
    0,
  ),
  limit: maxSessionGroupBytes,
})

/** The attribute with the new sum if `set` is written. Empty if the sum stays as it is. */
export function sumOfGroups(item: ItemAttributes | undefined, set: ItemAttributes): ItemAttributes {
  const { by } = additionOfGroups(item, set)
  return by === 0 ? {} : { [sessionGroupBytes]: sessionGroupBytesIn(item) + by }
}

const bytesIn = (item: ItemAttributes | undefined, attribute: string): number =>
  definitionIn(item, attribute)?.bytes ?? 0
