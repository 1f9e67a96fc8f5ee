import type { AddressInfo } from 'node:net'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { Principal } from '@embed-access/core/access/principal.ts'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createLocalService, type LocalService } from '../local/service.ts'
import { type Change, put } from './changes.ts'
import { checkResponses, requestMismatchesOf } from './contract/conformance.ts'
import { connectToEngine } from './engine/connect.ts'
import { testLog } from './log.ts'
import { startOfTime } from './start-of-time.ts'

export * from './changes.ts'

/** An admin of {@link people}, for calls that go past the gateway. */
export const admin: Principal = {
  accountId: 'acme',
  userId: 1,
  admin: true,
  scoped: false,
  deploymentIds: 'all',
  credential: { kind: 'accessToken' },
}

/** Keys of the users in {@link people}; the catalog knows their hashes only. */
export const keys = {
  admin: 'sk-test-admin',
  reader: 'sk-test-reader',
  stranger: 'sk-test-stranger',
  scopedAdmin: 'sk-test-scoped-admin',
  expiring: 'sk-test-expiring',
  otherAdmin: 'sk-test-other-admin',
  closedAdmin: 'sk-test-closed-admin',
}

export { startOfTime }

/** Two accounts that embed and one that does not, with deployments 1 and 2, 9, and 7, their users and keys. */
export const people: readonly Change[] = [
  put('account', { id: 'acme', name: 'Acme', embeddingEnabled: true }),
  put('account', { id: 'other', name: 'Other', embeddingEnabled: true }),
  put('account', { id: 'closed', name: 'Closed' }),
  put('deployment', { accountId: 'acme', id: 1, name: 'First' }),
  put('deployment', { accountId: 'acme', id: 2, name: 'Second' }),
  put('deployment', { accountId: 'other', id: 9, name: 'Ninth' }),
  put('deployment', { accountId: 'closed', id: 7, name: 'Seventh' }),
  put('user', {
    accountId: 'acme',
    id: 1,
    email: 'Ada@acme.example',
    username: 'ada',
    roles: ['admin'],
    deploymentIds: [],
  }),
  put('user', { accountId: 'acme', id: 2, email: 'rob@acme.example', roles: [], deploymentIds: [1] }),
  put('user', { accountId: 'acme', id: 3, email: 'sue@acme.example', roles: ['viewer'], deploymentIds: [] }),
  put('user', { accountId: 'other', id: 1, email: 'olga@other.example', roles: ['admin'], deploymentIds: 'all' }),
  put('user', { accountId: 'closed', id: 1, email: 'cleo@closed.example', roles: ['admin'], deploymentIds: 'all' }),
  apiKey('acme', 1, keys.admin),
  apiKey('acme', 2, keys.reader),
  apiKey('acme', 3, keys.stranger),
  apiKey('acme', 1, keys.scopedAdmin, { deploymentIds: [2] }),
  apiKey('acme', 1, keys.expiring, { expiresAt: new Date(startOfTime + 60_000).toISOString() }),
  apiKey('other', 1, keys.otherAdmin),
  apiKey('closed', 1, keys.closedAdmin),
]

function apiKey(accountId: string, userId: number, key: string, more: object = {}): Change {
  return put('apiKey', { accountId, tokenHash: hashOfApiKey(key), userId, name: key, ...more })
}

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
  get(path: string, call?: Call): Promise<Reply>
  post(path: string, call?: Call): Promise<Reply>
}

/** Starts a world for the tests of a file and ends it after them. */
export function world(changes: readonly unknown[] = people, options: Partial<LocalService> = {}): World {
  const { logged, log } = testLog()
  const state = { now: startOfTime, issuer: 'https://embed.test', logged } as World & { storage: Storage; url: string }
  const storage = connectToEngine()
  Object.assign(state, {
    storage,
    async apply(more: readonly unknown[]) {
      const results = await applyChanges(storage, more, { now: () => state.now })
      expect(results.filter(({ outcome }) => outcome === 'refused' || outcome === 'failed')).toEqual([])
    },
    get: (path: string, call: Call = {}) => request('GET', path, call),
    post: (path: string, call: Call = {}) => request('POST', path, call),
  })

  // Every response of every test is held against the OpenAPI document.
  const mismatches: string[] = []
  afterEach(() => expect(mismatches.splice(0)).toEqual([]))

  let server: Awaited<ReturnType<typeof createLocalService>>
  beforeAll(async () => {
    await createTables(storage)
    await writeSigningKeys(storage, await firstSigningKeys(startOfTime), undefined)
    server = await createLocalService({
      storage,
      now: () => state.now,
      issuer: state.issuer,
      corsOrigins: ['https://app.acme.example'],
      log,
      ...options,
    })
    // A busy machine may take longer between two requests than Node keeps a connection open by default.
    server.keepAliveTimeout = 60_000
    checkResponses(server, (mismatch) => mismatches.push(mismatch))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await state.apply(changes)
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    storage.client.destroy()
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
