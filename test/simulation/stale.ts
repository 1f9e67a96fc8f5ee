import type { Item, ItemKey } from '@embed-access/core/storage/batch-get.ts'
import type { Random } from './random.ts'
import { keyOf, type Stale, type Table } from './table.ts'

/**
 * What an eventually consistent read sees instead of the newest: either all as it was some writes ago, or each item as it
 * was at a moment of its own. The next read may see an older state than this one.
 */
export function stale(table: Table, lag: number, random: Random): Stale {
  const items = new Map<string, Item | undefined>()
  if (lag === 0 || random.chance(0.3)) return items
  const { writes } = table
  const together = random.chance(0.5) ? random.between(0, lag) : undefined
  const behind = new Map<string, number>()
  for (let back = 1; back <= Math.min(together ?? lag, writes.length); back += 1) {
    const { id, before } = writes[writes.length - back] as (typeof writes)[number]
    const own = together ?? behind.get(id) ?? random.between(0, lag)
    behind.set(id, own)
    if (back <= own) items.set(id, before)
  }
  return items
}

/** The items that were written since a table had a number of writes, as they were then, for the keys that are meant. */
export function asItWas(table: Table, writes: number, isMeant: (key: ItemKey) => boolean): Stale {
  const items = new Map<string, Item | undefined>()
  for (const { id, before } of table.writes.slice(writes)) {
    if (!items.has(id) && isMeant(keyOf(id))) items.set(id, before)
  }
  return items
}

/** Only what is meant of it. */
export const only = (stale: Stale, isMeant: (key: ItemKey) => boolean): Stale =>
  new Map([...stale].filter(([id]) => isMeant(keyOf(id))))
