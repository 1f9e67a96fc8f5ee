import type { Item, ItemKey } from '@embed-access/core/storage/batch-get.ts'
import { keyAttributes, type TableDefinition } from '@embed-access/core/storage/tables.ts'
import { ValidationException } from './errors.ts'
import { compareText } from './evaluate.ts'

/** A write as an eventually consistent read may not have seen it yet. */
export type Write = { readonly id: string; readonly before: Item | undefined }

/** What an eventually consistent read sees in place of the newest: items as they were, by their id. */
export type Stale = ReadonlyMap<string, Item | undefined>

const nothingStale: Stale = new Map()

export const idOf = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`

export function keyOf(id: string): ItemKey {
  const [pk = '', sk = ''] = id.split('\n')
  return { pk, sk }
}

const keyOfPartition = (index = '', partition: unknown): string => `${index}\n${partition}`

/** A table with its indexes, and the writes that made it. */
export class Table {
  readonly definition: TableDefinition
  readonly writes: Write[] = []
  readonly #items = new Map<string, Item>()
  /** By index (none for the table itself) and partition. */
  readonly #partitions = new Map<string, Map<string, Item>>()
  /** The same in order, where nothing was written since. */
  readonly #sorted = new Map<string, readonly Item[]>()
  readonly #keyAttributes: readonly string[]

  constructor(definition: TableDefinition) {
    this.definition = definition
    this.#keyAttributes = keyAttributes(definition)
  }

  item(id: string): Item | undefined {
    return this.#items.get(id)
  }

  /** All items, in no order. */
  items(stale: Stale): Item[] {
    const items = [...this.#items].filter(([id]) => !stale.has(id)).map(([, item]) => item)
    return [...items, ...[...stale.values()].filter((item) => item !== undefined)]
  }

  /** Puts an item, or takes it away. */
  write(id: string, item: Item | undefined): void {
    const before = this.#items.get(id)
    this.writes.push({ id, before })
    if (item) this.#items.set(id, item)
    else this.#items.delete(id)
    for (const { name, partitionKey } of this.#indexes()) {
      if (before) this.#partition(name, before[partitionKey]).delete(id)
      if (item) this.#partition(name, item[partitionKey]).set(id, item)
      for (const each of [before, item]) this.#sorted.delete(keyOfPartition(name, each?.[partitionKey]))
    }
  }

  /** @throws ValidationException where a key of the table or an index is no text, or an empty one */
  requireKeys(item: Item): void {
    for (const name of this.#keyAttributes) {
      const value = item[name]
      const required = name === this.definition.partitionKey || name === this.definition.sortKey
      if (value === undefined ? required : typeof value !== 'string' || value === '') {
        throw new ValidationException(`The key attribute ${name} must be text that is not empty.`)
      }
    }
  }

  keysOf(index: string | undefined): { readonly partitionKey: string; readonly sortKey?: string } {
    const keys = index === undefined ? this.definition : this.definition.indexes.find(({ name }) => name === index)
    if (!keys) throw new ValidationException(`There is no index ${index}.`)
    return keys
  }

  /** The items of a partition in order of the sort key, then of the table's own keys. */
  partition(index: string | undefined, partition: string, stale: Stale = nothingStale): readonly Item[] {
    const key = keyOfPartition(index, partition)
    const sorted = (stale.size === 0 && this.#sorted.get(key)) || this.#sort(index, partition, stale)
    if (stale.size === 0) this.#sorted.set(key, sorted)
    return sorted
  }

  #sort(index: string | undefined, partition: string, stale: Stale): Item[] {
    const { partitionKey, sortKey } = this.keysOf(index)
    const items = [...this.#partition(index, partition)].filter(([id]) => !stale.has(id)).map(([, item]) => item)
    for (const item of stale.values()) if (item?.[partitionKey] === partition) items.push(item)
    // An item without the sort key is not in the index.
    const listed = sortKey === undefined ? items : items.filter((item) => item[sortKey] !== undefined)
    const by = (name: string) => (a: Item, b: Item) => compareText(a[name] as string, b[name] as string)
    return listed.sort((a, b) => (sortKey ? by(sortKey)(a, b) : 0) || by('pk')(a, b) || (a.sk ? by('sk')(a, b) : 0))
  }

  /** The attributes of an item that an index has; all of them without one. */
  inIndex(index: string | undefined, item: Item): Item {
    if (index === undefined) return item
    const { partitionKey, sortKey, carries } = this.definition.indexes.find(({ name }) => name === index) ?? {}
    const { pk, sk } = this.definition.sortKey ? { pk: 'pk', sk: 'sk' } : { pk: 'pk', sk: undefined }
    const has = [pk, sk, partitionKey, sortKey, ...(carries ?? [])]
    return Object.fromEntries(Object.entries(item).filter(([name]) => has.includes(name))) as Item
  }

  #indexes(): { readonly name?: string; readonly partitionKey: string }[] {
    return [{ partitionKey: this.definition.partitionKey }, ...this.definition.indexes]
  }

  #partition(index: string | undefined, partition: unknown): Map<string, Item> {
    if (partition === undefined) return new Map()
    const key = keyOfPartition(index, partition)
    const known = this.#partitions.get(key) ?? new Map<string, Item>()
    this.#partitions.set(key, known)
    return known
  }
}
