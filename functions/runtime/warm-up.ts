import type { FunctionRecord } from '../operations/record.ts'
import type { Definition, Parts } from './definition.ts'

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
 * A warm-up needs no edge. Its clock says 1971, so whatever it makes has expired. Writing an empty
 * text makes no line, but it opens the output.
 */
const silent = { edge: undefined, now: () => Date.UTC(1971), log: () => process.stdout.write('') }

/**
 * While a function starts, does the work that would slow its first request. It opens connections,
 * and another handler answers a warm-up request over storage that sends nothing. The function
 * starts even if its warm-up fails or takes too long.
 */
export async function warmUp<Made, Event, Result>(
  definition: Definition<Made, Event, Result>,
  tables: FunctionRecord['tables'],
  parts: Parts<Made>,
): Promise<void> {
  const { storage, create, warmUpRequest, partsForWarmUp = (same) => same } = definition
  const answerRequests = async () => {
    const unsent = storage.sendingNothing(parts.storage)
    const own = partsForWarmUp({ ...parts, ...silent, storage: unsent })
    const handler = create(own)
    for (let time = 0; time < times; time += 1)
      await handler(await warmUpRequest(own), newContext())
  }
  const limit = new AbortController()
  const end = new Promise((resolve) => limit.signal.addEventListener('abort', resolve))
  const timer = setTimeout(() => limit.abort(), limitMs)
  const reads = storage.firstReads(parts.storage, tables, limit.signal)
  await Promise.race([end, Promise.allSettled([answerRequests(), reads])])
  clearTimeout(timer)
}

const newContext = () => ({ awsRequestId: '', getRemainingTimeInMillis: () => 60_000 }) as never
