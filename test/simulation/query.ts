import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Item } from '@embed-access/core/storage/batch-get.ts'
import { ValidationException } from './errors.ts'
import { holds, Placeholders } from './evaluate.ts'
import { type Condition, type Operand, parseCondition, parseProjection } from './expression.ts'
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

  const within = between(table.partition(IndexName, partition, stale), sortKey, boundsIn(condition, sortKey, given))
  const all = ScanIndexForward ? within : within.toReversed()
  const start =
    ExclusiveStartKey === undefined ? 0 : firstAfter(all, ExclusiveStartKey as Item, sortKey, ScanIndexForward)
  const found: Item[] = []
  for (let at = start; at < all.length && found.length !== Limit; at += 1) {
    const item = all[at] as Item
    if (holds(condition, item, given)) found.push(table.inIndex(IndexName, item))
  }
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

type Bounds = { readonly least?: unknown; readonly most?: unknown }

/** The sort keys between which the condition may hold. So a Query of a large partition tries only what lies between. */
function boundsIn(condition: Condition, sortKey: string | undefined, given: Placeholders): Bounds {
  const parts = 'all' in condition ? condition.all : [condition]
  const isSortKey = (operand: Operand) => 'attribute' in operand && given.name(operand.attribute) === sortKey
  const value = (operand: Operand) => ('value' in operand ? given.value(operand.value) : undefined)
  for (const part of parts) {
    if ('between' in part && isSortKey(part.between[0])) {
      const [, least, most] = part.between.map(value) as [unknown, string, string]
      if (least > most) throw new ValidationException('BETWEEN goes from the lesser to the greater.')
      return { least, most }
    }
    if (!('compare' in part) || !isSortKey(part.left)) continue
    if (['=', '>', '>='].includes(part.compare)) return { least: value(part.right) }
  }
  return {}
}

function between(items: readonly Item[], sortKey: string | undefined, { least, most }: Bounds): readonly Item[] {
  if (sortKey === undefined) return items
  const first = least === undefined ? 0 : firstWhere(items, (item) => (item[sortKey] as string) >= (least as string))
  const end =
    most === undefined ? items.length : firstWhere(items, (item) => (item[sortKey] as string) > (most as string))
  return items.slice(first, Math.max(first, end))
}

/** The index of the first item for which it is true, as for all after it. */
function firstWhere(items: readonly Item[], isTrue: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isTrue(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

/** The item at which a Query began before may be gone since. */
function firstAfter(items: readonly Item[], start: Item, sortKey: string | undefined, forward: boolean): number {
  const position = (item: Item) => `${sortKey ? item[sortKey] : ''}\u0000${idOf(item)}`
  const index = items.findIndex((item) =>
    forward ? position(item) > position(start) : position(item) < position(start),
  )
  return index === -1 ? items.length : index
}
