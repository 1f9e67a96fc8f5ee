import { DeleteCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import { describe, expect, test } from 'vitest'
import { metrics } from '../../functions/runtime/metrics.ts'
import { sendTo } from '../faults/in-process.ts'
import { sentBy } from '../support/database.ts'
import { testLog } from '../support/log.ts'
import { keys, startOfTime, startService, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const byAdmin = (body: object) => ({ key: keys.admin, body })

const credentialOf = (key: string) => ({ kind: 'apiKey', key: hashOfApiKey(key).slice(0, 12) })

describe('the audit', () => {
  // The end of a session is stored within 250 ms or not at all, and a busy engine may take longer.
  const service = world(undefined, { isInMemory: true })
  const { generate, newSession, redeem, revoke, tokenOf } = sessionsOf(service)
  const endUser = { externalId: 'u-1', embedTenantName: 'north' }

  const eventsOf = async (act: () => Promise<unknown>) => {
    service.logged.length = 0
    await act()
    return service.logged.filter(({ event }) => event !== undefined)
  }

  const told = (events: readonly Record<string, unknown>[]) =>
    events.map((event) => [
      event.event,
      event.reason,
      ...Object.keys(metrics).filter((name) => event[name] === 1),
    ])

  test('ties making, redemption, replay and revocation together by one id', async () => {
    const events = await eventsOf(async () => {
      const sessionId = await newSession(endUser)
      await redeem(sessionId)
      await redeem(sessionId)
      await revoke({ sessionId })
      await redeem(sessionId)
    })
    expect(told(events)).toEqual([
      ['session.generated', undefined, 'sessionsMade'],
      ['session.redeemed', undefined, 'sessionsRedeemed'],
      ['session.replayed', 'redeemed', 'redemptionsRefused'],
      ['session.revoked', undefined],
      ['session.replayed', 'redeemed', 'redemptionsRefused'],
    ])
    expect(new Set(events.map(({ jti }) => jti)).size).toBe(1)
    const ofAcme = { accountId: 'acme', embedTenantName: 'north' }
    const end = { ...ofAcme, deploymentId: 1, sub: 'acme#external#north#u-1' }
    expect(events[0]).toMatchObject({
      by: { accountId: 'acme', userId: 1, credential: credentialOf(keys.admin) },
      routeKey: 'POST /api/v1/embed/generate-session',
      for: end,
      requestId: expect.any(String),
      sourceIp: '127.0.0.1',
      time: new Date(startOfTime).toISOString(),
    })
    expect(events[1]).toMatchObject({ for: end })
    expect(events[2]).toMatchObject({ for: ofAcme })
  })

  test('tells why a redemption was refused, which its answer does not', async () => {
    const revoked = await newSession()
    await revoke({ sessionId: revoked })
    const expired = await newSession()
    service.now = startOfTime + 300_000
    const events = await eventsOf(async () => {
      for (const sessionId of ['never-made', revoked, expired]) await redeem(sessionId)
    })
    service.now = startOfTime
    expect(told(events)).toEqual([
      ['session.refused', 'unknown', 'redemptionsRefused'],
      ['session.refused', 'revoked', 'redemptionsRefused'],
      ['session.refused', 'expired', 'redemptionsRefused'],
    ])
    const ofAcme = { accountId: 'acme' }
    expect(events.map((event) => event.for)).toEqual([undefined, ofAcme, ofAcme])
    const Metrics = [{ Name: 'redemptionsRefused', Unit: 'Count' }]
    const CloudWatchMetrics = [
      { Namespace: 'EmbedAccess', Dimensions: [['issuer', 'reason']], Metrics },
    ]
    expect(events[0]?._aws).toEqual({ Timestamp: startOfTime + 300_000, CloudWatchMetrics })
  })

  test('notes every refusal of a known caller: by which credential, on which route', async () => {
    const by = { accountId: 'acme', userId: 1, credential: credentialOf(keys.scopedAdmin) }
    const key = keys.scopedAdmin
    const syncs = 'GET /api/v1/deployments/{deploymentId}/dbt-sync'
    const sessions = 'POST /api/v1/embed/generate-session'
    const list = (id: string) => () => service.get(`/api/v1/deployments/${id}/dbt-sync`, { key })
    const make = (request: object) => () => generate(request, key)
    const definitions = { userAttributeDefinitions: [{ name: 'region', defaultValue: '*' }] }
    for (const [act, routeKey, code, deploymentId] of [
      [list('1'), syncs, 'deployment_forbidden', 1],
      [list('9'), syncs, 'deployment_not_found', 9],
      [list('4242'), syncs, 'deployment_not_found', 4242],
      ...['sk-oops', '1e2', '%201'].map(
        (id) => [list(id), syncs, 'invalid_parameter', undefined] as const,
      ),
      [make({ deploymentId: 1 }), sessions, 'deployment_forbidden', 1],
      [make({ deploymentId: 2, ...definitions }), sessions, 'definitions_forbidden', 2],
      [make({ deploymentId: 2, groups: 1 }), sessions, 'invalid_body', 2],
      [make({ deploymentId: 'two' }), sessions, 'invalid_body', undefined],
    ] as const) {
      const events = (await eventsOf(act)).map(({ event, routeKey, code, deploymentId, by }) => ({
        ...{ event, routeKey, code, deploymentId, by },
      }))
      expect(events).toEqual([{ event: 'request.refused', routeKey, code, deploymentId, by }])
    }
  })

  test('names an end user’s embed token that is refused, by its jti, once', async () => {
    const own = '/api/v1/embed/workbooks'
    for (const [session, path, code] of [
      [{}, '/api/v1/deployments/1/dbt-sync', 'end_user'],
      [{ internalId: 'ada' }, own, 'external_user_required'],
      [endUser, `${own}?after=made-up`, 'invalid_cursor'],
      [endUser, `${own}?first=0`, 'invalid_parameter'],
    ] as const) {
      const sessionId = await newSession(session)
      const token = await tokenOf(sessionId)
      const events = await eventsOf(() => service.get(path, bearer(token)))
      const credential = { kind: 'embedToken', jti: tokenIdOf(sessionId), deploymentId: 1 }
      const by = { accountId: 'acme', credential }
      expect(events).toMatchObject([{ event: 'request.refused', code, by }])
    }
  })

  test('notes every change of definitions, old and new, and nothing else', async () => {
    const tenantGroupDefinitions = [{ name: 'buyers' }]
    const creator = { creatorMode: true, embedTenantName: 'north', tenantGroupDefinitions }
    const changesOf = async (definition: object, displayName = 'North') => {
      const embedTenantProfile = { displayName }
      const request = { ...creator, userAttributeDefinitions: [definition], embedTenantProfile }
      const events = await eventsOf(() => generate(request))
      return events.filter(({ event }) => event === 'definitions.changed')
    }
    const called = (displayName: string) => ({ name: 'north', displayName })
    const by = { accountId: 'acme', userId: 1, credential: credentialOf(keys.admin) }
    const region = (defaultValue: string) => ({ name: 'region', defaultValue })
    const [west, east] = [region('west'), region('east')]
    expect(await changesOf(west)).toMatchObject([
      {
        by,
        embedTenantName: 'north',
        deploymentId: 1,
        routeKey: 'POST /api/v1/embed/generate-session',
        changes: [
          { list: 'tenantGroupDefinitions', name: 'buyers', after: { name: 'buyers' } },
          { list: 'userAttributeDefinitions', name: 'region', after: west },
          { list: 'embedTenantProfile', name: 'north', after: called('North') },
        ],
      },
    ])
    expect(await changesOf(west)).toEqual([])
    const [before, after] = [called('North'), called('South')]
    expect(await changesOf(east, 'South')).toMatchObject([
      {
        by,
        changes: [
          { list: 'userAttributeDefinitions', name: 'region', before: west, after: east },
          { list: 'embedTenantProfile', name: 'north', before, after },
        ],
      },
    ])
  })

  test('has no line that Lambda would cut, and says all changes', async () => {
    const definitions = ['\\', '"'].map((letter) =>
      Array.from({ length: 100 }, (_, index) => ({
        ...{ name: `${index}`, description: letter.repeat(500), displayName: '💚'.repeat(200) },
      })),
    )
    const events = await eventsOf(async () => {
      for (const userAttributeDefinitions of definitions)
        expect((await generate({ ...endUser, userAttributeDefinitions })).status).toBe(200)
      // In lower case it is half as long again.
      await revoke({ embedTenantName: 'north', externalId: 'Ⱥ'.repeat(130_000) })
    })
    const changes = events.flatMap(({ changes = [] }) => changes as { after: object }[])
    expect(changes.map(({ after }) => after)).toEqual(definitions.flat())
    expect(events.at(-1)?.event).toBe('sessions.revoked')
    const bytes = events.map((event) => Buffer.byteLength(JSON.stringify(event)))
    expect(Math.max(...bytes)).toBeLessThan(256 * 1024)
  })

  const [lost, throttled] = ['TimeoutError', 'ThrottlingException']
  test.each([
    { what: 'done without an answer, once', errors: [lost], isDone: true, noted: [true] },
    { what: 'not done without an answer, and then done', errors: [lost], noted: [true, undefined] },
    {
      what: 'never answered',
      errors: Array(9).fill(lost),
      status: 503,
      noted: Array(3).fill(true),
    },
    { what: 'first refused, once', errors: [throttled], noted: [undefined] },
  ])('notes a change that was $what', async ({ what, errors, isDone, status = 200, noted }) => {
    const left = [...errors]
    const { logged, log } = testLog()
    const storage = sentBy(service.storage, async (command, on) => {
      const name = command instanceof TransactWriteCommand && left.shift()
      if (!name) return on(command)
      if (isDone) await on(command)
      throw Object.assign(new Error('lost'), { name })
    })
    const server = await startService({ storage: { ...storage, pause: async () => {} }, log })
    const tenantGroupDefinitions = [{ name: what }]
    const request = { creatorMode: true, embedTenantName: 'north', tenantGroupDefinitions }
    const call = byAdmin({ deploymentId: 1, ...request })
    const reply = await sendTo(server, 'POST', '/api/v1/embed/generate-session', call)
    const events = logged.filter(({ event }) => event === 'definitions.changed')
    expect([reply.status, events.map(({ unanswered }) => unanswered)]).toEqual([status, noted])
    for (const event of events)
      expect(event).toMatchObject({
        jti: expect.any(String),
        changes: [{ list: 'tenantGroupDefinitions', after: tenantGroupDefinitions[0] }],
      })
  })

  test.each([
    {
      ...{ whose: 'of a session', event: 'session.revoked', Lost: DeleteCommand },
      send: (sessionId: string) => ['POST', '/revoke', byAdmin({ sessionId })] as const,
    },
    {
      ...{ whose: 'of an embed tenant', event: 'sessions.revoked', Lost: UpdateCommand },
      send: () => ['POST', '/revoke', byAdmin({ embedTenantName: 'north' })] as const,
    },
    {
      ...{ whose: 'of a token by itself', event: 'session.revoked', Lost: UpdateCommand },
      send: (_: string, token: string) => ['DELETE', '', bearer(token)] as const,
    },
  ])('notes a revocation $whose that the database did not answer', async (row) => {
    const { logged, log } = testLog()
    const storage = sentBy(service.storage, (command, on) => {
      if (command instanceof row.Lost) throw Object.assign(new Error(), { name: 'TimeoutError' })
      return on(command)
    })
    const server = await startService({ storage, log })
    const sessionId = await newSession(endUser)
    const [method, path, call] = row.send(sessionId, await tokenOf(sessionId))
    const { status } = await sendTo(server, method, `/api/v1/embed/session${path}`, call)
    const events = logged.filter(({ event }) => event !== undefined)
    expect(status).toBe(503)
    expect(events).toMatchObject([{ event: row.event, unanswered: true, by: {} }])
  })

  test('never holds a session id, a token or a key', async () => {
    const sessionId = await newSession()
    service.logged.length = 0
    const token = await tokenOf(sessionId)
    await redeem(sessionId)
    for (const credential of [token, keys.expiring, `${token}x`]) {
      await service.get('/api/v1/deployments/1/dbt-sync?status=FAILED', bearer(credential))
    }
    const log = JSON.stringify(service.logged)
    for (const secret of [sessionId, token, token.split('.')[2], keys.expiring, keys.admin]) {
      expect(log).not.toContain(secret)
    }
    // Of a key, the lines of invocations do not even have the hash, nor what a query asks.
    const lines = JSON.stringify(
      service.logged.filter(({ invocation }) => invocation !== undefined),
    )
    expect(lines).toContain('"credential":"embedToken"')
    for (const detail of [credentialOf(keys.expiring).key, 'FAILED'])
      expect(lines).not.toContain(detail)
  })

  test('makes the same number of calls for a redemption that is granted or refused', async () => {
    const [fresh, used, revoked] = [await newSession(), await newSession(), await newSession()]
    const expired = await newSession()
    await redeem(used)
    await revoke({ sessionId: revoked })
    const callsOf = async (sessionId: string) => {
      service.logged.length = 0
      await redeem(sessionId)
      return service.logged.find(({ invocation }) => invocation === 'operation')?.calls
    }
    for (const sessionId of [fresh, fresh, used, revoked, 'unknown'])
      expect(await callsOf(sessionId)).toBe(2)
    service.now = startOfTime + 300_000
    // The signing keys are read again, which is a call of this redemption.
    expect(await callsOf('unknown')).toBe(3)
    expect(await callsOf(expired)).toBe(2)
    service.now = startOfTime
  })
})
