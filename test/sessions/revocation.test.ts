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

  test('by another account has no effect, nor hinders the account’s own', async () => {
    const [waiting, used] = [await newOwn(), await newOwn()]
    const token = await redeemed(used)
    for (const sessionId of [waiting, used])
      expect((await revoke({ sessionId }, keys.otherAdmin)).status).toBe(204)
    expect([await lists(token), (await redeem(waiting)).status]).toEqual([200, 200])
    await revoke({ sessionId: used })
    expect(await lists(token)).toBe(401)
  })

  test('by a key that is scoped to deployments ends sessions of those only', async () => {
    const used = [await newOwn(), await newOwn({ deploymentId: 2 })] as const
    const [first, second] = [await redeemed(used[0]), await redeemed(used[1])]
    const waiting = [await newOwn(), await newOwn({ deploymentId: 2 })]
    for (const sessionId of [...used, ...waiting]) {
      expect((await revoke({ sessionId }, keys.scopedAdmin)).status).toBe(204)
    }
    expect((await Promise.all(waiting.map(redeem))).map(({ status }) => status)).toEqual([200, 401])
    expect([await lists(first), await lists(second, 2)]).toEqual([200, 401])
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

  test('a tenant ends every token of it, and none of other tenants or accounts', async () => {
    const internal = await tokenOf({ ...north, internalId: 'ada' })
    const ended = [
      internal,
      await tokenOf(ofNorth('u-1')),
      await tokenOf(ofNorth('u-2'), keys.reader),
      await tokenOf(north),
      await tokenOf({ ...ofNorth('u-1'), deploymentId: 2 }),
    ]
    const others = [
      await tokenOf({ embedTenantName: 'south', externalId: 'u-1' }),
      await tokenOf({ embedTenantName: 'north-east', externalId: 'u-1' }),
      await tokenOf({ externalId: 'u-1' }),
      await tokenOf({ ...ofNorth('u-1'), deploymentId: 9 }, keys.otherAdmin),
    ]
    expect(await lists(internal)).toBe(200)
    service.logged.length = 0
    const { status, text } = await revoke(north)
    expect([status, text]).toEqual([204, ''])
    expect(await goodOf(ended)).toEqual(ended.map(() => 401))
    expect(await lists(internal)).toBe(401)
    expect(await goodOf(others)).toEqual(others.map(() => 200))
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

  test('counts only in a scoped key’s deployments and its account', async () => {
    const [first, second] = [
      await tokenOf(ofNorth('u-1')),
      await tokenOf({ ...ofNorth('u-1'), deploymentId: 2 }),
    ]
    for (const key of [keys.scopedAdmin, keys.otherAdmin])
      expect((await revoke(north, key)).status).toBe(204)
    expect(await goodOf([first, second])).toEqual([200, 401])
  })

  test('is for admins', async () => {
    const token = await tokenOf(ofNorth('u-1'))
    for (const key of [keys.reader, keys.stranger])
      expect((await revoke(north, key)).body.code).toBe('admin_required')
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

describe('revoking an external user', () => {
  test('ends that user’s tokens in that tenant, however the id is written', async () => {
    const ended = [
      await tokenOf(ofNorth('U-1 ')),
      await tokenOf({ ...ofNorth('u-1'), deploymentId: 2 }),
    ]
    const others = [
      await tokenOf(ofNorth('u-2')),
      await tokenOf(north),
      await tokenOf({ embedTenantName: 'south', externalId: 'u-1' }),
      await tokenOf({ externalId: 'u-1' }),
    ]
    expect((await revoke({ ...north, externalId: ' u-1' })).status).toBe(204)
    expect(await goodOf(ended)).toEqual([401, 401])
    expect(await goodOf(others)).toEqual(others.map(() => 200))
    service.now += 2000
    expect(await good(await tokenOf(ofNorth('u-1')))).toBe(200)
  })

  test('takes ids too long for a key, and ones with the letters of keys', async () => {
    for (const externalId of ['x'.repeat(2200), 'a#b%23', '#']) {
      const call = await tokenOf(ofNorth(externalId))
      expect(await good(call)).toBe(200)
      await revoke({ ...north, externalId })
      expect(await good(call)).toBe(401)
    }
  })
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

describe('a caller who is no admin', () => {
  test('revokes what the same key has generated, waiting or redeemed', async () => {
    const [waiting, used] = [await newSession({}, keys.reader), await newSession({}, keys.reader)]
    const token = await redeemed(used)
    for (const sessionId of [waiting, used])
      expect((await revoke({ sessionId }, keys.reader)).status).toBe(204)
    expect([await good(token), (await redeem(waiting)).status]).toEqual([401, 401])
  })

  test('has no effect on what another key has generated', async () => {
    const second = 'sk-reader-second'
    await service.apply([userKey('acme', 2, second)])
    for (const key of [keys.admin, second]) {
      const [waiting, used] = [await newSession({}, key), await newSession({}, key)]
      const token = await redeemed(used)
      for (const sessionId of [waiting, used])
        expect((await revoke({ sessionId }, keys.reader)).status).toBe(204)
      expect(await good(token)).toBe(200)
      expect(await good(await redeemed(waiting))).toBe(200)
      // Nor does it stand in the way of those who may.
      await revoke({ sessionId: used })
      expect(await good(token)).toBe(401)
    }
  })
})
