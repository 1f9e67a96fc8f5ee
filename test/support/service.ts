import type { Server } from 'node:http'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { afterEach, beforeAll, expect } from 'vitest'
import { createLocalService, type LocalService } from '../../local/service.ts'
import { checkResponses, requestMismatchesOf } from '../contract/conformance.ts'
import { people, put } from './catalog.ts'
import { connectToEngine } from './database.ts'
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

/** The service as a client sees it, over tables of its own, at a time that only the test moves. */
export type World = {
  readonly storage: Storage
  readonly url: string
  readonly issuer: string
  now: number
  /** Lines that the functions logged, parsed. */
  readonly logged: Record<string, unknown>[]
  apply(changes: readonly unknown[]): Promise<void>
  /** Makes a new deployment of the account acme, with these changes, and returns its id. */
  newDeployment(changesOf?: (deploymentId: number) => readonly object[]): Promise<number>
  get(path: string, call?: Call): Promise<Reply>
  post(path: string, call?: Call): Promise<Reply>
  delete(path: string, call?: Call): Promise<Reply>
}

/** Makes the tables of a service, with signing keys and these things. */
export async function fillTables(storage: Storage, changes: readonly unknown[]): Promise<void> {
  await createTables(storage)
  await writeSigningKeys(storage, await firstSigningKeys(startOfTime), undefined)
  const results = await catalogWriter(storage, { now: () => startOfTime })(changes)
  const wrong = results.filter(({ outcome }) => outcome === 'refused' || outcome === 'failed')
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
}

/** The service over tables that are filled: functions of its own, behind a gateway of its own. It does not listen yet. */
export const startService = (options: Pick<LocalService, 'storage'> & Partial<LocalService>): Promise<Server> =>
  createLocalService({
    now: () => startOfTime,
    issuer: 'https://embed.test',
    corsOrigins: ['https://app.acme.example'],
    log: () => {},
    ...options,
  })

/** Starts a service for the tests of a file, and ends it after them. */
export function world(changes: readonly unknown[] = people, options: Partial<LocalService> = {}): World {
  const { logged, log } = testLog()
  const state = { now: startOfTime, issuer: 'https://embed.test', logged } as World & { storage: Storage; url: string }
  const storage = connectToEngine()
  let lastDeployment = 1000
  Object.assign(state, {
    storage,
    async apply(more: readonly unknown[]) {
      const results = await catalogWriter(storage, { now: () => state.now })(more)
      expect(results.filter(({ outcome }) => outcome === 'refused' || outcome === 'failed')).toEqual([])
    },
    async newDeployment(changesOf: (deploymentId: number) => readonly object[] = () => []) {
      lastDeployment += 1
      const id = lastDeployment
      await state.apply([put('deployment', { accountId: 'acme', id, name: 'New' }), ...changesOf(id)])
      return id
    },
    get: (path: string, call: Call = {}) => request('GET', path, call),
    post: (path: string, call: Call = {}) => request('POST', path, call),
    delete: (path: string, call: Call = {}) => request('DELETE', path, call),
  })

  // Every response of every test is held against the OpenAPI document.
  const mismatches: string[] = []
  afterEach(() => expect(mismatches.splice(0)).toEqual([]))

  beforeAll(async () => {
    await fillTables(storage, changes)
    const server = await startService({ storage, now: () => state.now, issuer: state.issuer, log, ...options })
    checkResponses(server, (mismatch) => mismatches.push(mismatch))
    const { url, end } = await listening(server)
    state.url = url
    return async () => {
      await end()
      storage.client.destroy()
    }
  })

  async function request(method: string, path: string, { key, authorization, headers, body }: Call): Promise<Reply> {
    const credential = authorization ?? (key === undefined ? undefined : `Bearer ${key}`)
    const response = await fetch(state.url + path, {
      method,
      headers: {
        ...(credential !== undefined && { authorization: credential }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    mismatches.push(
      ...requestMismatchesOf({
        method,
        target: path,
        status: response.status,
        headers: {},
        body: text,
        sent: body,
      }),
    )
    const json = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined }
  }
  return state
}
