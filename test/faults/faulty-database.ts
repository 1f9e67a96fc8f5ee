import { randomUUID } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { Database } from '../simulation/database.ts'
import type { Fault } from './faults.ts'
import { passTime } from './passing-time.ts'
import { type Answer, answerFrom } from './wire.ts'

export type Caller = 'the function' | 'the authorizer'

/** What goes wrong while something is done. */
export type Trouble = {
  /** The fault of the next attempt, if it has one. */
  readonly fault?: () => Fault | undefined
  /** Whose calls it concerns. Left out: all. */
  readonly caller?: Caller
  /**
   * How many of these attempts it spares before it strikes, and how many it strikes then. Left out:
   * none, and all.
   */
  readonly spares?: number
  readonly times?: number
}

type Request = { readonly headers: Record<string, string>; readonly body: Uint8Array }
type Options = { readonly abortSignal?: AbortSignal }
type Handler = { handle(request: Request, options?: Options): Promise<{ response: Answer }> }

/** The limit of time of the SDK's own handler (`core/storage/client.ts`). */
const limitMs = 1500

/** A new client of the simulated database, whose calls can be made to fail between the two. */
export function faultyDatabase(database: Database) {
  const storage = connect(database.tables, 'http://simulated.test')
  const config = storage.client.config as unknown as { requestHandler: Handler }
  let trouble: Trouble = {}
  /** How many attempts each call took. */
  const attempts = new Map<string, number>()
  /** What each call asks for, such as `Put`. */
  const calls: string[] = []
  let ofCaller = 0
  let concerned = 0
  const struck: number[] = []
  const later: Promise<unknown>[] = []

  function faultOf(operation: string, body: Record<string, unknown>): Fault | undefined {
    const { caller, spares = 0, times = Number.POSITIVE_INFINITY } = trouble
    const fault = trouble.fault?.()
    if (!fault || (caller && callerOf(body, database.tables) !== caller)) return undefined
    ofCaller += 1
    if (fault.concerns && !fault.concerns.test(operation)) return undefined
    concerned += 1
    if (concerned <= spares || concerned > spares + times) return undefined
    struck.push(ofCaller - 1)
    return fault
  }

  const handler: Handler = {
    async handle(request, { abortSignal } = {}) {
      const operation = request.headers['x-amz-target']?.split('.')[1] ?? ''
      const body = JSON.parse(new TextDecoder().decode(request.body)) as Record<string, unknown>
      abortSignal?.throwIfAborted()
      // Only what the SDK may try again has an id.
      const call = request.headers['amz-sdk-invocation-id'] ?? randomUUID()
      if (!attempts.has(call)) calls.push(operation.replace(/Items?$/, ''))
      attempts.set(call, (attempts.get(call) ?? 0) + 1)
      const forward = async (sent: object = body) => answerFrom(database, operation, sent)
      const fault = faultOf(operation, body)
      if (!fault) return { response: await forward() }
      const forwardLater = (ms: number) => {
        later.push(pass(ms).then(() => forward()))
      }
      const silence = () => silenceUntil(abortSignal)
      return { response: await fault.answer({ body, forward, forwardLater, silence, pass }) }
    },
  }
  config.requestHandler = Object.assign(Object.create(config.requestHandler), handler)

  return {
    storage,
    /**
     * Does something in virtual time while calls go wrong, and waits for what comes late.
     * @returns `struck`: which attempts of the caller failed, from 0 on
     */
    async under<Result>(now: Trouble, act: () => Promise<Result>) {
      // What the SDK reads once, from files too, is read before.
      await storage.client.send(
        new GetCommand({ TableName: database.tables.catalog, Key: { pk: 'no', sk: 'no' } }),
      )
      trouble = now
      attempts.clear()
      calls.length = 0
      ofCaller = 0
      concerned = 0
      struck.length = 0
      return passTime(async () => {
        const start = performance.now()
        const result = await act()
        const ms = performance.now() - start
        const made = { attempts: [...attempts.values()], calls: [...calls], struck: [...struck] }
        trouble = {}
        await Promise.allSettled(later.splice(0))
        return { result, ms, ...made }
      })
    },
  }
}

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function silenceUntil(signal: AbortSignal | undefined): Promise<never> {
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
function callerOf(
  { TableName, RequestItems }: Record<string, unknown>,
  { credentials }: Storage['tables'],
): Caller {
  return TableName === credentials || Object.hasOwn(RequestItems ?? {}, credentials)
    ? 'the authorizer'
    : 'the function'
}
