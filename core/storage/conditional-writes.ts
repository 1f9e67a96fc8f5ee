import { randomBytes } from 'node:crypto'
import {
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { getItem } from './get-item.ts'
import type { Item, ItemKey, NewItem } from './item.ts'
import { madeAnew } from './made-anew.ts'
import type { Storage } from './storage.ts'
import type { TableName } from './tables.ts'
import { hasFailedCondition } from './unavailable.ts'

/** A random text. Each write of an item renews its version, so that no change is overwritten. */
export const newVersion = (): string => randomBytes(12).toString('base64url')

/** Whether all conditions of a write or transaction were true, and so it was done. */
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

export const ifOlderThan = (revision: number) => ({
  ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
  ExpressionAttributeValues: { ':revision': revision },
})

export const ifUnchanged = (stored: Item | undefined): Condition =>
  stored
    ? {
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':read': stored.version },
      }
    : { ConditionExpression: 'attribute_not_exists(pk)' }

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Makes a write that shares a transaction with another write. */
export type Also = () => Write

/** @returns whether the condition held, so that the item was put */
export function put(
  { client, tables }: Storage,
  table: TableName,
  item: NewItem,
  condition: Partial<Condition>,
  also?: Also,
): Promise<boolean> {
  const Put = { TableName: tables[table], Item: item, ...condition }
  if (!also) return conditionHeld(client.send(new PutCommand(Put)))
  const both = () => new TransactWriteCommand({ TransactItems: [{ Put }, also()] })
  return conditionHeld(client.send(madeAnew(both)))
}

/**
 * Reads an item and gives it to `next`. Puts the `item` that `next` makes, if any, with a new
 * version, together with the write of `also`. If the item has changed meanwhile, it begins again.
 * @returns what `next` has made last
 */
export async function readModifyWrite<
  Made extends { readonly item: NewItem | undefined; readonly also?: Also | undefined },
>(
  storage: Storage,
  table: TableName,
  key: ItemKey,
  next: (stored: Item | undefined, version: string) => Made,
): Promise<Made> {
  const version = newVersion()
  let made: Made | undefined
  for (;;) {
    const stored = await getItem(storage, table, key)
    // The previous put has written the item, but its answer was lost.
    if (made && stored?.version === version) return made
    made = next(stored, version)
    const { item, also } = made
    if (!item) return made
    if (await put(storage, table, { ...item, version }, ifUnchanged(stored), also)) return made
  }
}
