import { describe, expect, test } from 'vitest'
import { keys, startOfTime, world } from '../world.ts'

const exchange = '/api/v1/embed/session/token'

describe('the audit', () => {
  const service = world()

  async function newSession(): Promise<string> {
    const reply = await service.post('/api/v1/embed/generate-session', {
      key: keys.admin,
      body: { deploymentId: 1, externalId: 'u-1', embedTenantName: 'north' },
    })
    return reply.body.sessionId
  }

  const eventsOf = async (act: () => Promise<unknown>) => {
    service.logged.length = 0
    await act()
    return service.logged.filter(({ event }) => event !== undefined)
  }

  test('ties the making, redemption, replay and revocation of a session together by one id', async () => {
    let sessionId = ''
    const events = await eventsOf(async () => {
      sessionId = await newSession()
      await service.post(exchange, { body: { sessionId } })
      await service.post(exchange, { body: { sessionId } })
      await service.post('/api/v1/embed/session/revoke', { key: keys.admin, body: { sessionId } })
    })
    expect(events.map(({ event }) => event)).toEqual([
      'session.generated',
      'session.redeemed',
      'session.replayed',
      'session.revoked',
    ])
    expect(new Set(events.map(({ jti }) => jti)).size).toBe(1)
    const end = { accountId: 'acme', deploymentId: 1, sub: 'acme#external#north#u-1', embedTenantName: 'north' }
    expect(events[0]).toMatchObject({
      by: { accountId: 'acme', userId: 1 },
      for: end,
      requestId: expect.any(String),
      sourceIp: '127.0.0.1',
      time: new Date(startOfTime).toISOString(),
    })
    expect(events[1]).toMatchObject({ for: end })
  })

  test('tells why a redemption was refused, which its answer does not', async () => {
    const revoked = await newSession()
    await service.post('/api/v1/embed/session/revoke', { key: keys.admin, body: { sessionId: revoked } })
    const expired = await newSession()
    service.now = startOfTime + 300_000
    const events = await eventsOf(async () => {
      for (const sessionId of ['never-made', revoked, expired]) await service.post(exchange, { body: { sessionId } })
    })
    service.now = startOfTime
    expect(events.map(({ event, reason }) => [event, reason])).toEqual([
      ['session.refused', 'unknown'],
      ['session.refused', 'revoked'],
      ['session.refused', 'expired'],
    ])
  })

  test('counts each event as a metric of its name', async () => {
    const [event] = await eventsOf(() => service.post(exchange, { body: { sessionId: 'never-made' } }))
    expect(event).toMatchObject({
      'session.refused': 1,
      _aws: {
        Timestamp: startOfTime,
        CloudWatchMetrics: [
          { Namespace: 'EmbedAccess', Dimensions: [['issuer']], Metrics: [{ Name: 'session.refused' }] },
        ],
      },
    })
  })

  test('notes an authorization that was refused, with its reason', async () => {
    const events = await eventsOf(async () => {
      await service.get('/api/v1/deployments/1/dbt-sync', { key: 'sk-unknown' })
      await service.get('/api/v1/deployments/1/embed-tenants/north/workbooks', { key: keys.reader })
    })
    expect(events).toMatchObject([
      {
        event: 'authorization.refused',
        reason: 'unknown key',
        routeKey: 'GET /api/v1/deployments/{deploymentId}/dbt-sync',
      },
      { event: 'authorization.refused', reason: 'admin_required', by: { accountId: 'acme', userId: 2 } },
    ])
  })

  test('never holds a session id, a token or a key', async () => {
    const sessionId = await newSession()
    service.logged.length = 0
    const { token } = (await service.post(exchange, { body: { sessionId } })).body
    await service.post(exchange, { body: { sessionId } })
    await service.get('/api/v1/deployments/1/dbt-sync', { authorization: `Bearer ${token}` })
    await service.get('/api/v1/deployments/1/dbt-sync', { key: keys.expiring })
    await service.get('/api/v1/deployments/1/dbt-sync', { authorization: `Bearer ${token}x` })
    const log = JSON.stringify(service.logged)
    for (const secret of [sessionId, token, token.split('.')[2], keys.expiring, keys.admin]) {
      expect(log).not.toContain(secret)
    }
  })
})

describe('a redemption', () => {
  const service = world()

  test('makes the same number of calls whether it is granted or refused, for whatever reason', async () => {
    const newSession = async () =>
      (await service.post('/api/v1/embed/generate-session', { key: keys.admin, body: { deploymentId: 1 } })).body
        .sessionId
    const [used, revoked, expired] = [await newSession(), await newSession(), await newSession()]
    await service.post(exchange, { body: { sessionId: used } })
    await service.post('/api/v1/embed/session/revoke', { key: keys.admin, body: { sessionId: revoked } })
    let calls = 0
    service.storage.client.middlewareStack.add(
      (next) => (args) => {
        // The signing keys are read again from time to time, whoever asks.
        if ((args.input as { TableName?: string }).TableName !== service.storage.tables.signingKeys) calls += 1
        return next(args)
      },
      { step: 'initialize' },
    )
    const counted = async (sessionId: string) => {
      calls = 0
      await service.post(exchange, { body: { sessionId } })
      return calls
    }
    const fresh = await newSession()
    expect(await counted(fresh)).toBe(2)
    expect([await counted(fresh), await counted(used), await counted(revoked), await counted('unknown')]).toEqual([
      2, 2, 2, 2,
    ])
    service.now = startOfTime + 300_000
    expect(await counted(expired)).toBe(2)
  })
})
