import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Item } from '@embed-access/core/storage/batch-get.ts'
import { ValidationException } from './errors.ts'
import { holds, Placeholders } from './evaluate.ts'
import { type Condition, parseCondition, parseProjection } from './expression.ts'
import { only, requireOnly } from './input.ts'
import { idOf, type Stale, type Table } from './table.ts'

/** Answers a Query of the table or of an index. */
export function query(table: Table, input: QueryCommandInput, stale: Stale): object {
  const { TableName, IndexName, KeyConditionExpression = '', Limit, ExclusiveStartKey, ...more } = input
  const { ProjectionExpression, ScanIndexForward = true } = more
  requireOnly(more, [
    'ProjectionExpression',
    'ExpressionAttributeNames',
    'ExpressionAttributeValues',
    'ScanIndexForward',
    'ConsistentRead',
  ])
  if (Limit !== undefined && Limit < 1) throw new ValidationException('Limit must be at least 1.')
  const condition = parseCondition(KeyConditionExpression)
  const given = new Placeholders(input)
  const { partitionKey, sortKey } = table.keysOf(IndexName)
  const partition = partitionIn(condition, partitionKey, given)
  const attributes = ProjectionExpression && parseProjection(ProjectionExpression).map((name) => given.name(name))

  const all = table.partition(IndexName, partition, stale)
  if (!ScanIndexForward) all.reverse()
  const start =
    ExclusiveStartKey === undefined ? 0 : firstAfter(all, ExclusiveStartKey as Item, sortKey, ScanIndexForward)
  const matching = all.slice(start).filter((item) => holds(condition, item, given))
  const found = matching.slice(0, Limit).map((item) => table.inIndex(IndexName, item))
  const last = found.length === Limit ? found.at(-1) : undefined
  return {
    Items: attributes ? found.map((item) => only(item, attributes)) : found,
    Count: found.length,
    ...(last && { LastEvaluatedKey: only(last, ['pk', 'sk', partitionKey, sortKey]) }),
  }
}

function partitionIn(condition: Condition, partitionKey: string, given: Placeholders): string {
  const parts = 'all' in condition ? condition.all : [condition]
  for (const part of parts) {
    if (!('compare' in part) || part.compare !== '=' || !('attribute' in part.left) || !('value' in part.right))
      continue
    if (given.name(part.left.attribute) === partitionKey) return given.value(part.right.value) as string
  }
  throw new ValidationException(`The condition must name the partition by ${partitionKey}.`)
}

/** The item at which a Query began before may be gone since. */
function firstAfter(items: readonly Item[], start: Item, sortKey: string | undefined, forward: boolean): number {
  const position = (item: Item) => `${sortKey ? item[sortKey] : ''}\u0000${idOf(item)}`
  const index = items.findIndex((item) =>
    forward ? position(item) > position(start) : position(item) < position(start),
  )
  return index === -1 ? items.length : index
}
