import { setImmediate } from 'node:timers/promises'
import {
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb'
import type { Item } from '@embed-access/core/storage/item.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { Counter } from '../support/counting.ts'
import { type Command, Database } from './database.ts'
import { asItWas, type Table } from './table.ts'

/** Tables in the simulation's DynamoDB. They may read late, and they count. */
export class MemoryTables extends Database {
  readonly storage: Storage
  /** What happens right after a command was executed, before its caller is told. */
  afterwards: (command: Command) => void | Promise<void> = () => {}
  readonly #counter = new Counter()
  /** What a late read sees: each table as it was after so many writes. */
  #seen: ReadonlyMap<Table, number> | undefined
  #indexesAreLate = true

  /** @param mostEntries how many entries a Query of an index gives at most, as after 1 MB */
  constructor(changes: Iterable<object> = [], mostEntries = 10_000) {
    super(tablesWithPrefix('memory'))
    // The SDK's functions for pages take no other client.
    const client = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
      send: (command: Command) => this.#send(command, mostEntries),
    })
    this.storage = { client, tables: this.tables, pause: async () => {} }
    this.add(changes)
  }

  items(table: keyof Storage['tables']): readonly Item[] {
    const scan = new ScanCommand({ TableName: this.tables[table] })
    return (this.execute(scan) as { Items: Item[] }).Items
  }

  put(table: keyof Storage['tables'], item: Item): void {
    this.execute(new PutCommand({ TableName: this.tables[table], Item: item }))
  }

  /** Changes that no eventually consistent read sees yet. */
  addLate(changes: Iterable<object>): this {
    this.#seen ??= this.writes()
    return this.add(changes)
  }

  /** From now on eventually consistent reads, of indexes too, see all as it is now. */
  readLate(): void {
    this.#seen = this.writes()
    this.#indexesAreLate = true
  }

  /** As {@link readLate}, but indexes are never late. */
  readItemsLate(): void {
    this.readLate()
    this.#indexesAreLate = false
  }

  /** All reads see all changes. */
  catchUp(): this {
    this.#seen = undefined
    return this
  }

  /** What the work asks of the tables. Nothing counts units here. */
  measure<Result>(work: () => Promise<Result>) {
    return this.#counter.measure(work)
  }

  async #send(command: Command, mostEntries: number): Promise<object> {
    const { Limit = mostEntries, IndexName } = command.input as QueryCommand['input']
    const isQuery = command instanceof QueryCommand
    const sent = isQuery
      ? new QueryCommand({ ...command.input, Limit: Math.min(Limit, mostEntries) })
      : command
    const seen = this.#indexesAreLate || IndexName === undefined ? this.#seen : undefined
    const { output } = await this.#counter.answer(command.constructor.name, async () => {
      const output = this.execute(sent, (table, isConsistent) =>
        isConsistent || !seen ? new Map() : asItWas(table, seen.get(table) ?? 0, () => true),
      )
      await this.afterwards(command)
      // Calls that are made meanwhile belong to the next round trip.
      await setImmediate()
      return { output }
    })
    return output
  }
}
