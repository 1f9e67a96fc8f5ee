import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { ownSortKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { endRecord } from './record.ts'

/**
 * Shares and recipients hang on a thing: they lie in its partition and carry its place or order, so that an index lists
 * them without a look at the thing. They follow it when it moves and end when it ends.
 */

/** Everything in the partition of a thing but the thing itself, read consistently. */
export async function dependents({ client, tables }: Storage, pk: string): Promise<Item[]> {
  const found: Item[] = []
  let start: Record<string, unknown> | undefined
  do {
    const { Items, LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tables.catalog,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    found.push(...((Items ?? []) as Item[]))
    start = LastEvaluatedKey
  } while (start)
  return found.filter(({ sk }) => sk !== ownSortKey)
}

/** Gives what hangs on a thing new index attributes; what has ended stays as it is. */
export async function rewriteDependents(
  storage: Storage,
  pk: string,
  attributes: (dependent: Item) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const live = (await dependents(storage, pk)).filter(({ deleted }) => deleted !== true)
  await inParallel(live, (item) => put(storage, { ...item, ...attributes(item) }))
}

/** Ends all that hangs on a thing; where revisions are in use, so that the same change again does not bring it back. */
export async function endDependents(storage: Storage, pk: string): Promise<void> {
  const live = (await dependents(storage, pk)).filter(({ deleted }) => deleted !== true)
  await inParallel(live, (item) => end(storage, item))
}

/**
 * Ends a thing and what hangs on it. Until that is done the thing's tombstone says so: a thing that comes again first
 * finishes it, so that no share of the one that ended shows the new one.
 */
export async function endWithDependents(
  storage: Storage,
  previous: Item | undefined,
  key: ItemKey,
  revision: number | undefined,
): Promise<void> {
  const ending = await endRecord(storage, 'catalog', previous, key, revision, { ending: true })
  await finishEnding(storage, ending)
}

/** Finishes the end of a thing where that was interrupted; returns what is there after it. */
export async function finishEnding(storage: Storage, thing: Item | undefined): Promise<Item | undefined> {
  if (thing?.ending !== true) return thing
  await endDependents(storage, thing.pk)
  return endRecord(storage, 'catalog', thing, { pk: thing.pk, ...(thing.sk && { sk: thing.sk }) }, undefined)
}

/** Ends a thing after its last revision, so that the same change again does not bring it back. */
export async function end(storage: Storage, { pk, sk, revision, version }: Item): Promise<void> {
  if (revision !== undefined)
    await put(storage, { pk, ...(sk && { sk }), revision: (revision as number) + 1, version, deleted: true })
  else await storage.client.send(new DeleteCommand({ TableName: storage.tables.catalog, Key: { pk, sk } }))
}

const put = async ({ client, tables }: Storage, item: Item): Promise<void> => {
  await client.send(new PutCommand({ TableName: tables.catalog, Item: item }))
}

/** Creates an item unless it is there, ended or not. */
export async function createUnlessThere({ client, tables }: Storage, item: Item): Promise<void> {
  try {
    await client.send(
      new PutCommand({
        TableName: tables.catalog,
        Item: { ...item, version: 1 },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    )
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}

/**
 * Notes that something refers to a thing which has not arrived. When it does, it knows to look for what waits; and a
 * thing without such a note needs no look.
 */
export const noteAwaited = (storage: Storage, key: ItemKey): Promise<void> =>
  createUnlessThere(storage, { ...key, awaited: true })
