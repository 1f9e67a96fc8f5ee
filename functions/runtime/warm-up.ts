import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import type { FunctionRecord } from '../operations/record.ts'
import type { Definition, Parts, Uses } from './runtime.ts'

/**
 * The longest that a function's start waits for its warm-up, in milliseconds. Lambda allows 10
 * seconds for all of it.
 */
const limitMs = 2000

/**
 * The first time, code is compiled as it is called. The second time, V8 knows the kinds of values
 * that it gets.
 */
const times = 2

/**
 * A warm-up needs no edge, and its tokens ended in 1971. Writing an empty text makes no line, but
 * opens the output.
 */
const unheard = {
  edge: undefined,
  now: () => Date.UTC(1971),
  log: () => process.stdout.write(''),
  deadLetters: async () => [],
}

/**
 * While a function starts, does what its first request would do for the first time. It opens
 * connections, and another handler answers warm-up requests over storage that sends nothing. A
 * warm-up that fails or takes too long stops no function.
 */
export async function warmUp<Used extends Uses, Event, Result>(
  { uses, create, warmUpRequests }: Definition<Used, Event, Result>,
  tables: FunctionRecord['tables'],
  parts: Parts<Used>,
): Promise<void> {
  const { storage } = parts
  const answerRequests = async () => {
    const unsent = storage && uses.storage && { storage: uses.storage.sendingNothing(storage) }
    const own = { ...parts, ...unheard, ...unsent }
    const handler = create(own)
    for (let time = 0; time < times; time += 1) {
      for (const request of await warmUpRequests(own)) await handler(request, newContext())
    }
  }
  const limit = new AbortController()
  const end = new Promise((resolve) => limit.signal.addEventListener('abort', resolve))
  const timer = setTimeout(() => limit.abort(), limitMs)
  const reads = storage && uses.storage?.firstReads(untilAborted(storage, limit.signal), tables)
  await Promise.race([end, Promise.allSettled([answerRequests(), reads])])
  clearTimeout(timer)
}

const newContext = () => ({ awsRequestId: '', getRemainingTimeInMillis: () => 60_000 }) as never
