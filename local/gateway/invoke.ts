import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'

type Invocation<Event> = {
  readonly functionName: string
  readonly run: (event: Event, context: Context) => Promise<unknown>
  readonly event: unknown
  readonly timeoutMs: number
}

export type InvocationOutcome =
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed out' }
  | { readonly kind: 'event too large' }
  | { readonly kind: 'result too large' }

/** What Lambda's "6 MB" comes to, measured on the JSON that crosses the wire. */
export const LAMBDA_PAYLOAD_LIMIT = 6_291_556

/** Events and results cross as JSON, as they do on AWS: nothing is shared, and what JSON cannot hold is an error. */
export async function invoke<Event>({
  functionName,
  run,
  event,
  timeoutMs,
}: Invocation<Event>): Promise<InvocationOutcome> {
  const sent = JSON.stringify(event)
  if (Buffer.byteLength(sent) > LAMBDA_PAYLOAD_LIMIT) return { kind: 'event too large' }

  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<InvocationOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timed out' }), timeoutMs)
  })
  const payloadOf = async (): Promise<InvocationOutcome> => {
    const result = await run(JSON.parse(sent) as Event, createContext(functionName, timeoutMs))
    // Lambda's Node.js runtime answers `null` for undefined, and for a function or symbol too.
    const payload = JSON.stringify(result) ?? 'null'
    const isTooLarge = Buffer.byteLength(payload) > LAMBDA_PAYLOAD_LIMIT
    return isTooLarge ? { kind: 'result too large' } : { kind: 'returned', payload }
  }
  try {
    return await Promise.race([timeout, payloadOf()])
  } catch (error) {
    return { kind: 'threw', error }
  } finally {
    clearTimeout(timer)
  }
}

function createContext(functionName: string, timeoutMs: number): Context {
  const deadline = performance.now() + timeoutMs
  return {
    awsRequestId: randomUUID(),
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    memoryLimitInMB: '1024',
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  }
}
