import { untilAborted } from '@embed-access/core/storage/until-aborted.ts'
import type { Runtime } from './runtime.ts'
import type { StorageSource } from './storage.ts'

/** The longest that a function's start waits for its warm-up, in milliseconds. Lambda allows 10 seconds for all of it. */
const limitMs = 2000

/**
 * The first time, code is compiled as it is called. The second time, V8 knows the kinds of values that it is called
 * with.
 */
const times = 2

/**
 * A rehearsal logs nothing, and its tokens ended in 1971. Writing an empty text makes no line, but opens the output.
 */
const unheard = { now: () => Date.UTC(1971), log: () => process.stdout.write(''), deadLetters: async () => [] }

const context = { awsRequestId: '', getRemainingTimeInMillis: () => 60_000 }

/** Requests that the handler answers with success if everything is there. Handlers may change them. */
export type Rehearsal<Parts, Event> = (runtime: Parts) => readonly Event[] | Promise<readonly Event[]>

/**
 * While a function starts, does what its first request would do for the first time. It opens connections, and the
 * handler answers requests over storage that sends nothing. A warm-up that fails or takes too long stops no function.
 */
export async function warmUp<Parts, Event>(
  create: (runtime: Parts) => (event: Event, context: never) => Promise<unknown>,
  runtime: Parts & Partial<Pick<Runtime, 'storage'>>,
  source: StorageSource | undefined,
  rehearsal: Rehearsal<Parts, Event>,
): Promise<void> {
  const { storage } = runtime
  const rehearse = async () => {
    const parts = { ...runtime, ...unheard, ...(source && storage && { storage: source.rehearsal(storage) }) }
    const handler = create(parts)
    for (let time = 0; time < times; time += 1) {
      for (const request of await rehearsal(parts)) await handler(request, context as never)
    }
  }
  const limit = new AbortController()
  const end = new Promise((resolve) => limit.signal.addEventListener('abort', resolve))
  const timer = setTimeout(() => limit.abort(), limitMs)
  const reads = storage && source?.firstReads(untilAborted(storage, limit.signal))
  await Promise.race([end, Promise.allSettled([rehearse(), reads])])
  clearTimeout(timer)
}
