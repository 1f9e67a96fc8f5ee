import { itemId } from '../storage/batch-get.ts'
import { inParallel } from '../storage/in-parallel.ts'
import type { Storage } from '../storage/storage.ts'
import { isDatabaseUnavailable } from '../storage/unavailable.ts'
import { NotApplicable, type Outcome, type Problem } from './change.ts'
import { write } from './item.ts'
import { type Parsed, parse } from './parse.ts'
import { newWriter, type Writer } from './writer.ts'

export type ChangeResult =
  | { readonly outcome: Outcome }
  | { readonly outcome: 'refused'; readonly problems: readonly Problem[] }
  /** `retryable`: the same change may succeed a moment later. Sending it again does no harm in any case. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryable: boolean; readonly cause: unknown }

/** Applies catalog changes (catalog contract), and says of each what became of it. It never rejects. */
export type ApplyChanges = (changes: readonly unknown[]) => Promise<ChangeResult[]>

/**
 * Applies changes, batch after batch. Any number of writers may do so at once, in any order. Changes of one thing are
 * applied one after the other, all others side by side; none stops another. Where the database throttles, it slows down.
 * @param clock in milliseconds since the epoch
 */
export function catalogWriter(storage: Storage, clock: { now(): number }): ApplyChanges {
  const writer = newWriter(storage, clock.now)
  return (changes) => applyAll(writer, changes)
}

/** Applies one batch of changes, as {@link catalogWriter} does. */
export const applyChanges = (
  storage: Storage,
  changes: readonly unknown[],
  clock: { now(): number },
): Promise<ChangeResult[]> => catalogWriter(storage, clock)(changes)

/** What {@link applyChanges} would say as far as that can be told without a look at what is there; nothing is applied. */
export function checkChanges(changes: readonly unknown[]): ChangeResult[] {
  return changes.map((change) => {
    const parsed = parse(change)
    return 'problems' in parsed ? { outcome: 'refused', ...parsed } : { outcome: 'applied' }
  })
}

async function applyAll(writer: Writer, changes: readonly unknown[]): Promise<ChangeResult[]> {
  const results: ChangeResult[] = []
  const ofEachThing = new Map<string, { index: number; parsed: Parsed }[]>()
  for (const [index, change] of changes.entries()) {
    const parsed = parse(change)
    if ('problems' in parsed) {
      results[index] = { outcome: 'refused', ...parsed }
      continue
    }
    const thing = `${parsed.kind.name} ${itemId(parsed.key)}`
    const before = ofEachThing.get(thing)
    if (before) before.push({ index, parsed })
    else ofEachThing.set(thing, [{ index, parsed }])
  }
  await inParallel([...ofEachThing.values()], async (changesOfOne) => {
    for (const { index, parsed } of changesOfOne) results[index] = await applyOne(writer, parsed)
  })
  return results
}

async function applyOne(writer: Writer, { kind, change, attributes }: Parsed): Promise<ChangeResult> {
  try {
    if (change.op === 'put') await kind.before?.(writer, change.data)
    const outcome = await (kind.write
      ? kind.write(writer, change)
      : write(writer.storage, kind, change, writer.now(), attributes))
    await kind.after?.(writer, change)
    return { outcome }
  } catch (error) {
    if (error instanceof NotApplicable) return { outcome: 'refused', problems: [error.problem] }
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return { outcome: 'failed', reason, retryable: isDatabaseUnavailable(error), cause: error }
  }
}
