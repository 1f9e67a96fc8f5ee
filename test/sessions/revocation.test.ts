import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { revocationKey } from '@embed-access/core/access/revocation.ts'
import { revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { describe, expect, test } from 'vitest'
import { keys, people, startOfTime, world } from '../support/service.ts'

const revoke = '/api/v1/embed/session/revoke'
const exchange = '/api/v1/embed/session/token'
const readers = '/api/v1/deployments/1/dbt-sync'

describe('revoking a session where tokens live shorter than they may', () => {
  const service = world(people, { limits: { lifetimeSeconds: 600 } })

  test('is remembered for as long as any token may live, since longer ones may be about', async () => {
    const { body } = await service.post('/api/v1/embed/generate-session', {
      key: keys.admin,
      body: { deploymentId: 1 },
    })
    await service.post(revoke, { key: keys.admin, body })
    const { Item } = await service.storage.client.send(
      new GetCommand({
        TableName: service.storage.tables.sessions,
        Key: revocationKey('acme', tokenIdOf(body.sessionId)),
      }),
    )
    expect(Item?.expiresAt).toBe(startOfTime / 1000 + 300 + 86_400)
  })
})

describe.each([0, 30])(
  'revoking a session, where API Gateway keeps authorizations for %i seconds,',
  (authorizerCacheSeconds) => {
    const service = world(people, { authorizerCacheSeconds })

    async function newSession(request: object = { internalId: 'ada' }): Promise<string> {
      const reply = await service.post('/api/v1/embed/generate-session', {
        key: keys.admin,
        body: { deploymentId: 1, ...request },
      })
      return reply.body.sessionId
    }

    const status = async (token: string) => (await service.get(readers, { authorization: `Bearer ${token}` })).status

    test('before its redemption leaves nothing to redeem', async () => {
      const sessionId = await newSession()
      const reply = await service.post(revoke, { key: keys.admin, body: { sessionId } })
      expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([204, '', 'no-store'])
      expect((await service.post(exchange, { body: { sessionId } })).status).toBe(401)
    })

    test('after its redemption ends the token at once, and that one alone', async () => {
      const [sessionId, other] = [await newSession(), await newSession()]
      const [first, second] = await Promise.all(
        [sessionId, other].map(async (id) => (await service.post(exchange, { body: { sessionId: id } })).body.token),
      )
      expect([await status(first), await status(second)]).toEqual([200, 200])
      await service.post(revoke, { key: keys.admin, body: { sessionId } })
      expect([await status(first), await status(second)]).toEqual([401, 200])
    })

    test('at the moment of its redemption leaves no token that works', async () => {
      for (let round = 0; round < 20; round += 1) {
        const sessionId = await newSession()
        const [redeemed] = await Promise.all([
          service.post(exchange, { body: { sessionId } }),
          service.post(revoke, { key: keys.admin, body: { sessionId } }),
        ])
        if (redeemed.status === 200) expect(await status(redeemed.body.token)).toBe(401)
        expect((await service.post(exchange, { body: { sessionId } })).status).toBe(401)
      }
    })

    test('answers 204 for ids that are unknown, used or revoked before', async () => {
      const sessionId = await newSession()
      for (const id of [sessionId, sessionId, 'unknown', '']) {
        expect((await service.post(revoke, { key: keys.admin, body: { sessionId: id } })).status).toBe(204)
      }
    })

    test('is for users of the account, and for their embed tokens if they are admins', async () => {
      expect((await service.post(revoke, { key: keys.reader, body: { sessionId: 'x' } })).status).toBe(204)
      const reader = { authorization: `Bearer ${await tokenOf(await newSession({ internalId: 'rob@acme.example' }))}` }
      const { status, body } = await service.post(revoke, { ...reader, body: { sessionId: 'x' } })
      expect([status, body.code]).toEqual([403, 'admin_required'])
      expect((await service.post(revoke, { body: { sessionId: 'x' } })).status).toBe(401)
    })

    test('by another account has no effect, nor stands in the way of the account’s own', async () => {
      const [waiting, used] = [await newSession(), await newSession()]
      const token = (await service.post(exchange, { body: { sessionId: used } })).body.token
      for (const sessionId of [waiting, used]) {
        expect((await service.post(revoke, { key: keys.otherAdmin, body: { sessionId } })).status).toBe(204)
      }
      expect(await status(token)).toBe(200)
      expect((await service.post(exchange, { body: { sessionId: waiting } })).status).toBe(200)
      await service.post(revoke, { key: keys.admin, body: { sessionId: used } })
      expect(await status(token)).toBe(401)
    })

    test('is remembered until the token would have ended, and then left to expiry', async () => {
      const sessionId = await newSession()
      await service.post(revoke, { key: keys.admin, body: { sessionId } })
      const { Item } = await service.storage.client.send(
        new GetCommand({
          TableName: service.storage.tables.sessions,
          Key: revocationKey('acme', tokenIdOf(sessionId)),
        }),
      )
      expect(Item?.expiresAt).toBe(service.now / 1000 + 300 + 86_400)
    })

    const tokenOf = async (sessionId: string) => (await service.post(exchange, { body: { sessionId } })).body.token

    test('by a key that is scoped to deployments ends sessions of those only', async () => {
      const inFirst = await newSession({ internalId: 'ada' })
      const inSecond = await newSession({ internalId: 'ada', deploymentId: 2 })
      const [first, second] = [await tokenOf(inFirst), await tokenOf(inSecond)]
      const waiting = [await newSession(), await newSession({ internalId: 'ada', deploymentId: 2 })]
      for (const sessionId of [inFirst, inSecond, ...waiting]) {
        expect((await service.post(revoke, { key: keys.scopedAdmin, body: { sessionId } })).status).toBe(204)
      }
      const redeemed = await Promise.all(waiting.map((sessionId) => service.post(exchange, { body: { sessionId } })))
      expect(redeemed.map(({ status }) => status)).toEqual([200, 401])
      expect(await status(first)).toBe(200)
      const elsewhere = '/api/v1/deployments/2/dbt-sync'
      expect((await service.get(elsewhere, { authorization: `Bearer ${second}` })).status).toBe(401)
    })

    test('by a scoped key takes nothing back of what was revoked before', async () => {
      for (const order of [
        [keys.admin, keys.scopedAdmin],
        [keys.scopedAdmin, keys.admin],
      ]) {
        const sessionId = await newSession()
        const token = await tokenOf(sessionId)
        for (const key of order) await service.post(revoke, { key, body: { sessionId } })
        expect(await status(token)).toBe(401)
      }
    })

    test('of all that an API key has generated ends those and no others, until then', async () => {
      const byAdmin = await tokenOf(await newSession())
      const ofScopedKey = async () => {
        const body = { deploymentId: 2, internalId: 'ada' }
        const session = await service.post('/api/v1/embed/generate-session', { key: keys.scopedAdmin, body })
        return tokenOf(session.body.sessionId)
      }
      const opens = async (token: string) =>
        (await service.get('/api/v1/deployments/2/dbt-sync', { authorization: `Bearer ${token}` })).status
      const before = await ofScopedKey()
      expect(await opens(before)).toBe(200)
      const key = hashOfApiKey(keys.scopedAdmin).slice(0, shownHashLength)
      await revokeMinted(service.storage, 'acme', { key }, 30, service.now)
      expect([await opens(before), await status(byAdmin)]).toEqual([401, 200])
      // A key that was revoked just before may work as long as its authorization is kept.
      service.now += 30_000
      expect(await opens(await ofScopedKey())).toBe(401)
      service.now += 1_000
      expect(await opens(await ofScopedKey())).toBe(200)
    })

    test('of all that a user has generated ends those of every key', async () => {
      const own = await tokenOf(await newSession())
      const session = await service.post('/api/v1/embed/generate-session', {
        key: keys.otherAdmin,
        body: { deploymentId: 9, internalId: 'olga@other.example' },
      })
      const foreign = await tokenOf(session.body.sessionId)
      const opens = async () =>
        (await service.get('/api/v1/deployments/9/dbt-sync', { authorization: `Bearer ${foreign}` })).status
      await revokeMinted(service.storage, 'acme', { userId: 1 }, 0, service.now)
      expect([await status(own), await opens()]).toEqual([401, 200])
      service.now += 1_000
      expect(await status(await tokenOf(await newSession()))).toBe(200)
    })
  },
)
