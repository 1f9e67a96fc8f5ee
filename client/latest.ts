import type { Time } from './time.ts'

/** How long a caller waits for a newer value while the last one counts, in milliseconds. */
const patience = 1000

/** How often it tries to read while there is no value yet, in seconds. */
const firstEvery = 1

type Rhythm = {
  /** How often a value is read, in seconds. */
  readonly every: number
  /** How often a value is read after a failure, or if a caller needs a newer one, in seconds. */
  readonly again: number
  /** How old a value may be, in seconds, while the service does not answer. */
  readonly stale: number
}

export type Latest<Value> = {
  readonly value: Value | undefined
  /** Whether there is a value that is not stale. */
  readonly stillCounts: boolean
  /** Why the last reading failed, if it did. */
  readonly cause: unknown
}

/**
 * Reads what the service publishes when a caller comes and the next reading is due. Callers that
 * come meanwhile share the reading. While no caller comes, nothing runs.
 * @param read returns the next value, which may be the last one again. It must end by itself:
 * only one reading runs at a time
 * @returns a function that gives the latest value. A caller that needs a new one waits for it
 */
export function latestOf<Value>(
  time: Time,
  { every, again, stale }: Rhythm,
  read: (last: Value | undefined) => Promise<Value>,
): (newer?: 'newer') => Promise<Latest<Value>> {
  let held: { readonly value: Value; readonly age: () => number } | undefined
  let cause: unknown
  let sinceReading = () => Infinity
  let reading: Promise<void> | undefined
  let readingOrLate: Promise<void> | undefined
  const stillCounts = () => held !== undefined && held.age() < stale

  async function readNext(age: () => number): Promise<void> {
    try {
      held = { value: await read(held?.value), age }
      cause = undefined
    } catch (error) {
      cause = error
    }
  }

  return async (newer) => {
    const next = newer || cause ? again : every
    const pause = held ? next : firstEvery
    if (!reading && sinceReading() >= pause) {
      sinceReading = time.startStopwatch()
      reading = readNext(sinceReading).finally(() => {
        reading = undefined
      })
      readingOrLate = held && Promise.race([reading, time.pause(patience)])
    }
    if (stillCounts() && !newer) await readingOrLate
    // The value may have become stale meanwhile.
    if (!stillCounts() || newer) await reading
    return { value: held?.value, stillCounts: stillCounts(), cause }
  }
}
