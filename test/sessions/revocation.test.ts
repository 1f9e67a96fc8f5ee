import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { revokeEndUsers, revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  acmeTenant,
  type Call,
  keptDecisions,
  keys,
  revised,
  startOfTime,
  userKey,
  without,
  world,
} from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

// Whether a token is good must not depend on what the gateway has kept.
const service = world(undefined, keptDecisions)
// Each test has later seconds than those that another has revoked.
let begin = startOfTime
beforeEach(() => {
  begin += 3_600_000
  service.now = begin
})
const { newSession, redeem, revoke, ...sessions } = sessionsOf(service)
const good = async (call: Call) => (await service.get('/api/v1/embed/session', call)).status
const goodOf = (calls: readonly Call[]) => Promise.all(calls.map(good))
const lists = async (call: Call, deploymentId = 1) =>
  (await service.get(`/api/v1/deployments/${deploymentId}/dbt-sync`, call)).status
const tokenOf = async (request: object, key?: string) =>
  bearer(await sessions.newToken(request, key))
const redeemed = async (sessionId: string) => bearer(await sessions.tokenOf(sessionId))

const north = { embedTenantName: 'north' }
const ofNorth = (externalId: string) => ({ ...north, externalId })

describe('revoking', () => {
  const newOwn = (request: object = {}, key?: string) =>
    newSession({ internalId: 'ada', ...request }, key)
  const newToken = async (request?: object, key?: string) => redeemed(await newOwn(request, key))

  test('a session before its redemption leaves nothing to redeem, once or twice', async () => {
    const id = await newOwn()
    for (const sessionId of [id, id, 'unknown', '']) {
      const reply = await revoke({ sessionId })
      expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([
        204,
        '',
        'no-store',
      ])
    }
    expect((await redeem(id)).status).toBe(401)
  })

  test('a redeemed session ends its token at once, and that one alone', async () => {
    const sessionId = await newOwn()
    const [first, second] = [await redeemed(sessionId), await newToken()]
    expect([await lists(first), await lists(second)]).toEqual([200, 200])
    await revoke({ sessionId })
    expect([await lists(first), await lists(second)]).toEqual([401, 200])
  })

  const second = 'sk-reader-second'
  test.each([
    { who: 'another account’s admin', of: keys.admin, by: keys.otherAdmin, left: 200 },
    { who: 'a key of another deployment', of: keys.admin, by: keys.scopedAdmin, left: 200 },
    {
      who: 'a key of its deployment',
      deployment: 2,
      of: keys.admin,
      by: keys.scopedAdmin,
      left: 401,
    },
    { who: 'the key that generated it', of: keys.reader, by: keys.reader, left: 401 },
    { who: 'a reader’s key', of: keys.admin, by: keys.reader, left: 200 },
    { who: 'another key of the same user', of: second, by: keys.reader, left: 200 },
  ])('a session counts for its own account, scope and key only: by $who', async (row) => {
    await service.apply([userKey('acme', 2, second)])
    const made = () => newSession({ deploymentId: row.deployment ?? 1 }, row.of)
    const [waiting, used] = [await made(), await made()]
    const token = await redeemed(used)
    for (const sessionId of [waiting, used])
      expect((await revoke({ sessionId }, row.by)).status).toBe(204)
    const { status, body } = await redeem(waiting)
    const statuses = [status, await good(bearer(body.token)), await good(token)]
    expect(statuses).toEqual(Array(3).fill(row.left))
    // It does not hinder those who may.
    await revoke({ sessionId: used })
    expect(await good(token)).toBe(401)
  })

  test('by a scoped key takes nothing back of what was revoked before', async () => {
    for (const order of [
      [keys.admin, keys.scopedAdmin],
      [keys.scopedAdmin, keys.admin],
    ]) {
      const sessionId = await newOwn()
      const token = await redeemed(sessionId)
      for (const key of order) await revoke({ sessionId }, key)
      expect(await lists(token)).toBe(401)
    }
  })

  test('all that an API key has generated ends those and no others, until then', async () => {
    const byAdmin = await newToken()
    const ofScopedKey = () => newToken({ deploymentId: 2 }, keys.scopedAdmin)
    const before = await ofScopedKey()
    expect(await lists(before, 2)).toBe(200)
    const key = hashOfApiKey(keys.scopedAdmin).slice(0, shownHashLength)
    await revokeMinted(service.storage, 'acme', { key }, 30, service.now)
    expect([await lists(before, 2), await lists(byAdmin)]).toEqual([401, 200])
    // A key that was revoked just before may work as long as its authorization is kept, in a
    // function whose clock is ahead.
    service.now += 31_000
    expect(await lists(await ofScopedKey(), 2)).toBe(401)
    service.now += 1_000
    expect(await lists(await ofScopedKey(), 2)).toBe(200)
  })

  // Whose tokens end is in test/client/revocations.test.ts.
  test('a tenant ends what the gateway keeps, and is in the audit', async () => {
    const internal = await tokenOf({ ...north, internalId: 'ada' })
    expect(await lists(internal)).toBe(200)
    service.logged.length = 0
    const { status, text } = await revoke(north)
    expect([status, text]).toEqual([204, ''])
    expect([await lists(internal), await good(internal)]).toEqual([401, 401])
    const event = {
      of: north,
      by: { accountId: 'acme', userId: 1, credential: { kind: 'apiKey' } },
    }
    expect(service.logged.find(({ event }) => event === 'sessions.revoked')).toMatchObject(event)
  })
})

describe('revoking an embed tenant', () => {
  test('ends those that wait to be redeemed', async () => {
    const sessionId = await newSession(ofNorth('u-1'))
    await revoke(north)
    service.now += 100_000
    expect(await good(await redeemed(sessionId))).toBe(401)
  })

  test('ends what was generated until the next second, by a clock that is ahead', async () => {
    const begin = service.now
    const at = async (milliseconds: number) => {
      service.now = begin + milliseconds
      return tokenOf(ofNorth('u-1'))
    }
    const before = [await at(200), await at(1999)]
    const later = await at(2000)
    service.now = begin + 999
    await revoke(north)
    expect(await goodOf([...before, later])).toEqual([401, 401, 200])
  })

  test('is not taken back by a call that comes late, nor by one that is scoped', async () => {
    const token = await tokenOf(ofNorth('u-1'))
    await revoke(north)
    for (const deploymentIds of ['all', [1], [2]] as const) {
      await revokeEndUsers(
        service.storage,
        { accountId: 'acme', deploymentIds },
        north,
        service.now - 5000,
      )
    }
    await revoke(north, keys.scopedAdmin)
    expect(await good(token)).toBe(401)
  })

  test('is for admins, and says that others may not revoke in this way', async () => {
    const token = await tokenOf(ofNorth('u-1'))
    for (const key of [keys.reader, keys.stranger]) {
      const { code, detail } = (await revoke(north, key)).body
      expect([code, detail]).toEqual(['admin_required', expect.stringContaining('embedTenantName')])
    }
    expect(await good(token)).toBe(200)
  })

  test('comes with the deletion of the tenant, once', async () => {
    const plain = acmeTenant('plain')
    const gone = (revision: number) => revised(revision, acmeTenant('gone'))
    await service.apply([gone(5), plain])
    const token = (embedTenantName: string) => tokenOf({ embedTenantName, externalId: 'u-1' })
    const calls = [await token('gone'), await token('plain')]
    service.now += 1000
    await service.apply([without(gone(6)), without(plain)])
    expect(await goodOf(calls)).toEqual([401, 401])
    // A session that names the tenant brings it back, and not the tokens from before.
    service.now += 2000
    const again = await token('gone')
    // The same deletion, once more, and an older one.
    await service.apply([without(gone(6)), without(gone(4))])
    expect(await goodOf([...calls, again])).toEqual([401, 401, 200])
  })
})

test('revoking an external user takes ids too long for a key, and letters of keys', async () => {
  for (const externalId of ['x'.repeat(2200), 'a#b%23', '#']) {
    const call = await tokenOf(ofNorth(externalId))
    expect(await good(call)).toBe(200)
    await revoke({ ...north, externalId })
    expect(await good(call)).toBe(401)
  }
})

test('a request names a session, or whom sessions are for, and not both', async () => {
  for (const [body, pointer, message] of [
    [{}, '/sessionId', 'is required, or embedTenantName in its place'],
    [{ sessionId: null }, '/sessionId', 'is required, or embedTenantName in its place'],
    [
      { sessionId: 'x', embedTenantName: 'north' },
      '/sessionId',
      'must not come together with embedTenantName',
    ],
    [{ sessionId: 'x', externalId: 'u-1' }, '/externalId', 'needs embedTenantName'],
    [{ embedTenantName: 'North' }, '/embedTenantName', 'must be in lower case: north'],
    [{ ...north, externalId: ' ' }, '/externalId', 'must not be blank'],
    [{ ...north, externalId: null }, '/externalId', 'must be a string'],
    [{ embedTenantName: 'north', tenant: 'x' }, '/tenant', expect.any(String)],
  ] as const) {
    const { status, body: problem } = await revoke(body)
    expect([status, problem.code, problem.errors]).toEqual([
      400,
      'invalid_body',
      [{ pointer, message }],
    ])
  }
})
