import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import { describe, expect, test } from 'vitest'
import { keys, people, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

describe.each([0, 30])('revoking, where API Gateway keeps authorizations for %i seconds,', (authorizerCacheSeconds) => {
  const service = world(people, { authorizerCacheSeconds })
  const { redeem, revoke, tokenOf, ...sessions } = sessionsOf(service)
  const newSession = (request: object = {}, key?: string) => sessions.newSession({ internalId: 'ada', ...request }, key)
  const newToken = async (request?: object, key?: string) => tokenOf(await newSession(request, key))
  const lists = async (token: string, deploymentId = 1) =>
    (await service.get(`/api/v1/deployments/${deploymentId}/dbt-sync`, bearer(token))).status

  test('a session before its redemption leaves nothing to redeem, and again changes nothing', async () => {
    const id = await newSession()
    for (const sessionId of [id, id, 'unknown', '']) {
      const reply = await revoke({ sessionId })
      expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([204, '', 'no-store'])
    }
    expect((await redeem(id)).status).toBe(401)
  })

  test('a session after its redemption ends the token at once, and that one alone', async () => {
    const sessionId = await newSession()
    const [first, second] = [await tokenOf(sessionId), await newToken()]
    expect([await lists(first), await lists(second)]).toEqual([200, 200])
    await revoke({ sessionId })
    expect([await lists(first), await lists(second)]).toEqual([401, 200])
  })

  test('a session at the moment of its redemption leaves no token that works', async () => {
    for (let round = 0; round < 20; round += 1) {
      const sessionId = await newSession()
      const [redeemed] = await Promise.all([redeem(sessionId), revoke({ sessionId })])
      if (redeemed.status === 200) expect(await lists(redeemed.body.token)).toBe(401)
      expect((await redeem(sessionId)).status).toBe(401)
    }
  })

  test('by another account has no effect, nor stands in the way of the account’s own', async () => {
    const [waiting, used] = [await newSession(), await newSession()]
    const token = await tokenOf(used)
    for (const sessionId of [waiting, used]) expect((await revoke({ sessionId }, keys.otherAdmin)).status).toBe(204)
    expect([await lists(token), (await redeem(waiting)).status]).toEqual([200, 200])
    await revoke({ sessionId: used })
    expect(await lists(token)).toBe(401)
  })

  test('by a key that is scoped to deployments ends sessions of those only', async () => {
    const used = [await newSession(), await newSession({ deploymentId: 2 })] as const
    const [first, second] = [await tokenOf(used[0]), await tokenOf(used[1])]
    const waiting = [await newSession(), await newSession({ deploymentId: 2 })]
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
      const sessionId = await newSession()
      const token = await tokenOf(sessionId)
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
    // A key that was revoked just before may work as long as its authorization is kept.
    service.now += 30_000
    expect(await lists(await ofScopedKey(), 2)).toBe(401)
    service.now += 1_000
    expect(await lists(await ofScopedKey(), 2)).toBe(200)
  })

  test('all that a user has generated ends those of every key', async () => {
    const own = await newToken()
    const foreign = await newToken({ deploymentId: 9, internalId: 'olga@other.example' }, keys.otherAdmin)
    await revokeMinted(service.storage, 'acme', { userId: 1 }, 0, service.now)
    expect([await lists(own), await lists(foreign, 9)]).toEqual([401, 200])
    service.now += 1_000
    expect(await lists(await newToken())).toBe(200)
  })
})
