import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'

/** What every catalog change says besides its kind. */
export type Change<Data, Identity = Data> =
  | { readonly op: 'put'; readonly revision?: number | undefined; readonly data: Data }
  | { readonly op: 'delete'; readonly revision?: number | undefined; readonly data: Identity }

export type Outcome = 'applied' | 'skipped'

/** A change that is valid in itself but cannot be applied to what is there. */
export class NotApplicable extends Error {
  readonly field: string

  constructor(field: string, reason: string) {
    super(reason)
    this.name = 'NotApplicable'
    this.field = field
  }
}

/** Whether a later change of the same thing has been applied already. */
export function isBehind(revision: number | undefined, previous: Item | undefined): boolean {
  const applied = previous?.revision as number | undefined
  return revision !== undefined && applied !== undefined && revision < applied
}

/**
 * Writes a thing on condition that it is still as it was read.
 * @throws ConditionalCheckFailedException where another change came between
 */
export async function putRecord(
  { client, tables }: Storage,
  table: TableName,
  previous: Item | undefined,
  item: Item,
  revision: number | undefined,
): Promise<Item> {
  const written = {
    ...item,
    revision: revision ?? previous?.revision,
    version: versionOf(previous) + 1,
  }
  await client.send(new PutCommand({ TableName: tables[table], Item: written, ...asRead(previous) }))
  return written
}

/** Ends a thing; where revisions are in use a tombstone stays, so that an older put cannot bring it back. */
export async function endRecord(
  storage: Storage,
  table: TableName,
  previous: Item | undefined,
  key: ItemKey,
  revision: number | undefined,
  tombstone: Readonly<Record<string, unknown>> = {},
): Promise<Item | undefined> {
  if ((revision ?? previous?.revision) !== undefined || Object.keys(tombstone).length > 0) {
    return putRecord(storage, table, previous, { ...key, ...tombstone, deleted: true }, revision)
  }
  if (!previous) return undefined
  await storage.client.send(new DeleteCommand({ TableName: storage.tables[table], Key: key, ...asRead(previous) }))
  return undefined
}

const versionOf = (item: Item | undefined): number => (item?.version as number | undefined) ?? 0

const asRead = (previous: Item | undefined) =>
  previous
    ? { ConditionExpression: 'version = :read', ExpressionAttributeValues: { ':read': versionOf(previous) } }
    : { ConditionExpression: 'attribute_not_exists(pk)' }

/** A thing that is there: neither ended nor so far only referred to. */
export const isLive = (item: Item | undefined): item is Item =>
  item !== undefined && item.deleted !== true && item.awaited !== true
