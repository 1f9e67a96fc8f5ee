import { randomBytes } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { getItem } from './get-item.ts'
import type { Item, ItemKey, NewItem } from './item.ts'
import type { Storage } from './storage.ts'
import type { TableName } from './tables.ts'
import { hasFailedCondition } from './unavailable.ts'

/** A random text. Each write of an item renews its version, so that no change is overwritten. */
export const newVersion = (): string => randomBytes(12).toString('base64url')

/** Whether the conditions of a write or a transaction held, so that it was done. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (hasFailedCondition(error)) return false
    throw error
  }
}

type Condition = {
  readonly ConditionExpression: string
  readonly ExpressionAttributeValues?: Record<string, unknown>
}

/** On condition that the item has an older revision, or none. */
export const ifOlderThan = (revision: number) => ({
  ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
  ExpressionAttributeValues: { ':revision': revision },
})

/** On condition that the item is still as it was read. */
export const ifUnchanged = (stored: Item | undefined): Condition =>
  stored
    ? {
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':read': stored.version },
      }
    : { ConditionExpression: 'attribute_not_exists(pk)' }

/** @returns whether the condition held, so that the item was put */
export const put = (
  { client, tables }: Storage,
  table: TableName,
  item: NewItem,
  condition: Partial<Condition>,
) =>
  conditionHeld(client.send(new PutCommand({ TableName: tables[table], Item: item, ...condition })))

/**
 * Reads an item, and puts what `next` makes of it, if anything, with a new version. If the item has
 * changed meanwhile, it begins again.
 * @returns what `next` has made last
 */
export async function readModifyWrite<Made extends { readonly item: NewItem | undefined }>(
  storage: Storage,
  table: TableName,
  key: ItemKey,
  next: (stored: Item | undefined, version: string) => Made,
): Promise<Made> {
  const version = newVersion()
  let made: Made | undefined
  for (;;) {
    const stored = await getItem(storage, table, key)
    // The put before has written the item, and its answer was lost.
    if (made && stored?.version === version) return made
    made = next(stored, version)
    if (!made.item) return made
    if (await put(storage, table, { ...made.item, version }, ifUnchanged(stored))) return made
  }
}
