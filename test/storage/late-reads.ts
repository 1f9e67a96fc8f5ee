import { BatchGetCommand, GetCommand, paginateScan, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, type ItemKey, itemId } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { sentBy } from '../catalog/failing.ts'

/**
 * The same tables, whose eventually consistent reads of items see them as they are now, whatever happens later. DynamoDB may be
 * late by that; the embedded engine never is. Indexes are as the engine has them.
 */
export async function lateReads(storage: Storage): Promise<Storage> {
  const before = new Map<string, ReadonlyMap<string, Item>>()
  for (const TableName of Object.values(storage.tables)) {
    const items = new Map<string, Item>()
    for await (const { Items = [] } of paginateScan({ client: storage.client }, { TableName, ConsistentRead: true })) {
      for (const item of Items as Item[]) items.set(itemId(item), item)
    }
    before.set(TableName, items)
  }
  const late = (table = '', key?: object) => before.get(table)?.get(itemId(key as ItemKey))
  return sentBy(storage, async (command, on) => {
    if (command instanceof GetCommand && !command.input.ConsistentRead) {
      return { Item: late(command.input.TableName, command.input.Key) }
    }
    if (command instanceof BatchGetCommand) {
      const [[table, { Keys = [], ConsistentRead }]] = Object.entries(command.input.RequestItems ?? {}) as [
        [string, { Keys?: Record<string, unknown>[]; ConsistentRead?: boolean }],
      ]
      if (!ConsistentRead) return { Responses: { [table]: Keys.flatMap((key) => late(table, key) ?? []) } }
    }
    const isScan = command instanceof ScanCommand || (command instanceof QueryCommand && !command.input.IndexName)
    if (isScan && !command.input.ConsistentRead) {
      return { Items: [...(before.get(command.input.TableName ?? '')?.values() ?? [])] }
    }
    return on(command)
  })
}
