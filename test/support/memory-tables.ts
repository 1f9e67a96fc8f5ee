import { setImmediate } from 'node:timers/promises'
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Item } from '@embed-access/core/storage/batch-get.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { Database } from '../simulation/database.ts'
import { asItWas, type Table } from '../simulation/table.ts'
import { Counter } from './counting.ts'

type Command = { readonly input: object }

/** Tables in the simulation's DynamoDB. They may read late, and they count. */
export class MemoryTables {
  readonly storage: Storage
  /** What happens right after a command was executed, before its caller is told. */
  afterwards: (command: Command) => void | Promise<void> = () => {}
  readonly #database = new Database(tablesWithPrefix('memory'))
  readonly #counter = new Counter()
  readonly #mostEntries: number
  /** What a late read sees: each table as it was after so many writes. */
  #seen: ReadonlyMap<Table, number> | undefined
  #indexesAreLate = true

  /** @param mostEntries how many entries of an index a Query gives at most, as it does after 1 MB */
  constructor(changes: Iterable<object> = [], mostEntries = 10_000) {
    this.#mostEntries = mostEntries
    // The SDK's functions for pages take no other client.
    const client = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
      send: (command: Command) => this.#send(command),
    })
    this.storage = { client, tables: this.#database.tables, pause: async () => {} } as unknown as Storage
    this.add(changes)
  }

  /** Puts things into the catalog, as it stores them. */
  add(changes: Iterable<object>): this {
    this.#database.fill(changes)
    return this
  }

  /** Puts an item into a table. */
  put(table: keyof Storage['tables'], item: Item): void {
    this.#database.execute(new PutCommand({ TableName: this.#database.tables[table], Item: item }))
  }

  /** Changes that no eventually consistent read sees yet. */
  addLate(changes: Iterable<object>): this {
    this.#seen ??= this.#database.writes()
    return this.add(changes)
  }

  /** From now on eventually consistent reads of items see them as they are now. Indexes are never late. */
  readItemsLate(): this {
    this.#seen = this.#database.writes()
    this.#indexesAreLate = false
    return this
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

  async #send(command: Command): Promise<object> {
    const { output } = await this.#counter.answer(command.constructor.name, async () => {
      const output = this.#execute(command)
      await this.afterwards(command)
      // Calls that are made meanwhile belong to the next round trip.
      await setImmediate()
      return { output }
    })
    return output
  }

  #execute(command: Command): object {
    const isNew = !this.#indexesAreLate && 'IndexName' in command.input
    return this.#database.execute(this.#shortened(command), (table, isConsistent) =>
      isConsistent || isNew || !this.#seen ? new Map() : asItWas(table, this.#seen.get(table) ?? 0, () => true),
    )
  }

  #shortened(command: Command): Command {
    if (!(command instanceof QueryCommand)) return command
    const { Limit = this.#mostEntries } = command.input
    return new QueryCommand({ ...command.input, Limit: Math.min(Limit, this.#mostEntries) })
  }
}
