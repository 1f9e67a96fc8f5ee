import { parseJson } from '../json.ts'
import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { isThrottled } from '../storage/unavailable.ts'
import { linesOf } from './export.ts'
import { type Content, contentOf, nameOf, type Parsed } from './kind.ts'
import { paced } from './pace.ts'
import { parse } from './parse.ts'

/** The valid changes that say something else of their thing than what is stored under the same revision, with its name. */
export async function differing(storage: Storage, changes: readonly unknown[]): Promise<Map<unknown, string>> {
  const found = new Map<unknown, string>()
  const all = changes.map((change) => ({ change, parsed: parse(change) as Parsed }))
  for (const [table, those] of Map.groupBy(all, ({ parsed }) => parsed.kind.table)) {
    const keys = those.map(({ parsed }) => parsed.key)
    const items = await patientGet(storage, keys, table)
    for (const { change, parsed } of those) {
      const item = items.get(itemId(parsed.key))
      if (item && differs(parsed, item)) found.set(change, nameOf(parsed.kind, parsed.change.data as Content))
    }
  }
  return found
}

async function patientGet(storage: Storage, keys: readonly ItemKey[], table: TableName): Promise<Map<string, Item>> {
  for (;;) {
    try {
      return await batchGet(paced(storage), keys, { table, consistent: true })
    } catch (error) {
      if (!isThrottled(error)) throw error
      await storage.pause(1000)
    }
  }
}

/** An item has a line for each definition in it too. */
const differs = (parsed: Parsed, item: Item): boolean =>
  linesOf(item)
    .map((line) => parse(parseJson(line)) as Parsed)
    .filter(({ kind, key }) => kind === parsed.kind && itemId(key) === itemId(parsed.key))
    .some((stored) => stored.change.revision === parsed.change.revision && contentOf(stored) !== contentOf(parsed))
