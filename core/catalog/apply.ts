import { inParallel } from '../storage/in-parallel.ts'
import type { Storage } from '../storage/storage.ts'
import { isDatabaseUnavailable } from '../storage/unavailable.ts'
import { newVersion } from '../storage/version.ts'
import { NotApplicable, type Outcome, type Problem } from './change.ts'
import { ifOlderThan, put, readModifyWrite } from './conditional-put.ts'
import { type Parsed, thingId, tombstoneOf } from './kind.ts'
import { parse } from './parse.ts'
import { newWriter, type Writer } from './writer.ts'

export type ChangeResult =
  /** `leftOut`: fields that this version doesn't know, such as `/data/shade`. The change was applied without them. */
  | { readonly outcome: Outcome; readonly leftOut?: readonly Problem[] }
  | { readonly outcome: 'refused'; readonly problems: readonly Problem[] }
  /** `retryable`: the same change may succeed a moment later. Sending it again does no harm in any case. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryable: boolean; readonly cause: unknown }

/**
 * Applies catalog changes (catalog contract), and says of each what became of it. It never rejects.
 * @param signal when it aborts, every change that is not applied yet has failed
 */
export type ApplyChanges = (changes: readonly unknown[], signal?: AbortSignal) => Promise<ChangeResult[]>

/**
 * Any number of writers may apply changes at once, in any order. A writer applies those of one thing one after the other, and
 * all others side by side. It slows down when the database throttles.
 * @param clock in milliseconds since the epoch
 */
export function catalogWriter(storage: Storage, clock: { now(): number }): ApplyChanges {
  const writer = newWriter(storage, clock.now)
  return (changes, signal) => applyAll(signal ? writer.until(signal) : writer, changes, signal)
}

/** Applies one batch of changes, as {@link catalogWriter} does. */
export const applyChanges = (
  storage: Storage,
  changes: readonly unknown[],
  clock: { now(): number },
): Promise<ChangeResult[]> => catalogWriter(storage, clock)(changes)

/** Says of each change whether it is valid by itself, as {@link applyChanges} would. It reads and writes nothing. */
export function checkChanges(changes: readonly unknown[]): ChangeResult[] {
  return changes.map((change) => {
    const parsed = parse(change)
    return 'problems' in parsed ? { outcome: 'refused', ...parsed } : done('applied', parsed)
  })
}

async function applyAll(writer: Writer, changes: readonly unknown[], signal?: AbortSignal): Promise<ChangeResult[]> {
  const aborted = signal && whenAborted(signal)
  const results: ChangeResult[] = []
  const valid: { readonly index: number; readonly parsed: Parsed }[] = []
  for (const [index, change] of changes.entries()) {
    const parsed = parse(change)
    if ('problems' in parsed) results[index] = { outcome: 'refused', ...parsed }
    else valid.push({ index, parsed })
  }
  const ofEachThing = Map.groupBy(valid, ({ parsed: { kind, key } }) => thingId(kind.name, key))
  await inParallel([...ofEachThing.values()], async (changesOfOne) => {
    for (const { index, parsed } of changesOfOne) results[index] = await applyOne(writer, parsed, aborted)
  })
  return results
}

/** Rejects when the signal aborts. If it has aborted already, the storage refuses each call. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason))
  promise.catch(() => {})
  return promise
}

async function applyOne(writer: Writer, parsed: Parsed, aborted?: Promise<never>): Promise<ChangeResult> {
  try {
    const applied = applyParsed(writer, parsed)
    return done(await (aborted ? Promise.race([aborted, applied]) : applied), parsed)
  } catch (error) {
    if (error instanceof NotApplicable) return { outcome: 'refused', problems: [error.problem] }
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return { outcome: 'failed', reason, retryable: isDatabaseUnavailable(error), cause: error }
  }
}

const done = (outcome: Outcome, { leftOut }: Parsed): ChangeResult =>
  leftOut.length > 0 ? { outcome, leftOut } : { outcome }

async function applyParsed(writer: Writer, parsed: Parsed): Promise<Outcome> {
  const { kind } = parsed
  const outcome = await (kind.write?.(writer, parsed) ?? writeItem(writer, parsed))
  await kind.after?.(writer, parsed)
  return outcome
}

/** Puts the item of a change, or its tombstone. */
async function writeItem({ storage, now }: Writer, { kind, key, change, content }: Parsed): Promise<Outcome> {
  const { op, revision, data } = change
  const facts = op === 'put' ? content : tombstoneOf(kind, data, now())
  const item = { ...key, kind: kind.name, ...facts, revision, version: newVersion() }
  if (revision !== undefined) {
    return (await put(storage, kind.table, item, ifOlderThan(revision))) ? 'applied' : 'skipped'
  }
  // The known revision stays. If the item has this version already, this change wrote it, and the answer was lost.
  await readModifyWrite(storage, kind.table, key, (stored) =>
    // Stryker disable next-line ConditionalExpression: It writes its own change once more.
    stored?.version === item.version ? undefined : { ...item, revision: stored?.revision },
  )
  return 'applied'
}
