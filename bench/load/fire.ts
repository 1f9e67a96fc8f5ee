import type { EventEmitter } from 'node:events'
import { load } from './packages.ts'
import type { Shot } from './requests.ts'

/** What autocannon takes and gives, as far as it is used here. */
type Autocannon = (options: object) => PromiseLike<Result> & EventEmitter
type Result = { readonly errors: number; readonly timeouts: number; readonly resets: number }

export type Fired = {
  readonly seconds: number
  /** Milliseconds of each request. */
  readonly latencies: readonly number[]
  /** The number of requests without an answer and of wrong answers. */
  readonly wrong: number
  /** The first wrong answer. */
  readonly firstWrong?: string | undefined
}

/**
 * Sends requests over some connections, one after the other on each. Every answer is checked.
 * @param shots sent in turn on each connection
 * @param until the number of requests in all, or of seconds, after which it ends
 */
export async function fire(
  url: string,
  shots: readonly Shot[],
  connections: number,
  until: { readonly amount: number } | { readonly duration: number },
): Promise<Fired> {
  const autocannon = load<Autocannon>('autocannon')
  const latencies: number[] = []
  let wrong = 0
  let firstWrong: string | undefined
  const requests = shots.map(({ method, path, headers, body, isRight }) => ({
    method,
    path,
    headers,
    ...(body && { setupRequest: (request: object) => ({ ...request, body: body() }) }),
    onResponse: (status: number, text: string) => {
      if (isRight(status, text)) return
      wrong += 1
      firstWrong ??= `${method} ${path}: ${status} ${text.slice(0, 300)}`
    },
  }))
  const begun = performance.now()
  let ended = begun
  const running = autocannon({ url, requests, connections, ...until, sampleInt: 100, timeout: 30 })
  running.on('response', (_client: unknown, _status: number, _bytes: number, milliseconds: number) => {
    latencies.push(milliseconds)
    ended = performance.now()
  })
  const { errors, timeouts, resets } = await running
  return { seconds: (ended - begun) / 1000, latencies, wrong: wrong + errors + timeouts + resets, firstWrong }
}
