import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { describe, expect, test } from 'vitest'
import { keys, people, startOfTime, without, world } from '../support/service.ts'

const admins = '/api/v1/deployments/1/embed-tenants/north/workbooks'
const readers = '/api/v1/deployments/1/dbt-sync'

describe.each([0, 30])('a credential, where API Gateway keeps answers for %i seconds,', (authorizerCacheSeconds) => {
  const service = world(people, { authorizerCacheSeconds })
  /** An authorization by an API key is good until API Gateway has forgotten it. */
  const forget = () => {
    service.now += authorizerCacheSeconds * 1000
  }

  async function embedToken(request: object, key = keys.admin): Promise<string> {
    const { body } = await service.post('/api/v1/embed/generate-session', {
      key,
      body: { deploymentId: 1, ...request },
    })
    return (await service.post('/api/v1/embed/session/token', { body })).body.token
  }

  const status = async (authorization: string, path = readers) => (await service.get(path, { authorization })).status

  test('is an API key under Bearer or Api-Key, in any case of letters', async () => {
    for (const scheme of ['Bearer', 'bearer', 'Api-Key', 'API-KEY']) {
      expect(await status(`${scheme} ${keys.reader}`)).toBe(200)
    }
  })

  test('is refused when it is missing, malformed, unknown or under another scheme', async () => {
    expect((await service.get(readers)).status).toBe(401)
    const bad = [
      'Bearer',
      'Bearer ',
      `Basic ${keys.reader}`,
      keys.reader,
      `Bearer ${keys.reader}x`,
      'Bearer a.b.c',
      `Bearer ${keys.reader} x`,
    ]
    for (const authorization of bad) {
      const reply = await service.get(readers, { authorization })
      expect([authorization, reply.status, reply.body.code]).toEqual([authorization, 401, 'unauthenticated'])
    }
  })

  test('that is an embed token of an internal user has that user’s rights', async () => {
    await service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } }])
    const admin = await embedToken({ internalId: 'ada' })
    expect(await status(`Bearer ${admin}`, admins)).toBe(200)
    expect(await status(`Embed-Token ${admin}`, admins)).toBe(200)
    const reader = await embedToken({ internalId: 'rob@acme.example' })
    expect(await status(`Bearer ${reader}`, admins)).toBe(403)
    expect(await status(`Bearer ${reader}`)).toBe(200)
  })

  test('that is an internal user’s opens the deployment it was made for and no other', async () => {
    const token = await embedToken({ deploymentId: 2, internalId: 'ada' }, keys.scopedAdmin)
    expect(await status(`Bearer ${token}`, '/api/v1/deployments/2/dbt-sync')).toBe(200)
    expect(await status(`Bearer ${token}`)).toBe(403)
    const elsewhere = await service.post('/api/v1/embed/generate-session', {
      authorization: `Bearer ${token}`,
      body: { deploymentId: 1 },
    })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'end_user'])
  })

  test('that is an embed token gives no session: a browser could renew it', async () => {
    for (const token of [
      await embedToken({ internalId: 'rob@acme.example' }, keys.reader),
      await embedToken({ internalId: 'ada' }),
      await embedToken({ externalId: 'u-1' }),
    ]) {
      for (const request of [{}, { externalId: 'u-1' }, { internalId: 'rob@acme.example' }, { nonsense: 1 }]) {
        const { status, body } = await service.post('/api/v1/embed/generate-session?dryRun=true', {
          authorization: `Bearer ${token}`,
          body: { deploymentId: 1, ...request },
        })
        expect([status, body.code]).toEqual([403, 'end_user'])
      }
    }
  })

  test('that is an end user’s embed token opens nothing, whatever roles it carries', async () => {
    const token = await embedToken({ externalId: 'ada', email: 'ada@acme.example', roles: ['admin'] })
    for (const path of [admins, readers, '/api/v1/deployments/1/notifications']) {
      expect(await status(`Bearer ${token}`, path)).toBe(403)
    }
    const again = await service.post('/api/v1/embed/generate-session', {
      authorization: `Bearer ${token}`,
      body: { deploymentId: 1 },
    })
    expect(again.status).toBe(403)
  })

  test('that is an embed token ends with its lifetime, to the second', async () => {
    const token = await embedToken({ internalId: 'ada' })
    service.now += 86_399_000
    expect(await status(`Bearer ${token}`)).toBe(200)
    service.now += 1000
    expect(await status(`Bearer ${token}`)).toBe(401)
  })

  test('that is an API key counts while its user and its account are there', async () => {
    const account = { kind: 'account', data: { id: 'later', name: 'Later', embeddingEnabled: true } }
    const data = { accountId: 'later', id: 50, email: 'tmp@later.example', roles: [], deploymentIds: 'all' }
    const user = { kind: 'user', data }
    const key = { accountId: 'later', tokenHash: hashOfApiKey('sk-tmp'), userId: 50, name: 'tmp' }
    const deployment = { kind: 'deployment', data: { accountId: 'later', id: 77, name: 'Later' } }
    const use = () => {
      forget()
      return status('Bearer sk-tmp', '/api/v1/deployments/77/dbt-sync')
    }
    await service.apply([deployment, { kind: 'apiKey', data: key }])
    expect(await use()).toBe(401)
    await service.apply([user])
    expect(await use()).toBe(401)
    await service.apply([account])
    expect(await use()).toBe(200)
    for (const change of [user, account]) {
      await service.apply([without(change)])
      expect(await use()).toBe(401)
      await service.apply([change])
      expect(await use()).toBe(200)
    }
  })

  test('of an account that ended is refused, even within the cache of the gateway', async () => {
    const account = { kind: 'account', data: { id: 'ending', name: 'Ending', embeddingEnabled: true } }
    await service.apply([
      account,
      { kind: 'deployment', data: { accountId: 'ending', id: 78, name: 'Ending' } },
      {
        kind: 'user',
        data: { accountId: 'ending', id: 1, email: 'end@ending.example', roles: ['admin'], deploymentIds: 'all' },
      },
      { kind: 'apiKey', data: { accountId: 'ending', tokenHash: hashOfApiKey('sk-end'), userId: 1, name: 'end' } },
    ])
    const session = (request: object) =>
      service.post('/api/v1/embed/generate-session', { key: 'sk-end', body: { deploymentId: 78, ...request } })
    const redeem = (body: object) => service.post('/api/v1/embed/session/token', { body })
    const [own, endUser] = await Promise.all(
      [{ internalId: 'end@ending.example' }, { externalId: 'u' }].map(
        async (request) => (await redeem((await session(request)).body)).body.token,
      ),
    )
    const use = (token: string) => status(`Bearer ${token}`, '/api/v1/deployments/78/dbt-sync')
    expect([await use('sk-end'), await use(own), await use(endUser)]).toEqual([200, 200, 403])
    const waiting = (await session({})).body
    await service.apply([without(account)])
    forget()
    expect([await use('sk-end'), await use(own), await use(endUser)]).toEqual([401, 401, 401])
    expect((await session({})).status).toBe(401)
    const principal = {
      accountId: 'ending',
      userId: 1,
      admin: true,
      scoped: false,
      deploymentIds: 'all',
      credential: { kind: 'accessToken' },
    } as const
    const recent = recentLookups(() => service.now)
    const limits = { issuer: service.issuer, audience: service.issuer, lifetimeSeconds: 60, maxTokenBytes: 7168 }
    await expect(
      generateSession(service.storage, principal, { deploymentId: 78 }, service.now, limits, recent),
    ).rejects.toMatchObject({ code: 'embedding_disabled' })
    // A session that waits is redeemed within its five minutes; its token opens nothing here.
    expect(await use((await redeem(waiting)).body.token)).toBe(401)
  })

  test('that is an API key ends with the time that it was given, to the millisecond', async () => {
    const expiresAt = new Date(service.now + 60_000).toISOString()
    const data = { accountId: 'acme', tokenHash: hashOfApiKey('sk-short'), userId: 1, name: 'short', expiresAt }
    await service.apply([{ kind: 'apiKey', data }])
    service.now += 59_999
    expect(await status('Bearer sk-short')).toBe(200)
    service.now += 1
    expect(await status('Bearer sk-short')).toBe(401)
  })

  test('that was refused is refused in the same words as long as that is kept', async () => {
    const refusals = [
      await service.get(readers, { key: 'sk-not-yet' }),
      await service.get(readers, { key: 'sk-not-yet' }),
      await service.get(admins, { key: keys.reader }),
      await service.get(admins, { key: keys.reader }),
    ].map(({ status, body }) => [status, body.code])
    const [unknown, missing] = [
      [401, 'unauthenticated'],
      [403, 'admin_required'],
    ]
    expect(refusals).toEqual([unknown, unknown, missing, missing])
  })

  test('scoped to other deployments is refused for this one', async () => {
    const reply = await service.get(readers, { key: keys.scopedAdmin })
    expect([reply.status, reply.body.code]).toEqual([403, 'deployment_forbidden'])
    expect((await service.get('/api/v1/deployments/2/dbt-sync', { key: keys.scopedAdmin })).status).toBe(200)
  })
})

describe('the log says of a credential that is refused,', () => {
  const service = world()
  const admin = { accountId: 'acme', id: 70, email: 'leaving@acme.example', roles: ['admin'], deploymentIds: 'all' }
  const leaving = { kind: 'user', data: admin }
  const key = (accountId: string, name: string, userId: number, more: object = {}) => ({
    kind: 'apiKey',
    data: { accountId, tokenHash: hashOfApiKey(name), userId, name, ...more },
  })

  async function reasonFor(authorization: string): Promise<unknown> {
    service.logged.length = 0
    expect((await service.get(readers, { authorization })).status).toBe(401)
    const events = service.logged.filter(({ event }) => event === 'authorization.refused')
    expect(events).toHaveLength(1)
    return events[0]?.reason
  }

  async function token(body: object): Promise<string> {
    const made = await service.post('/api/v1/embed/generate-session', { key: 'sk-leaving', body })
    return (await service.post('/api/v1/embed/session/token', { body: made.body })).body.token
  }

  test('that it has no scheme we know', async () => {
    for (const authorization of [
      `Basic ${keys.admin}`,
      keys.admin,
      `x Bearer ${keys.admin}`,
      `Bearer ${keys.admin} x`,
    ]) {
      expect([authorization, await reasonFor(authorization)]).toEqual([authorization, 'no known scheme'])
    }
    // More spaces than one are no mistake (RFC 9110, section 11.4).
    expect((await service.get(readers, { authorization: `Bearer   ${keys.admin}  ` })).status).toBe(200)
  })

  test('that its key is mistyped, unknown, revoked or expired, or its user is gone', async () => {
    const mistyped = newApiKey({ accountId: 'acme', userId: 1 }).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    const revoked = key('acme', 'sk-revoked', 1)
    await service.apply([
      revoked,
      without(revoked),
      key('acme', 'sk-old', 1, { expiresAt: new Date(startOfTime).toISOString() }),
      key('nowhere', 'sk-nowhere', 1),
      key('acme', 'sk-nobody', 99),
    ])
    expect(await reasonFor(`Bearer ${mistyped}`)).toBe('mistyped key')
    expect(await reasonFor('Bearer sk-unknown')).toBe('unknown key')
    expect(await reasonFor('Bearer sk-revoked')).toBe('unknown key')
    expect(await reasonFor('Bearer sk-old')).toBe('expired key')
    expect(await reasonFor('Bearer sk-nowhere')).toBe('key of no account')
    expect(await reasonFor('Bearer sk-nobody')).toBe('key of no user')
  })

  test('that its embed token is revoked, or of a user who is gone', async () => {
    await service.apply([leaving, key('acme', 'sk-leaving', 70)])
    const own = await token({ deploymentId: 1, internalId: admin.email })
    const { body } = await service.post('/api/v1/embed/generate-session', {
      key: 'sk-leaving',
      body: { deploymentId: 1 },
    })
    const endUser = (await service.post('/api/v1/embed/session/token', { body })).body.token
    await service.post('/api/v1/embed/session/revoke', { key: 'sk-leaving', body })
    expect(await reasonFor(`Bearer ${endUser}`)).toBe('revoked token')
    await service.apply([without(leaving)])
    expect(await reasonFor(`Bearer ${own}`)).toBe('token of no user')
  })
})

describe('another account', () => {
  const service = world()

  test('has embed tenants of its own, of the same name or not', async () => {
    await service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } }])
    expect((await service.get(admins, { key: keys.admin })).status).toBe(200)
    const reply = await service.get(admins.replace('/1/', '/9/'), { key: keys.otherAdmin })
    expect([reply.status, reply.body.code]).toEqual([404, 'embed_tenant_not_found'])
  })
})
