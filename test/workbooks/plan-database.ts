import {
  BatchGetCommand,
  type BatchGetCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { type Item, type ItemKey, itemId } from '@embed-access/core/storage/batch-get.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { contents, folderEntry, workbookKey } from '@embed-access/core/workbooks/keys.ts'

type Entry = { readonly sort: string; readonly item: Item }

/**
 * The catalog's table in memory, for lists of workbooks alone: fast enough for a million of them, and it counts. Items are
 * made by the catalog, indexes are as the tables define them.
 */
export class PlanDatabase {
  calls = 0
  roundTrips = 0
  entries = 0
  readonly storage: Storage
  readonly #items = new Map<string, Item>()
  readonly #partitions = new Map<string, Entry[]>()
  #open = 0
  #answered: (() => void)[] = []

  readonly #queryBytes: number

  /** @param queryBytes how many bytes of entries a Query gives at most */
  constructor(queryBytes = 1024 * 1024) {
    this.#queryBytes = queryBytes
    const client = { send: (command: { readonly input: object }) => this.#send(command) }
    const tables = tablesWithPrefix('plan')
    this.storage = { client: client as unknown as Storage['client'], tables, pause: async () => {} }
  }

  apply(changes: Iterable<object>): this {
    for (const change of changes) {
      const parsed = parse(change)
      if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
      this.#put({ ...parsed.key, ...parsed.attributes })
    }
    return this
  }

  /** Takes an item away, and leaves its entries in the indexes, which are late. */
  forget(key: ItemKey): this {
    this.#items.delete(itemId(key))
    return this
  }

  /** The same for workbooks of deployment 1. */
  forgetWorkbooks(ids: readonly number[]): this {
    for (const id of ids) this.forget(workbookKey(1, id))
    return this
  }

  /** Changes an item, and leaves its entries in the indexes as they were. */
  change(key: ItemKey, attributes: object): this {
    this.#items.set(itemId(key), { ...this.#items.get(itemId(key)), ...key, ...attributes })
    return this
  }

  /** Adds entries of workbooks to `byFolder` without the workbooks themselves. */
  addToFolder(deploymentId: number, folderId: number, workbookIds: readonly number[]): void {
    for (const id of workbookIds) {
      const sort = folderEntry(folderId, id)
      this.#entries('byFolder', contents(deploymentId)).push({ sort, item: { pk: '', folderEntry: sort } })
    }
  }

  /** The calls, round trips and entries that the work takes. */
  async measure<Result>(work: () => Promise<Result>) {
    for (const entries of this.#partitions.values()) entries.sort((a, b) => (a.sort < b.sort ? -1 : 1))
    this.calls = this.roundTrips = this.entries = 0
    const result = await work()
    return { result, calls: this.calls, roundTrips: this.roundTrips, entries: this.entries }
  }

  #put(item: Item): void {
    if (this.#items.has(itemId(item))) return
    this.#items.set(itemId(item), item)
    for (const { name, partitionKey, sortKey, carries } of tableDefinitions.catalog.indexes) {
      if (item[partitionKey] === undefined || sortKey === undefined) continue
      const entry = Object.fromEntries(
        ['pk', 'sk', partitionKey, sortKey, ...carries].map((attribute) => [attribute, item[attribute]]),
      )
      this.#entries(name, item[partitionKey]).push({ sort: item[sortKey] as string, item: entry as Item })
    }
  }

  #entries(index: string | undefined, partition: unknown): Entry[] {
    const known = this.#partitions.get(`${index} ${partition}`) ?? []
    this.#partitions.set(`${index} ${partition}`, known)
    return known
  }

  /** Answers all calls of a round together: what is made meanwhile belongs to the next one. */
  async #send(command: { readonly input: object }): Promise<object> {
    this.calls += 1
    if (this.#open === 0) this.roundTrips += 1
    this.#open += 1
    const answer = command instanceof QueryCommand ? this.#query(command.input) : this.#batchGet(command)
    await new Promise<void>((resolve) => {
      this.#answered.push(resolve)
      setImmediate(() => this.#release())
    })
    return answer
  }

  #release(): void {
    if (this.#answered.length < this.#open) return
    const answered = this.#answered
    this.#answered = []
    this.#open = 0
    for (const resolve of answered) resolve()
  }

  #batchGet(command: { readonly input: object }): object {
    if (command instanceof TransactGetCommand) {
      const gets = (command.input.TransactItems ?? []).map(({ Get }) => Get)
      if (gets.length === 0 || gets.length > 100) throw new Error('1 to 100 keys')
      return {
        Responses: gets.map((get) => ({ Item: this.#item(get?.Key as ItemKey, get?.ExpressionAttributeNames) })),
      }
    }
    if (!(command instanceof BatchGetCommand)) throw new Error(`unknown: ${command.constructor.name}`)
    const { RequestItems } = command.input as BatchGetCommandInput
    const [[table, { Keys = [], ConsistentRead, ExpressionAttributeNames }]] = Object.entries(RequestItems ?? {}) as [
      [string, { Keys?: ItemKey[]; ConsistentRead?: boolean; ExpressionAttributeNames?: Record<string, string> }],
    ]
    if (Keys.length > 100 || !ConsistentRead) throw new Error('at most 100 keys, consistently')
    return { Responses: { [table]: Keys.flatMap((key) => this.#item(key, ExpressionAttributeNames) ?? []) } }
  }

  /** An item, or only the attributes that are asked for. */
  #item(key: ItemKey, names: Record<string, string> | undefined): Item | undefined {
    const item = this.#items.get(itemId(key))
    if (!item || !names) return item
    const asked = new Set(Object.values(names))
    return Object.fromEntries(Object.entries(item).filter(([name]) => asked.has(name))) as Item
  }

  #query({ IndexName, ExpressionAttributeValues: values = {}, KeyConditionExpression = '', Limit }: QueryCommandInput) {
    const all = this.#entries(IndexName, values[':p'])
    const from = (values[':from'] as string | undefined) ?? ''
    const to = values[':to'] as string | undefined
    const isAfter = KeyConditionExpression.includes('> :from')
    const begin = firstAt(all, from, isAfter)
    const entries: Item[] = []
    let bytes = 0
    let more = false
    for (let at = begin; at < all.length; at += 1) {
      const { sort, item } = all[at] as Entry
      if (to !== undefined && sort > to) break
      entries.push(item)
      for (const [name, value] of Object.entries(item)) bytes += name.length + String(value).length
      more = entries.length === Limit || bytes >= this.#queryBytes
      if (more) break
    }
    this.entries += entries.length
    return { Items: entries, ...(more && { LastEvaluatedKey: {} }) }
  }
}

/** The index of the first entry at or after a sort key. */
function firstAt(entries: readonly Entry[], from: string, isAfter: boolean): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const { sort } = entries[middle] as Entry
    if (isAfter ? sort <= from : sort < from) low = middle + 1
    else high = middle
  }
  return low
}
