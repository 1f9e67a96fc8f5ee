import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { describe, expect, test } from 'vitest'
import { embedToken } from '../operations/requests.ts'
import { admin, type Call, keys, people, put, startOfTime, userKey, without, world } from '../support/service.ts'

const admins = '/api/v1/deployments/1/embed-tenants/north/workbooks'
const readers = '/api/v1/deployments/1/dbt-sync'
const secondDeployment = '/api/v1/deployments/2/dbt-sync'
const generate = '/api/v1/embed/generate-session'

const north = put('embedTenant', { accountId: 'acme', name: 'north' })

describe.each([0, 30])('a credential, where API Gateway keeps answers for %i seconds,', (authorizerCacheSeconds) => {
  const service = world([...people, north], { authorizerCacheSeconds })
  /** An authorization by an API key is good until API Gateway has forgotten it. */
  const forget = () => {
    service.now += authorizerCacheSeconds * 1000
  }
  const status = async (call: Call, path = readers) => (await service.get(path, call)).status
  const outcome = async (call: Call, path = readers) => {
    const { status, body } = await service.get(path, call)
    return [status, body.code]
  }

  test('is an API key under Bearer or Api-Key, in any case of letters', async () => {
    for (const scheme of ['Bearer', 'bearer', 'Api-Key', 'API-KEY']) {
      expect(await status({ authorization: `${scheme} ${keys.reader}` })).toBe(200)
    }
  })

  test('is refused when it is missing, malformed, unknown or under another scheme', async () => {
    expect(await status({})).toBe(401)
    const odd = ['Bearer', 'Bearer ', keys.reader, 'Bearer a.b.c', `Bearer ${keys.reader} x`]
    for (const authorization of [...odd, `Basic ${keys.reader}`, `Bearer ${keys.reader}x`]) {
      const unauthenticated = [authorization, 401, 'unauthenticated']
      expect([authorization, ...(await outcome({ authorization }))]).toEqual(unauthenticated)
    }
  })

  test('that is an embed token of an internal user has that user’s rights', async () => {
    const admin = await embedToken(service, { internalId: 'ada' })
    const underEmbedToken = { authorization: admin.authorization?.replace('Bearer', 'Embed-Token') ?? '' }
    expect([await status(admin, admins), await status(underEmbedToken, admins)]).toEqual([200, 200])
    const reader = await embedToken(service, { internalId: 'rob@acme.example' })
    expect([await status(reader, admins), await status(reader)]).toEqual([403, 200])
  })

  test('that is an internal user’s opens the deployment it was made for and no other', async () => {
    const token = await embedToken(service, { deploymentId: 2, internalId: 'ada' }, keys.scopedAdmin)
    expect([await status(token, secondDeployment), await status(token)]).toEqual([200, 403])
  })

  test('that is an embed token gives no session: a browser could renew it', async () => {
    for (const token of [
      await embedToken(service, { internalId: 'rob@acme.example' }, keys.reader),
      await embedToken(service, { internalId: 'ada' }),
      await embedToken(service, { externalId: 'u-1' }),
    ]) {
      for (const request of [{}, { externalId: 'u-1' }, { internalId: 'rob@acme.example' }, { nonsense: 1 }]) {
        for (const query of ['', '?dryRun=true']) {
          const reply = await service.post(`${generate}${query}`, { ...token, body: { deploymentId: 1, ...request } })
          expect([reply.status, reply.body.code]).toEqual([403, 'end_user'])
        }
      }
    }
  })

  test('that is an end user’s embed token opens nothing, whatever roles it carries', async () => {
    const token = await embedToken(service, { externalId: 'ada', email: 'ada@acme.example', roles: ['admin'] })
    for (const path of [admins, readers, '/api/v1/deployments/1/notifications']) {
      expect(await status(token, path)).toBe(403)
    }
  })

  test('that is an embed token ends with its lifetime, to the second', async () => {
    const token = await embedToken(service, { internalId: 'ada' })
    service.now += 86_399_000
    expect(await status(token)).toBe(200)
    service.now += 1000
    expect(await status(token)).toBe(401)
  })

  test('that is an API key counts while its user and its account are there', async () => {
    const account = put('account', { id: 'later', name: 'Later', embeddingEnabled: true })
    const tmp = { accountId: 'later', id: 50, email: 'tmp@later.example', roles: [], deploymentIds: 'all' }
    const user = put('user', tmp)
    const statusAfter = async (...changes: object[]) => {
      await service.apply(changes)
      forget()
      return status({ key: 'sk-tmp' }, '/api/v1/deployments/77/dbt-sync')
    }
    const deployment = put('deployment', { accountId: 'later', id: 77, name: 'Later' })
    expect(await statusAfter(deployment, userKey('later', 50, 'sk-tmp'))).toBe(401)
    expect([await statusAfter(user), await statusAfter(account)]).toEqual([401, 200])
    for (const change of [user, account]) {
      expect([await statusAfter(without(change)), await statusAfter(change)]).toEqual([401, 200])
    }
  })

  test('of an account that ended is refused, even within the cache of the gateway', async () => {
    const accountId = 'ending'
    const account = put('account', { id: accountId, name: 'Ending', embeddingEnabled: true })
    const email = 'end@ending.example'
    await service.apply([
      account,
      put('deployment', { accountId, id: 78, name: 'Ending' }),
      put('user', { accountId, id: 1, email, roles: ['admin'], deploymentIds: 'all' }),
      userKey(accountId, 1, 'sk-end'),
    ])
    const key = 'sk-end'
    const body = { deploymentId: 78 }
    const own = await embedToken(service, { ...body, internalId: email }, key)
    const endUser = await embedToken(service, { ...body, externalId: 'u' }, key)
    const statuses = () =>
      Promise.all([{ key }, own, endUser].map((call) => status(call, '/api/v1/deployments/78/dbt-sync')))
    expect(await statuses()).toEqual([200, 200, 403])
    const waiting = (await service.post(generate, { key, body })).body
    await service.apply([without(account)])
    forget()
    expect(await statuses()).toEqual([401, 401, 401])
    expect((await service.post(generate, { key, body })).status).toBe(401)
    const recent = recentLookups(() => service.now)
    const limits = { issuer: service.issuer, audience: service.issuer, lifetimeSeconds: 60, maxTokenBytes: 7168 }
    await expect(
      generateSession(service.storage, { ...admin, accountId }, body, service.now, limits, recent),
    ).rejects.toMatchObject({ code: 'embedding_disabled' })
    // A session that waits is redeemed within its five minutes; its token opens nothing here.
    const { token } = (await service.post('/api/v1/embed/session/token', { body: waiting })).body
    expect(await status({ key: token }, '/api/v1/deployments/78/dbt-sync')).toBe(401)
  })

  test('that is an API key ends with the time that it was given, to the millisecond', async () => {
    await service.apply([userKey('acme', 1, 'sk-short', { expiresAt: new Date(service.now + 60_000).toISOString() })])
    service.now += 59_999
    expect(await status({ key: 'sk-short' })).toBe(200)
    service.now += 1
    expect(await status({ key: 'sk-short' })).toBe(401)
  })

  test('that was refused is refused in the same words as long as that is kept', async () => {
    for (const _ of [1, 2]) {
      expect(await outcome({ key: 'sk-not-yet' })).toEqual([401, 'unauthenticated'])
      expect(await outcome({ key: keys.reader }, admins)).toEqual([403, 'admin_required'])
    }
  })

  test('scoped to other deployments is refused for this one', async () => {
    expect(await outcome({ key: keys.scopedAdmin })).toEqual([403, 'deployment_forbidden'])
    expect(await status({ key: keys.scopedAdmin }, secondDeployment)).toBe(200)
  })

  test('of another account knows no embed tenant of this one', async () => {
    expect(await status({ key: keys.admin }, admins)).toBe(200)
    const theirs = await outcome({ key: keys.otherAdmin }, admins.replace('/1/', '/9/'))
    expect(theirs).toEqual([404, 'embed_tenant_not_found'])
  })
})

describe('the log says of a credential that is refused,', () => {
  const service = world()

  async function reasonFor(call: Call): Promise<unknown> {
    service.logged.length = 0
    expect((await service.get(readers, call)).status).toBe(401)
    const [event, ...more] = service.logged.filter(({ event }) => event === 'authorization.refused')
    expect(more).toEqual([])
    return event?.reason
  }

  test('that it has no scheme we know', async () => {
    for (const authorization of ['Basic x', keys.admin, `x Bearer ${keys.admin}`, `Bearer ${keys.admin} x`]) {
      expect([authorization, await reasonFor({ authorization })]).toEqual([authorization, 'no known scheme'])
    }
    // More spaces than one are no mistake (RFC 9110, section 11.4).
    expect((await service.get(readers, { authorization: `Bearer   ${keys.admin}  ` })).status).toBe(200)
  })

  test('that its key is mistyped, unknown, revoked or expired, or its user is gone', async () => {
    const mistyped = newApiKey({ accountId: 'acme', userId: 1 }).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
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
    for (const [key, reason] of Object.entries(reasons)) expect([key, await reasonFor({ key })]).toEqual([key, reason])
  })

  test('that its embed token is revoked, or of a user who is gone', async () => {
    const ofAcme = { accountId: 'acme', roles: ['admin'], deploymentIds: 'all' }
    const leaving = put('user', { ...ofAcme, id: 70, email: 'leaving@acme.example' })
    await service.apply([leaving])
    const endUser = await embedToken(service, { externalId: 'u-1', embedTenantName: 'north' })
    const own = await embedToken(service, { internalId: 'leaving@acme.example' })
    const body = { embedTenantName: 'north' }
    expect((await service.post('/api/v1/embed/session/revoke', { key: keys.admin, body })).status).toBe(204)
    expect(await reasonFor(endUser)).toBe('revoked token')
    await service.apply([without(leaving)])
    expect(await reasonFor(own)).toBe('token of no user')
  })
})
