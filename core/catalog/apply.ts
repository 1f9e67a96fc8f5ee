import { ifOlderThan, put, readModifyWrite } from '../storage/conditional-writes.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { itemId } from '../storage/item.ts'
import { untilAborted } from '../storage/sending-through.ts'
import type { Storage } from '../storage/storage.ts'
import {
  isOutdated,
  itemOfChange,
  NotApplicable,
  type Parsed,
  type Problem,
  updateEndingTokens,
  type Writer,
} from './kind.ts'
import { paced } from './pace.ts'
import { parse } from './parse.ts'

export type ChangeResult =
  /** A change is skipped if its revision or a newer one is there. */
  | { readonly outcome: 'applied' | 'skipped'; readonly leftOut?: readonly Problem[] | undefined }
  | { readonly outcome: 'refused'; readonly problems: readonly Problem[] }
  /** Sending it again does no harm. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly cause: unknown }

/**
 * Gives the result of each change, and never rejects. Once the signal aborts, a change that is not
 * applied yet has failed.
 */
export type ApplyChanges = (
  changes: readonly unknown[],
  signal?: AbortSignal,
) => Promise<ChangeResult[]>

/**
 * Applies catalog changes (docs/catalog.md). A writer applies those of one thing one after the
 * other, and all others side by side. It slows down when the database throttles.
 * @param clock in milliseconds since the epoch
 */
export function catalogWriter(storage: Storage, clock: { now(): number }): ApplyChanges {
  let throttling: unknown
  const pacing = paced(storage, (error) => {
    throttling = error
  })
  const shared = { storage: pacing, now: clock.now, named: new Map() }
  return async (changes, signal) => {
    throttling = undefined
    const writer = signal ? { ...shared, storage: untilAborted(shared.storage, signal) } : shared
    // The signal ends calls of the storage. A writer that waits between calls must end as well. If
    // the database has throttled it, the failure says so.
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(throttling ?? signal.reason)),
    )
    // It may reject while no change waits for it.
    aborted.catch(() => {})
    const all = changes.map((change, index) => ({ index, parsed: parse(change) }))
    const ofEachThing = Map.groupBy(all, ({ index, parsed }) =>
      'problems' in parsed ? index : itemId(parsed.key),
    )
    const results: ChangeResult[] = []
    await inParallel([...ofEachThing.values()], async (changesOfOne) => {
      for (const { index, parsed } of changesOfOne) {
        results[index] =
          'problems' in parsed
            ? { outcome: 'refused', ...parsed }
            : await Promise.race([aborted, applyOne(writer, parsed)]).catch(failure)
      }
    })
    return results
  }
}

/** Gives the result of each change as if nothing were stored. It reads and writes no table. */
export function checkChanges(changes: readonly unknown[]): ChangeResult[] {
  return changes.map((change) => {
    const parsed = parse(change)
    return 'problems' in parsed
      ? { outcome: 'refused', ...parsed }
      : { outcome: 'applied', leftOut: parsed.leftOut }
  })
}

async function applyOne(writer: Writer, parsed: Parsed): Promise<ChangeResult> {
  const { kind, leftOut } = parsed
  const isApplied = await (kind.write?.(writer, parsed) ?? writeItem(writer, parsed))
  await kind.followUp?.(writer, parsed)
  return { outcome: isApplied ? 'applied' : 'skipped', leftOut }
}

function failure(error: unknown): ChangeResult {
  if (error instanceof NotApplicable) return { outcome: 'refused', problems: [error.problem] }
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { outcome: 'failed', reason, cause: error }
}

async function writeItem(writer: Writer, parsed: Parsed): Promise<boolean> {
  const { storage, now } = writer
  const { kind, key, change } = parsed
  const { op, revision, data } = change
  const item = itemOfChange(parsed, now())
  const also = op === 'delete' ? updateEndingTokens(writer, kind, data) : undefined
  if (revision !== undefined && !kind.fromStored)
    return put(storage, kind.table, { ...item, revision }, ifOlderThan(revision), also)
  const written = await readModifyWrite(storage, kind.table, key, (stored, version) => {
    const known = stored?.revision
    if (isOutdated(revision, known)) return { item: undefined }
    const fromStored = kind.fromStored?.(item, stored, version)
    return { item: { ...item, ...fromStored, revision: revision ?? known }, also }
  })
  return written.item !== undefined
}
