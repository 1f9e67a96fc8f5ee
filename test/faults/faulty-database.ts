import { randomUUID } from 'node:crypto'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Answer } from './answers.ts'
import type { Attempt, Effect, Fault } from './faults.ts'
import { real } from './passing-time.ts'

export type Caller = 'the function' | 'the authorizer' | 'anybody'

/** What a fault did, and to whose call. */
export type Strike = { readonly effect: Effect; readonly caller: Caller }

type Request = { readonly headers: Record<string, string>; readonly body: Uint8Array }
type Options = { readonly abortSignal?: AbortSignal }
type Handler = { handle(request: Request, options?: Options): Promise<{ response: Answer }> }

/** The limit of time of the SDK's own handler (`core/storage/client.ts`), which it has from the real one in {@link silence}. */
const limitMs = 1500

/** Stands between the SDK and the engine, and does to calls what the fault in force says. */
export function faultyDatabase({ client, tables }: Storage) {
  const config = client.config as unknown as { requestHandler: Handler }
  const engine = config.requestHandler
  const state = {
    /** The fault in force, and whose calls it concerns. */
    fault: undefined as Fault | undefined,
    caller: 'the function' as Caller,
    /** How many of these calls it spares before it strikes, and how many it strikes then. */
    spares: 0,
    times: Number.POSITIVE_INFINITY,
    /** Attempts since the last reset, by the call that they belong to. */
    attempts: new Map<string, number>(),
    /** The attempts that a fault has struck. */
    struck: [] as Strike[],
    /** Settles when everything that was left for later is done. */
    later: [] as Promise<unknown>[],
  }

  const isConcerned = (fault: Fault | undefined, operation: string, body: Record<string, unknown>): fault is Fault => {
    if (!fault || state.times <= 0 || !(fault.concerns ?? /./).test(operation)) return false
    return state.caller === 'anybody' || callerOf(body, tables) === state.caller
  }

  const handler: Handler = {
    async handle(request, options = {}) {
      const operation = request.headers['x-amz-target']?.split('.')[1] ?? ''
      const body = JSON.parse(new TextDecoder().decode(request.body)) as Record<string, unknown>
      // Only what the SDK may try again has an id.
      const call = request.headers['amz-sdk-invocation-id'] ?? randomUUID()
      options.abortSignal?.throwIfAborted()
      state.attempts.set(call, (state.attempts.get(call) ?? 0) + 1)
      const forward = async () => (await real(engine.handle(request))).response
      const { fault } = state
      if (!isConcerned(fault, operation, body)) return { response: await forward() }
      if (state.spares > 0) {
        state.spares -= 1
        return { response: await forward() }
      }
      state.times -= 1
      state.struck.push({ effect: fault.effect, caller: callerOf(body, tables) })
      const attempt: Attempt = {
        operation,
        body,
        forward,
        forwardLater(ms) {
          state.later.push(pass(ms).then(forward))
        },
        silence: () => silence(options.abortSignal),
        pass,
      }
      return { response: await fault.answer(attempt) }
    },
  }
  config.requestHandler = Object.assign(Object.create(engine), handler)
  return state
}

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' })),
      limitMs,
    )
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(Object.assign(new Error('aborted'), { name: 'AbortError' }))
    })
  })
}

/** The authorizer alone reads keys and users, and notes the use of keys. */
function callerOf({ TableName, RequestItems }: Record<string, unknown>, { credentials }: Storage['tables']): Caller {
  return TableName === credentials || Object.hasOwn(RequestItems ?? {}, credentials) ? 'the authorizer' : 'the function'
}
