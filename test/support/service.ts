import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, expect } from 'vitest'
import { createLocalService, type LocalService } from '../../local/service.ts'
import { checkResponses, requestMismatchesOf } from '../contract/conformance.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { acmeDeployment, people } from './catalog.ts'
import { connectToEngine, isAnotherEngine } from './database.ts'
import { applyAll, fill, fillTables } from './filled-tables.ts'
import { testLog } from './log.ts'
import { listening } from './temporary.ts'
import { startOfTime } from './time.ts'

export * from './catalog.ts'
export { startOfTime }

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any
}

export type Call = {
  readonly key?: string
  readonly authorization?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/**
 * The service over tables that are filled: functions of its own, behind a gateway of its own. It
 * does not listen yet.
 */
export const startService = (
  options: Pick<LocalService, 'storage'> & Partial<LocalService>,
): Promise<Server> =>
  createLocalService({
    now: () => startOfTime,
    issuer: 'https://embed.test',
    corsOrigins: ['https://app.acme.example'],
    log: () => {},
    ...options,
  })

export const headersOf = ({
  key,
  authorization = key && `Bearer ${key}`,
  headers,
  body,
}: Call) => ({
  ...(authorization !== undefined && { authorization }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...headers,
})

/** Sends a request with the body of a call, and reads the answer. */
export async function replyTo(sent: ClientRequest, { body }: Call): Promise<Reply> {
  sent.end(typeof body === 'string' ? body : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headers } = response
  const bytes = await buffer(response)
  const isGzip = headers['content-encoding'] === 'gzip'
  const text = (isGzip ? gunzipSync(bytes) : bytes).toString()
  const isJson = headers['content-type']?.includes('json')
  return {
    status,
    headers: new Headers(headers as Record<string, string>),
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}

/**
 * For a world that gets many requests of few credentials: its gateway keeps decisions, as AWS's
 * does.
 */
export const keptDecisions = { authorizerCacheSeconds: 30 }

export type World = ReturnType<typeof world>

/**
 * Starts a service for the tests of a file, over tables of its own, and ends it after them. Every
 * response of every test is compared with the OpenAPI document.
 * @param options `isInMemory`: the tables are those of the simulation, for tests of what is beside
 * the database. If DYNAMODB_ENDPOINT names an engine, that one has the tables all the same
 */
export function world(
  changes: readonly unknown[] = people,
  { isInMemory: mayBe = false, ...options }: Partial<LocalService> & { isInMemory?: boolean } = {},
) {
  const isInMemory = mayBe && !isAnotherEngine
  const { logged, log } = testLog()
  const storage = isInMemory ? new MemoryTables().storage : connectToEngine()
  const mismatches: string[] = []
  let lastDeployment = 1000
  const service = {
    storage,
    url: '',
    issuer: 'https://embed.test',
    /** Only the test moves it. */
    now: startOfTime,
    /** Lines that the functions logged, parsed. */
    logged,
    apply: (more: readonly unknown[]): Promise<void> => applyAll(storage, more, service.now),
    /** Makes a new deployment of the account acme, with these changes, and returns its id. */
    async newDeployment(
      changesOf: (deploymentId: number) => readonly object[] = () => [],
    ): Promise<number> {
      const id = ++lastDeployment
      await service.apply([acmeDeployment(id), ...changesOf(id)])
      return id
    },
    get: (path: string, call?: Call) => send('GET', path, call),
    post: (path: string, call?: Call) => send('POST', path, call),
    delete: (path: string, call?: Call) => send('DELETE', path, call),
  }

  // `fetch` takes more time.
  async function send(method: string, target: string, call: Call = {}): Promise<Reply> {
    const sent = request(service.url + target, { method, headers: headersOf(call) })
    const reply = await replyTo(sent, call)
    const exchange = { ...reply, method, target, headers: {}, body: reply.text }
    mismatches.push(...requestMismatchesOf({ ...exchange, sent: call.body }))
    return reply
  }

  afterEach(() => expect(mismatches.splice(0)).toEqual([]))

  beforeAll(async () => {
    await (isInMemory ? fill : fillTables)(storage, changes)
    const server = await startService({
      storage,
      now: () => service.now,
      issuer: service.issuer,
      log,
      ...options,
    })
    checkResponses(server, (mismatch) => mismatches.push(mismatch))
    const { url, end } = await listening(server)
    service.url = url
    return async () => {
      await end()
      if (!isInMemory) storage.client.destroy()
    }
  })
  return service
}
