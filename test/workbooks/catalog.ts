import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { byFolderPartition, folderEntry, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { Database } from '../simulation/database.ts'
import { fill } from '../simulation/fill.ts'
import { asItWas } from '../simulation/stale.ts'
import type { Table } from '../simulation/table.ts'

type Command = { readonly input: object }

/** A catalog in memory. It counts what a page asks of it. */
export class Catalog {
  calls = 0
  roundTrips = 0
  entries = 0
  readonly storage: Storage
  readonly #database = new Database(tablesWithPrefix('counted'))
  readonly #mostEntries: number
  #indexed: ReadonlyMap<Table, number> | undefined
  #open = 0
  #answered: (() => void)[] = []

  /** @param mostEntries how many entries of an index a Query gives at most, as it does after 1 MB */
  constructor(changes: Iterable<object> = [], mostEntries = 10_000) {
    this.#mostEntries = mostEntries
    const client = { send: (command: Command) => this.#send(command) }
    const { tables } = this.#database
    this.storage = { client, tables, pause: async () => {} } as unknown as Storage
    this.add(changes)
  }

  add(changes: Iterable<object>): this {
    fill(this.#database, changes)
    return this
  }

  /** Changes that the indexes have not seen yet. */
  addLate(changes: Iterable<object>): this {
    this.#indexed ??= this.#database.writes()
    return this.add(changes)
  }

  /** The indexes have seen all changes. */
  catchUp(): this {
    this.#indexed = undefined
    return this
  }

  /** Workbooks of which only the entries in `byFolder` count. */
  addStrangers(folderId: number, ids: readonly number[]): void {
    for (const id of ids) {
      const index = { contents: byFolderPartition(1), folderEntry: folderEntry(folderId, id) }
      const Item = { ...workbookKey(1, id), ...index }
      this.#database.execute(new PutCommand({ TableName: this.#database.tables.catalog, Item }))
    }
  }

  /** The calls, round trips and entries of indexes that the work takes. */
  async measure<Result>(work: () => Promise<Result>) {
    this.calls = this.roundTrips = this.entries = 0
    const result = await work()
    return { result, calls: this.calls, roundTrips: this.roundTrips, entries: this.entries }
  }

  /** Answers all calls of a round trip together: those made meanwhile belong to the next one. */
  async #send(command: Command): Promise<object> {
    this.calls += 1
    if (this.#open === 0) this.roundTrips += 1
    this.#open += 1
    const answer = this.#answer(command)
    await new Promise<void>((resolve) => {
      this.#answered.push(resolve)
      setImmediate(() => this.#release())
    })
    return answer
  }

  #answer(command: Command): object {
    const answer = this.#database.execute(this.#shortened(command), (table, isConsistent) =>
      isConsistent || !this.#indexed ? new Map() : asItWas(table, this.#indexed.get(table) ?? 0, () => true),
    )
    if ('Items' in answer) this.entries += (answer.Items as object[]).length
    return answer
  }

  #shortened(command: Command): Command {
    if (!(command instanceof QueryCommand)) return command
    const { Limit = this.#mostEntries } = command.input
    return new QueryCommand({ ...command.input, Limit: Math.min(Limit, this.#mostEntries) })
  }

  #release(): void {
    if (this.#answered.length < this.#open) return
    const answered = this.#answered
    this.#answered = []
    this.#open = 0
    for (const resolve of answered) resolve()
  }
}
