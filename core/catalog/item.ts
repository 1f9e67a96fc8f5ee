import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { newVersion } from '../storage/version.ts'
import type { Change, Outcome } from './change.ts'
import type { Attributes, Kind } from './kind.ts'

/** How long a tombstone is kept, in milliseconds (catalog contract): older changes must not be sent again. */
const tombstoneAge = 90 * 24 * 3_600_000

/** What is left of a deleted thing. It is in no index. */
export const tombstone = (identity: unknown): Attributes => ({ deleted: true, identity: JSON.stringify(identity) })

/** Until when a tombstone is kept. */
export const tombstoneExpiry = (now: number): Attributes => ({
  tombstoneExpiresAt: Math.floor((now + tombstoneAge) / 1000),
})

/** Applies a change: one conditional put of the item or of its tombstone. */
export async function write(
  storage: Storage,
  kind: Kind,
  { op, revision, data }: Change<unknown>,
  now: number,
  attributes: Attributes,
): Promise<Outcome> {
  const key = kind.key(data)
  const content = op === 'put' ? attributes : { ...tombstone(data), ...(!kind.tombstoneStays && tombstoneExpiry(now)) }
  const item = { ...key, kind: kind.name, ...content, revision, version: newVersion() }
  if (revision === undefined) {
    // The known revision stays. If the item has this version already, this change wrote it, and the answer was lost.
    await rewrite(storage, kind.table, key, (there) =>
      there?.version === item.version ? undefined : { ...item, revision: there?.revision },
    )
    return 'applied'
  }
  const isNewer = {
    ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
    ExpressionAttributeValues: { ':revision': revision },
  }
  return (await put(storage, kind.table, item, isNewer)) ? 'applied' : 'skipped'
}

/**
 * Reads an item and writes what follows from it, on condition that the item is still as it was read. Otherwise it
 * starts again.
 * @param next gives the item to write, or undefined to write nothing
 */
export async function rewrite(
  storage: Storage,
  table: TableName,
  key: ItemKey,
  next: (there: Item | undefined) => Item | undefined | Promise<Item | undefined>,
): Promise<void> {
  for (;;) {
    const there = await read(storage, table, key)
    const item = await next(there)
    if (!item || (await put(storage, table, item, asRead(there)))) return
  }
}

/** The item of a key, read consistently. */
export async function read({ client, tables }: Storage, table: TableName, key: ItemKey): Promise<Item | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: tables[table], Key: key, ConsistentRead: true }))
  return Item as Item | undefined
}

type Condition = Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>

/** On condition that the item is still as it was read. Items that something else wrote may have no version. */
export function asRead(there: Item | undefined): Condition {
  if (!there) return { ConditionExpression: 'attribute_not_exists(pk)' }
  return there.version === undefined
    ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(version)' }
    : { ConditionExpression: 'version = :read', ExpressionAttributeValues: { ':read': there.version } }
}

/** @returns whether the condition held, and so the item was put */
export async function put(
  { client, tables }: Storage,
  table: TableName,
  item: Item,
  condition: Condition,
): Promise<boolean> {
  try {
    await client.send(new PutCommand({ TableName: tables[table], Item: item, ...condition }))
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}
