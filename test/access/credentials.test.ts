import { apiKeyWithChange, newApiKey } from '@embed-access/core/access/api-key.ts'
import { describe, expect, test } from 'vitest'
import { handler as authorizer } from '../../functions/authorizer.ts'
import { operations, routeKeyOf } from '../../functions/operations/operations.ts'
import { embedToken } from '../operations/requests.ts'
import {
  type Call,
  embeddingAccount,
  keptDecisions,
  keys,
  startOfTime,
  userKey,
  userOf,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const readers = '/api/v1/deployments/1/dbt-sync'

describe('a credential', () => {
  const service = world(undefined, { ...keptDecisions, isInMemory: true })
  const { newSession, tokenOf } = sessionsOf(service)
  const status = async (call: Call, path = readers) => (await service.get(path, call)).status

  test('is an API key under Bearer or Api-Key, in any case of letters', async () => {
    for (const scheme of ['Bearer', 'bearer', 'Api-Key', 'API-KEY']) {
      expect(await status({ authorization: `${scheme} ${keys.reader}` })).toBe(200)
    }
  })

  test('that is an embed token ends with its lifetime, to the second', async () => {
    const token = await embedToken(service, { internalId: 'ada' })
    service.now += 86_399_000
    expect(await status(token)).toBe(200)
    service.now += 1000
    expect(await status(token)).toBe(401)
  })

  test('of an ended account is refused, and so is one of a session that waited', async () => {
    const [account, ...others] = embeddingAccount('ending', 78)
    const key = 'sk-ending'
    await service.apply([account, ...others])
    const body = { deploymentId: 78, internalId: 'admin@ending.example' }
    const own = await embedToken(service, body, key)
    const endUser = await embedToken(service, { deploymentId: 78, externalId: 'u' }, key)
    const waiting = await newSession(body, key)
    const statuses = (...calls: readonly Call[]) =>
      Promise.all(calls.map((call) => status(call, '/api/v1/deployments/78/dbt-sync')))
    expect(await statuses({ key }, own, endUser)).toEqual([200, 200, 403])
    await service.apply([without(account)])
    // An authorization by an API key is good until API Gateway has forgotten it.
    service.now += keptDecisions.authorizerCacheSeconds * 1000
    expect(await statuses({ key }, own, endUser, { key: await tokenOf(waiting) })).toEqual([
      401, 401, 401, 401,
    ])
  })

  test('that is an API key ends at the time that it was given', async () => {
    await service.apply([
      userKey('acme', 1, 'sk-short', { expiresAt: new Date(service.now + 60_000).toISOString() }),
    ])
    service.now += 59_999
    expect(await status({ key: 'sk-short' })).toBe(200)
    service.now += 1
    expect(await status({ key: 'sk-short' })).toBe(401)
  })
})

describe('the log says of a refused credential', () => {
  const service = world(undefined, { isInMemory: true })

  async function reasonFor(call: Call): Promise<unknown> {
    service.logged.length = 0
    expect((await service.get(readers, call)).status).toBe(401)
    const [event, ...more] = service.logged.filter(({ event }) => event === 'authorization.refused')
    const routeKey = 'GET /api/v1/deployments/{deploymentId}/dbt-sync'
    expect([more, event?.routeKey, event?._aws]).toEqual([[], routeKey, undefined])
    return event?.reason
  }

  test('that it has no scheme we know', async () => {
    const { admin } = keys
    for (const authorization of [
      'Bearer',
      'Basic x',
      admin,
      `x Bearer ${admin}`,
      `Bearer ${admin} x`,
    ])
      expect(await reasonFor({ authorization }), authorization).toBe('no known scheme')
    // More spaces than one are no mistake (RFC 9110, section 11.4).
    const { status } = await service.get(readers, { authorization: `Bearer   ${admin}  ` })
    expect(status).toBe(200)
  })

  test('that its key is mistyped, unknown, revoked or expired, or its user is gone', async () => {
    const mistyped = newApiKey({ accountId: 'acme', userId: 1 }).replace(/.$/, (last) =>
      last === 'a' ? 'b' : 'a',
    )
    const revoked = userKey('acme', 1, 'sk-revoked')
    await service.apply([
      revoked,
      without(revoked),
      userKey('acme', 1, 'sk-old', { expiresAt: new Date(startOfTime).toISOString() }),
      userKey('nowhere', 1, 'sk-nowhere'),
      userKey('acme', 99, 'sk-nobody'),
    ])
    const reasons = {
      [mistyped]: 'mistyped key',
      'sk-unknown': 'unknown key',
      'sk-revoked': 'unknown key',
      'sk-old': 'expired key',
      'sk-nowhere': 'key of no account',
      'sk-nobody': 'key of no user',
    }
    for (const [key, reason] of Object.entries(reasons))
      expect([key, await reasonFor({ key })]).toEqual([key, reason])
  })

  test('that its embed token is revoked, or of a user who is gone', async () => {
    const leaving = userOf('acme', 70, 'leaving@acme.example')
    await service.apply([leaving])
    const endUser = await embedToken(service, { externalId: 'u-1', embedTenantName: 'north' })
    const own = await embedToken(service, { internalId: 'leaving@acme.example' })
    const { status } = await sessionsOf(service).revoke({ embedTenantName: 'north' })
    expect(status).toBe(204)
    expect(await reasonFor(endUser)).toBe('revoked token')
    await service.apply([without(leaving)])
    expect(await reasonFor(own)).toBe('revoked token')
  })
})

describe('the access log', () => {
  const service = world(undefined, { isInMemory: true })

  test.each(['acme', 'Joe "5" \\ Co', 'x","status":200,"a":"', 'two\nlines'])(
    'has one line of JSON for an account with the id %j',
    async (accountId) => {
      const { apiKey, change } = apiKeyWithChange({ accountId, userId: 1, name: 'a key' })
      const [account, , user] = embeddingAccount(accountId, 79)
      await service.apply([account, user, change])
      const { storage, issuer } = service
      const parts = { storage, issuer, issuance: {}, now: () => startOfTime, log: () => {} }
      const event = {
        routeKey: routeKeyOf(operations['list-dbt-syncs']),
        headers: { authorization: `Bearer ${apiKey}` },
        requestContext: { requestId: 'r', http: {} },
      }
      const { context } = await authorizer.create(parts as never)(event as never, {} as never)
      expect(context).toMatchObject({ allowed: true, principal: { accountId } })
      // API Gateway puts the value between quotation marks as it is.
      const line = `{"accountId":"${Object(context).accountId}"}`
      expect(JSON.parse(line)).toEqual({ accountId })
    },
  )
})
