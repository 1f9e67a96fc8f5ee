import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import type { Context } from 'aws-lambda'

type Invocation<Event> = {
  functionName: string
  run: (event: Event, context: Context) => Promise<unknown>
  event: unknown
  timeoutMs: number
  log: (line: string) => void
}

type Failure = 'threw' | 'timed out' | 'event too large' | 'result too large'
type Outcome = { payload: string; failure?: never } | { payload?: never; failure: Failure }

/** What Lambda calls 6 MB: the bytes of an event's or a result's JSON. */
export const lambdaPayloadLimit = 6_291_556

/**
 * Runs a function as Lambda does. Event and result are passed as JSON, so caller and function share
 * no object, and what can't be JSON is an error.
 */
export async function invoke<Event>(invocation: Invocation<Event>): Promise<Outcome> {
  const { functionName, run, event, timeoutMs, log } = invocation
  const failed = (failure: Failure, error?: unknown): Outcome => {
    log(`${functionName} ${failure}${error === undefined ? '' : `: ${inspect(error)}`}`)
    return { failure }
  }
  const sent = JSON.stringify(event)
  if (Buffer.byteLength(sent) > lambdaPayloadLimit) return failed('event too large')

  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  // JSON.stringify has no text for undefined, a function or a symbol. Lambda answers `null` then.
  const payloadOf = async () =>
    JSON.stringify(await run(JSON.parse(sent), contextOf(functionName, timeoutMs))) ?? 'null'
  try {
    const payload = await Promise.race([timeout, payloadOf()])
    if (typeof payload !== 'string') return failed('timed out')
    return Buffer.byteLength(payload) > lambdaPayloadLimit
      ? failed('result too large')
      : { payload }
  } catch (error) {
    return failed('threw', error)
  } finally {
    clearTimeout(timer)
  }
}

/** Lambda's context, as far as a function here reads it. */
function contextOf(functionName: string, timeoutMs: number): Context {
  const deadline = performance.now() + timeoutMs
  return {
    awsRequestId: randomUUID(),
    functionName,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
  } as Context
}
