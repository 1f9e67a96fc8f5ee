import { parseJson } from '../json.ts'
import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { isThrottled } from '../storage/unavailable.ts'
import { linesOf } from './export.ts'
import type { Parsed } from './kind.ts'
import { paced } from './pace.ts'
import { parse } from './parse.ts'
import { quoted } from './quoted.ts'

/**
 * Finds the changes that say something else of their thing than what is stored under the same revision. Such a change is
 * skipped, whatever it says.
 * @returns their indexes, with the thing's name
 */
export async function differing(storage: Storage, changes: readonly unknown[]): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  const all = changes.map(parse).map((parsed) => ('problems' in parsed ? undefined : parsed))
  for (const table of ['catalog', 'credentials'] as const) {
    const keys = all.flatMap((parsed) => (parsed?.kind.table === table ? [parsed.key] : []))
    const items = keys.length > 0 ? await patientGet(storage, keys, table) : new Map<string, Item>()
    for (const [index, parsed] of all.entries()) {
      const item = parsed?.kind.table === table && items.get(itemId(parsed.key))
      if (item && differs(parsed, item)) found.set(index, nameOf(changes[index]))
    }
  }
  return found
}

/** Goes on until nothing is throttled, as the writer does. */
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

function differs(change: Parsed, item: Item): boolean {
  for (const line of linesOf(item)) {
    const stored = parse(parseJson(line))
    if ('problems' in stored || stored.kind !== change.kind || itemId(stored.key) !== itemId(change.key)) continue
    return stored.change.revision === change.change.revision && contentOf(stored) !== contentOf(change)
  }
  return false
}

const contentOf = ({ change, content }: Parsed): string => `${change.op} ${JSON.stringify(content)}`

/**
 * A change's thing as a person names it.
 * @param change a valid one
 * @example nameOf(change) // 'workbook 100', or 'share {"deploymentId":1,…}'
 */
export function nameOf(change: unknown): string {
  const parsed = parse(change)
  if ('problems' in parsed) return 'a change'
  const { kind } = parsed
  const { id, ...fields } = parsed.change.data as { id?: unknown }
  if (id !== undefined) return `${kind.name} ${typeof id === 'number' ? id : quoted(id)}`
  const own = 'entries' in kind.identity ? Object.keys(kind.identity.entries as object) : Object.keys(fields)
  return `${kind.name} ${quoted(Object.fromEntries(Object.entries(fields).filter(([field]) => own.includes(field))))}`
}
