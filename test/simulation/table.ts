import type { Item, ItemKey } from '@embed-access/core/storage/item.ts'
import { keyAttributes, type TableDefinition } from '@embed-access/core/storage/tables.ts'
import type { Random } from './random.ts'

/** A write that an eventually consistent read may not have seen yet. */
type Write = { readonly id: string; readonly before: Item | undefined; readonly at: number }

/**
 * What an eventually consistent read sees in place of the newest: items as they were, by their id.
 */
export type Stale = ReadonlyMap<string, Item | undefined>

type Keys = { readonly partitionKey: string; readonly sortKey?: string }

export const idOf = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`

function keyOf(id: string): ItemKey {
  const [pk = '', sk = ''] = id.split('\n')
  return { pk, sk }
}

/** A table with its indexes, and the writes that made it. */
export class Table {
  readonly writes: Write[] = []
  /** The clock, in milliseconds. */
  readonly now: () => number
  readonly #definition: TableDefinition
  readonly #keyAttributes: readonly string[]
  readonly #items = new Map<string, Item>()
  /** The items of each partition that was read since the last write, in order. */
  readonly #partitions = new Map<string, readonly Item[]>()

  constructor(definition: TableDefinition, now: () => number) {
    this.now = now
    this.#definition = definition
    this.#keyAttributes = keyAttributes(definition)
  }

  item(id: string): Item | undefined {
    return this.#items.get(id)
  }

  /** All items, in no order. */
  items(stale: Stale): Item[] {
    const unchanged = [...this.#items].flatMap(([id, item]) => (stale.has(id) ? [] : [item]))
    return [...unchanged, ...[...stale.values()].filter((item) => item !== undefined)]
  }

  /** Puts an item, or takes it away. */
  write(id: string, item: Item | undefined): void {
    const before = this.#items.get(id)
    this.writes.push({ id, before, at: this.now() })
    if (item) this.#items.set(id, item)
    else this.#items.delete(id)
    this.#partitions.clear()
  }

  /** @throws Error if a key of the table or an index is no text, or an empty one */
  requireKeys(item: Item): void {
    const { partitionKey, sortKey } = this.#definition
    for (const name of this.#keyAttributes) {
      const value = item[name]
      const isRequired = name === partitionKey || name === sortKey
      const isText = typeof value === 'string' && value !== ''
      if (value === undefined ? isRequired : !isText) {
        throw new Error(
          `The key attribute ${name} must be text that is not empty, not ${JSON.stringify(value)}.`,
        )
      }
    }
  }

  /**
   * The items of a partition that have the sort key of the index, ordered by it, then by the keys
   * of the table.
   */
  partition(index: string | undefined, partition: unknown, stale: Stale): readonly Item[] {
    const key = `${index}\n${partition}`
    const keys = this.keysOf(index)
    const isIn = (item: Item) =>
      item[keys.partitionKey] === partition && (!keys.sortKey || item[keys.sortKey] !== undefined)
    const read = () => this.items(stale).filter(isIn).sort(orderOf(keys))
    if (stale.size > 0) return read()
    const items = this.#partitions.get(key) ?? read()
    this.#partitions.set(key, items)
    return items
  }

  keysOf(index: string | undefined): Keys {
    const keys =
      index === undefined
        ? this.#definition
        : this.#definition.indexes.find(({ name }) => name === index)
    if (!keys) throw new Error(`There is no index ${index}.`)
    return keys
  }

  /** The attributes that an index has of its items; undefined: all. */
  attributesOf(index: string | undefined): readonly (string | undefined)[] | undefined {
    const found = this.#definition.indexes.find(({ name }) => name === index)
    if (!found || found.carries === 'all') return undefined
    return ['pk', 'sk', found.partitionKey, found.sortKey, ...found.carries]
  }
}

/** Orders by UTF-16 units. For keys without surrogates, this is the order of their bytes. */
export const orderOf =
  ({ sortKey = 'pk' }: Keys) =>
  (one: Item, other: Item): number => {
    for (const name of [sortKey, 'pk', 'sk']) {
      const [a, b] = [one[name] ?? '', other[name] ?? ''] as [string, string]
      if (a !== b) return a < b ? -1 : 1
    }
    return 0
  }

/** How late an eventually consistent read may be, in milliseconds. */
export const mostLate = 2000

/**
 * What an eventually consistent read sees instead of the newest: either all as it was some writes
 * ago, or each item as it was at a moment of its own, but never longer ago than {@link mostLate}.
 * The next read may see an older state than this one.
 */
export function stale(table: Table, lag: number, random: Random): Stale {
  const items = new Map<string, Item | undefined>()
  if (lag === 0 || random.chance(0.3)) return items
  const { writes } = table
  const together = random.chance(0.5) ? random.between(0, lag) : undefined
  const behind = new Map<string, number>()
  for (let back = 1; back <= Math.min(together ?? lag, writes.length); back += 1) {
    const { id, before, at } = writes[writes.length - back] as (typeof writes)[number]
    if (at <= table.now() - mostLate) break
    const own = together ?? behind.get(id) ?? random.between(0, lag)
    behind.set(id, own)
    if (back <= own) items.set(id, before)
  }
  return items
}

/**
 * The items that were written since a table had a number of writes, as they were then, for the keys
 * that are meant.
 */
export function asItWas(table: Table, writes: number, isMeant: (key: ItemKey) => boolean): Stale {
  const items = new Map<string, Item | undefined>()
  for (const { id, before } of table.writes.slice(writes)) {
    if (!items.has(id) && isMeant(keyOf(id))) items.set(id, before)
  }
  return items
}

/** The items whose keys are meant. */
export const only = (stale: Stale, isMeant: (key: ItemKey) => boolean): Stale =>
  new Map([...stale].filter(([id]) => isMeant(keyOf(id))))
