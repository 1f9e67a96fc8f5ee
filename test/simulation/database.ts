import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import type { Item, ItemKey } from '@embed-access/core/storage/batch-get.ts'
import { type TableName, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { ValidationException } from './errors.ts'
import { holds, Placeholders, updated } from './evaluate.ts'
import { type Attributes, parseCondition, parseUpdate } from './expression.ts'
import { copyOf, projected, requireOnly } from './input.ts'
import { query } from './query.ts'
import { idOf, type Stale, Table } from './table.ts'

/** What a read of a table sees instead of the newest. A consistent one sees the newest, unless a part is left out. */
export type Staleness = (table: Table, isConsistent: boolean) => Stale

const upToDate: Staleness = () => new Map()

/** One write of a Put, Update, Delete or transaction, all of one shape. */
type WriteInput = {
  readonly TableName?: string | undefined
  readonly Item?: Attributes | undefined
  readonly Key?: Attributes | undefined
  readonly UpdateExpression?: string | undefined
  readonly ConditionExpression?: string | undefined
  readonly ExpressionAttributeNames?: Record<string, string> | undefined
  readonly ExpressionAttributeValues?: Attributes | undefined
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined
}

/** A write that has been looked at: whether its condition holds, and what is stored then. */
type Looked = {
  readonly table: Table
  readonly id: string
  readonly holds: boolean
  readonly after: Item | undefined
  readonly changes: boolean
  readonly old: Item | undefined
}

/**
 * DynamoDB in memory, as far as this project uses it: commands of the document client in, its answers and errors out.
 * What it does not know throws. `equivalence.test.ts` compares it with the embedded engine.
 */
export class Database {
  readonly tables: Readonly<Record<TableName, string>>
  readonly #tables: ReadonlyMap<string, Table>
  /** The tokens of transactions that were done. Each is done once. */
  readonly #done = new Set<string>()

  constructor(tables: Readonly<Record<TableName, string>>) {
    this.tables = tables
    const made = Object.entries(tableDefinitions).map(
      ([name, definition]) => [tables[name as TableName], new Table(definition)] as const,
    )
    this.#tables = new Map(made)
  }

  /** How many writes each table has had. */
  writes(): ReadonlyMap<Table, number> {
    return new Map([...this.#tables.values()].map((table) => [table, table.writes.length]))
  }

  /** Executes a command at once. */
  execute(command: { readonly input: object }, staleness: Staleness = upToDate): object {
    if (command instanceof GetCommand) return this.#get(command.input, staleness)
    if (command instanceof BatchGetCommand) return this.#batchGet(command.input, staleness)
    if (command instanceof QueryCommand) {
      const { ConsistentRead = false, IndexName, TableName } = command.input
      if (ConsistentRead && IndexName !== undefined) throw new ValidationException('An index reads not consistently.')
      const table = this.#table(TableName)
      return query(table, command.input, staleness(table, ConsistentRead))
    }
    if (command instanceof ScanCommand) return this.#scan(command.input, staleness)
    if (command instanceof PutCommand) return this.#write(command.input, ['Item'])
    if (command instanceof UpdateCommand) return this.#write(command.input, ['Key', 'UpdateExpression'])
    if (command instanceof DeleteCommand) return this.#write(command.input, ['Key'])
    if (command instanceof TransactWriteCommand) return this.#transact(command.input)
    if (command instanceof TransactGetCommand) return this.#transactGet(command.input, staleness)
    throw new Error(`The simulated database does not know ${command.constructor.name}.`)
  }

  #get({ TableName, Key, ConsistentRead, ...more }: GetCommand['input'], staleness: Staleness) {
    requireOnly(more, ['ProjectionExpression', 'ExpressionAttributeNames'])
    const item = this.#read(this.#table(TableName), Key as ItemKey, staleness, ConsistentRead)
    return item ? { Item: projected(item, more) } : {}
  }

  #scan({ TableName, ConsistentRead = false, ...more }: ScanCommand['input'], staleness: Staleness) {
    const { FilterExpression } = more
    requireOnly(more, ['FilterExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'])
    const table = this.#table(TableName)
    const items = table.items(staleness(table, ConsistentRead))
    if (FilterExpression === undefined) return { Items: items, Count: items.length }
    const [condition, given] = [parseCondition(FilterExpression), new Placeholders(more)]
    const found = items.filter((item) => holds(condition, item, given))
    return { Items: found, Count: found.length }
  }

  #batchGet({ RequestItems = {}, ...more }: BatchGetCommand['input'], staleness: Staleness) {
    requireOnly(more, [])
    const Responses = Object.fromEntries(
      Object.entries(RequestItems).map(([name, { Keys = [], ConsistentRead, ...more }]) => {
        requireOnly(more, ['ProjectionExpression', 'ExpressionAttributeNames'])
        const ids = Keys.map((key) => idOf(key as ItemKey))
        if (new Set(ids).size < ids.length) throw new ValidationException('A key is given twice.')
        if (ids.length === 0 || ids.length > 100) throw new ValidationException('BatchGetItem takes 1 to 100 keys.')
        const items = Keys.flatMap(
          (key) => this.#read(this.#table(name), key as ItemKey, staleness, ConsistentRead) ?? [],
        )
        return [name, items.map((item) => projected(item, more))]
      }),
    )
    return { Responses, UnprocessedKeys: {} }
  }

  #transactGet({ TransactItems = [], ...more }: TransactGetCommand['input'], staleness: Staleness) {
    requireOnly(more, [])
    const ids = TransactItems.map(({ Get }) => `${Get?.TableName} ${idOf(Get?.Key as ItemKey)}`)
    if (ids.length === 0 || ids.length > 100) throw new ValidationException('TransactGetItems takes 1 to 100 keys.')
    if (new Set(ids).size < ids.length) throw new ValidationException('A key is given twice.')
    const Responses = TransactItems.map(({ Get }) => {
      const { TableName, Key, ...more } = Get as NonNullable<typeof Get>
      requireOnly(more, ['ProjectionExpression', 'ExpressionAttributeNames'])
      const item = this.#read(this.#table(TableName), Key as ItemKey, staleness, true)
      const Item = item && projected(item, more)
      return Item && Object.keys(Item).length > 0 ? { Item } : {}
    })
    return { Responses }
  }

  #read(table: Table, key: ItemKey, staleness: Staleness, isConsistent = false): Item | undefined {
    table.requireKeys(key)
    const stale = staleness(table, isConsistent)
    return stale.has(idOf(key)) ? stale.get(idOf(key)) : table.item(idOf(key))
  }

  #write(input: WriteInput & { readonly ReturnValues?: string | undefined }, fields: readonly string[]) {
    const { ReturnValues = 'NONE', ...write } = input
    const looked = this.#look(write, fields)
    if (!looked.holds) {
      throw new ConditionalCheckFailedException({
        message: 'The conditional request failed',
        ...(looked.old && { Item: marshall(looked.old) }),
        $metadata: {},
      })
    }
    const before = looked.table.item(looked.id)
    store(looked)
    if (ReturnValues === 'NONE') return {}
    if (ReturnValues === 'ALL_OLD') return before ? { Attributes: before } : {}
    if (ReturnValues === 'ALL_NEW') return { Attributes: looked.after }
    throw new Error(`The simulated database does not know ReturnValues: ${ReturnValues}.`)
  }

  #transact({ TransactItems = [], ClientRequestToken, ...more }: TransactWriteCommand['input']) {
    requireOnly(more, [])
    if (ClientRequestToken !== undefined && this.#done.has(ClientRequestToken)) return {}
    const looked = TransactItems.map(({ Put, Update, Delete, ConditionCheck, ...more }) => {
      requireOnly(more, [])
      if (Put) return this.#look(Put, ['Item'])
      if (Update) return this.#look(Update, ['Key', 'UpdateExpression'])
      if (Delete) return this.#look(Delete, ['Key'])
      return { ...this.#look(ConditionCheck as WriteInput, ['Key']), changes: false }
    })
    const ids = new Set(looked.map(({ table, id }) => `${[...this.#tables.values()].indexOf(table)} ${id}`))
    if (ids.size < looked.length) throw new ValidationException('A transaction writes no item twice.')
    if (looked.length === 0 || looked.length > 100) throw new ValidationException('It takes 1 to 100 writes.')
    if (looked.some((each) => !each.holds)) {
      const CancellationReasons = looked.map(({ holds, old }) =>
        holds
          ? { Code: 'None' }
          : {
              Code: 'ConditionalCheckFailed',
              Message: 'The conditional request failed',
              ...(old && { Item: marshall(old) }),
            },
      )
      throw new TransactionCanceledException({
        message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${CancellationReasons.map(({ Code }) => Code).join(', ')}]`,
        CancellationReasons,
        $metadata: {},
      })
    }
    for (const each of looked) store(each)
    if (ClientRequestToken !== undefined) this.#done.add(ClientRequestToken)
    return {}
  }

  #look({ TableName, Item, Key, ...write }: WriteInput, fields: readonly string[]): Looked {
    const { ConditionExpression, UpdateExpression, ExpressionAttributeValues } = write
    requireOnly({ Item, Key, ...write }, [
      ...fields,
      'ConditionExpression',
      'ExpressionAttributeNames',
      'ExpressionAttributeValues',
      'ReturnValuesOnConditionCheckFailure',
    ])
    const table = this.#table(TableName)
    const key = (Item ?? Key) as ItemKey
    const id = idOf(key)
    const before = table.item(id)
    const given = new Placeholders({ ...write, ExpressionAttributeValues: copyOf(ExpressionAttributeValues) })
    const old = write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined
    if (ConditionExpression && !holds(parseCondition(ConditionExpression), before, given)) {
      return { table, id, holds: false, after: before, changes: false, old }
    }
    const after = UpdateExpression
      ? (updated(parseUpdate(UpdateExpression), before ?? key, given) as Item)
      : copyOf(Item)
    table.requireKeys((after ?? key) as Item)
    if (after && idOf(after as Item) !== id) throw new ValidationException('An update changes no key.')
    return { table, id, holds: true, after: after as Item | undefined, changes: true, old }
  }

  #table(name = ''): Table {
    const table = this.#tables.get(name)
    if (!table) throw new Error(`The simulated database has no table ${name}.`)
    return table
  }
}

const store = ({ table, id, after, changes }: Looked) => changes && table.write(id, after)
