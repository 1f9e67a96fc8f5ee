import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { parse } from '@embed-access/core/catalog/parse.ts'
import type { Item, ItemKey } from '@embed-access/core/storage/item.ts'
import { type TableName, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { conditionOf, namesOf, updated } from './expression.ts'
import { idOf, orderOf, type Stale, Table } from './table.ts'

export type Command = { readonly input: object }

/**
 * What a read of a table sees instead of the newest. A consistent one sees the newest, unless a
 * part is left out.
 */
export type Staleness = (table: Table, isConsistent: boolean) => Stale

const upToDate: Staleness = () => new Map()

type Read = Partial<GetCommandInput>

/** A write, alone or of a transaction. */
type Write = Partial<PutCommandInput & UpdateCommandInput>

/**
 * DynamoDB in memory, as far as this project uses it: commands of the document client in, its
 * answers and errors out. What it does not know throws. `equivalence.test.ts` compares it with the
 * embedded engine.
 */
export class Database {
  readonly tables: Readonly<Record<TableName, string>>
  readonly #tables: ReadonlyMap<string, Table>
  /** The tokens of transactions that were done. Each is done once. */
  readonly #done = new Set<string>()

  /** @param now the clock, in milliseconds */
  constructor(tables: Readonly<Record<TableName, string>>, now = () => 0) {
    this.tables = tables
    const definitions = Object.entries(tableDefinitions)
    this.#tables = new Map(
      definitions.map(([name, each]) => [tables[name as TableName], new Table(each, now)]),
    )
  }

  /** How many writes each table has had. */
  writes(): ReadonlyMap<Table, number> {
    return new Map([...this.#tables.values()].map((table) => [table, table.writes.length]))
  }

  /** Puts things into the catalog at once, as it stores them; deleted ones as tombstones. */
  add(changes: Iterable<object>): this {
    for (const change of changes) {
      const parsed = parse(change)
      if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
      const Item = {
        ...parsed.key,
        ...parsed.content,
        version: 'added',
        ...(parsed.change.op === 'delete' && { deleted: true }),
      }
      this.#write({ TableName: this.tables[parsed.kind.table], Item })
    }
    return this
  }

  execute(command: Command, staleness: Staleness = upToDate): object {
    requireKnown(command.input)
    if (command instanceof GetCommand) return itemOf(this.#read(command.input, staleness))
    if (command instanceof BatchGetCommand) return this.#batchGet(command.input, staleness)
    if (command instanceof TransactGetCommand) return this.#transactGet(command.input, staleness)
    if (command instanceof QueryCommand) return this.#query(command.input, staleness)
    if (command instanceof ScanCommand) {
      const { TableName, ConsistentRead = false, FilterExpression, ...placeholders } = command.input
      const table = this.#table(TableName)
      const items = table.items(staleness(table, ConsistentRead))
      return {
        Items: FilterExpression ? items.filter(conditionOf(FilterExpression, placeholders)) : items,
      }
    }
    if (command instanceof TransactWriteCommand) return this.#transact(command.input)
    if ([PutCommand, UpdateCommand, DeleteCommand].some((write) => command instanceof write)) {
      return this.#write(command.input as Write)
    }
    throw new Error(`The simulated database does not know ${command.constructor.name}.`)
  }

  #read(
    { TableName, Key, ConsistentRead = false, ...projection }: Read,
    staleness: Staleness,
  ): Item | undefined {
    const table = this.#table(TableName)
    const key = Key as ItemKey
    table.requireKeys(key)
    const stale = staleness(table, ConsistentRead)
    const item = stale.has(idOf(key)) ? stale.get(idOf(key)) : table.item(idOf(key))
    return item && projected(item, projection)
  }

  #batchGet({ RequestItems = {} }: BatchGetCommand['input'], staleness: Staleness) {
    const tables = Object.entries(RequestItems).map(([TableName, { Keys = [], ...request }]) => {
      requireDistinct(Keys.map((key) => idOf(key as ItemKey)))
      return [
        TableName,
        Keys.flatMap((Key) => this.#read({ ...request, TableName, Key }, staleness) ?? []),
      ]
    })
    return { Responses: Object.fromEntries(tables), UnprocessedKeys: {} }
  }

  #transactGet({ TransactItems = [] }: TransactGetCommand['input'], staleness: Staleness) {
    requireDistinct(
      TransactItems.map(({ Get }) => `${Get?.TableName} ${idOf(Get?.Key as ItemKey)}`),
    )
    const items = TransactItems.map(({ Get }) =>
      this.#read({ ...(Get as Read), ConsistentRead: true }, staleness),
    )
    return { Responses: items.map(itemOf) }
  }

  /** Knows the key conditions of `core/storage/query.ts`. */
  #query(
    { TableName, IndexName, Limit, ExclusiveStartKey, ...more }: QueryCommandInput,
    staleness: Staleness,
  ) {
    const {
      ConsistentRead = false,
      KeyConditionExpression = '',
      ExpressionAttributeValues = {},
    } = more
    const { ':p': partition, ':from': from, ':to': to } = ExpressionAttributeValues
    const isAfterStart = {
      '#p = :p': () => true,
      '#p = :p AND #s >= :from': (key: unknown) => (key as string) >= from,
      '#p = :p AND #s BETWEEN :from AND :to': (key: unknown) => (key as string) >= from,
    }[KeyConditionExpression]
    if (!isAfterStart || from > to)
      throw new Error(`The simulated database does not know ${KeyConditionExpression}.`)
    if (ConsistentRead && IndexName !== undefined) throw new Error('No index is read consistently.')
    const table = this.#table(TableName)
    const keys = table.keysOf(IndexName)
    const { partitionKey, sortKey = '' } = keys
    const order = orderOf(keys)

    const all = table.partition(IndexName, partition, staleness(table, ConsistentRead))
    const isFound = (item: Item) =>
      isAfterStart(item[sortKey]) &&
      (!ExclusiveStartKey || order(item, ExclusiveStartKey as Item) > 0) &&
      (to === undefined || (item[sortKey] as string) <= to)
    const found = all.filter(isFound).slice(0, Limit)
    const last = found.length === Limit ? found.at(-1) : undefined
    return {
      Items: found.map((item) => projected(only(item, table.attributesOf(IndexName)), more)),
      ...(last && { LastEvaluatedKey: only(last, ['pk', 'sk', partitionKey, sortKey]) }),
    }
  }

  #write(input: Write) {
    const { table, id, before, after, holds, failure } = this.#prepared(input)
    if (!holds)
      throw new ConditionalCheckFailedException({
        message: conditionFailed,
        ...failure,
        $metadata: {},
      })
    table.write(id, after)
    return input.ReturnValues === 'ALL_OLD' && before ? { Attributes: before } : {}
  }

  #transact({ TransactItems = [], ClientRequestToken = '' }: TransactWriteCommand['input']) {
    if (this.#done.has(ClientRequestToken)) return {}
    const writes = TransactItems.map((each) => {
      const [kind, write] = Object.entries(each)[0] as [string, Write]
      return { ...this.#prepared(write), isCheck: kind === 'ConditionCheck' }
    })
    const names = [...this.#tables.values()]
    requireDistinct(writes.map(({ table, id }) => `${names.indexOf(table)} ${id}`))
    if (writes.some(({ holds }) => !holds)) {
      throw new TransactionCanceledException({
        message: 'Transaction cancelled',
        CancellationReasons: writes.map(({ holds, failure }) =>
          holds
            ? { Code: 'None' }
            : { Code: 'ConditionalCheckFailed', Message: conditionFailed, ...failure },
        ),
        $metadata: {},
      })
    }
    for (const { table, id, after, isCheck } of writes) if (!isCheck) table.write(id, after)
    if (ClientRequestToken) this.#done.add(ClientRequestToken)
    return {}
  }

  /**
   * Returns the item before and after a write, whether its condition holds, and what the error
   * shows if it does not.
   */
  #prepared(write: Write) {
    const {
      Item,
      Key,
      UpdateExpression,
      ConditionExpression,
      ReturnValuesOnConditionCheckFailure,
    } = write
    const table = this.#table(write.TableName)
    const key = (Item ?? Key) as ItemKey
    const before = table.item(idOf(key))
    const stored = UpdateExpression ? updated(before ?? key, UpdateExpression, write) : Item
    const after = stored && (copyOf(stored) as Item)
    table.requireKeys((after ?? key) as Item)
    const holds = !ConditionExpression || conditionOf(ConditionExpression, write)(before ?? {})
    const failure =
      before && ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: marshall(before) } : {}
    return { table, id: idOf(key), before, after, holds, failure }
  }

  #table(name = ''): Table {
    const table = this.#tables.get(name)
    if (!table) throw new Error(`The simulated database has no table ${name}.`)
    return table
  }
}

const conditionFailed = 'The conditional request failed'

const itemOf = (item: Item | undefined) => (item ? { Item: item } : {})

const projected = (item: Item, { ProjectionExpression, ...names }: Read): Item =>
  ProjectionExpression ? only(item, namesOf(ProjectionExpression, names)) : item

/** The named attributes of an item; all of them if there are no names. */
const only = (item: Item, names: readonly (string | undefined)[] | undefined): Item =>
  names
    ? (Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) as Item)
    : item

/** `ReturnConsumedCapacity` has no effect. */
const known = [
  'TableName',
  'IndexName',
  'Item',
  'Key',
  'Keys',
  'Limit',
  'ExclusiveStartKey',
  'ConsistentRead',
  ...['KeyConditionExpression', 'ConditionExpression', 'UpdateExpression', 'FilterExpression'],
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
  ...['ProjectionExpression', 'ClientRequestToken', 'ReturnConsumedCapacity'],
]

/** @throws Error if a command asks for something that is not simulated */
function requireKnown(input: object): void {
  const { RequestItems = {}, TransactItems = [], ...own } = input as Record<string, object[]>
  const parts = [
    ...Object.values(RequestItems),
    ...TransactItems.flatMap((each) => Object.values(each)),
  ]
  for (const [name, value] of [own, ...parts].flatMap((part) => Object.entries(part))) {
    if (
      value === undefined ||
      known.includes(name) ||
      (name === 'ReturnValues' && value === 'ALL_OLD')
    )
      continue
    throw new Error(`The simulated database does not know ${name}: ${JSON.stringify(value)}.`)
  }
}

/** @throws Error unless there are 1 to 100 keys, each given once */
function requireDistinct(keys: readonly string[]): void {
  if (keys.length === 0 || keys.length > 100)
    throw new Error(`A request has 1 to 100 keys, not ${keys.length}.`)
  if (new Set(keys).size < keys.length) throw new Error('A request gives a key twice.')
}

/** What the document client sends: a copy without undefined values, which nobody else holds. */
function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(copyOf) as Value
  if (
    typeof value !== 'object' ||
    value === null ||
    ArrayBuffer.isView(value) ||
    value instanceof Set
  )
    return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.freeze(
    Object.fromEntries(entries.map(([name, each]) => [name, copyOf(each)])),
  ) as Value
}
