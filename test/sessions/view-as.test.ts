import { describe, expect, test } from 'vitest'
import {
  acmeAccount,
  acmeTenant,
  keys,
  people,
  startOfTime,
  tenantAttribute,
  userKey,
  world,
} from '../support/service.ts'
import { bearer, pointersOf, sessionsOf } from '../support/sessions.ts'

const actor = { id: 'sam@support.example', reason: 'Ticket 4711' }
const viewing = { externalId: 'u-1', embedTenantName: 'north', actor }

describe('a session with an actor', () => {
  const service = world(
    [
      ...people,
      acmeTenant('north'),
      tenantAttribute('north', 'region', { defaultValue: 'EU' }),
      userKey('acme', 1, 'sk-scoped-admin', { deploymentIds: [1] }),
      userKey('acme', 1, 'sk-limited-admin', { operations: ['generate-session'] }),
    ],
    { isInMemory: true },
  )
  const { generate, dryRun, claims, newToken } = sessionsOf(service)

  test('has the token of the end user, which names the actor and lives 30 minutes', async () => {
    const asThemselves = await claims({ externalId: 'u-1', embedTenantName: 'north' })
    const { jti, exp, act, ...said } = await claims(viewing)
    const { jti: _, exp: __, ...same } = asThemselves
    expect(said).toEqual(same)
    expect([act, exp]).toEqual([{ sub: actor.id }, startOfTime / 1000 + 1800])
    for (const tokenLifetimeSeconds of [60, 1800]) {
      const { exp } = await claims({ ...viewing, tokenLifetimeSeconds })
      expect(exp).toBe(startOfTime / 1000 + tokenLifetimeSeconds)
    }
    expect(JSON.stringify(said)).not.toContain(actor.reason)
  })

  test('shows the actor to whoever asks about the token, and ends with it', async () => {
    const token = await newToken(viewing)
    const current = () => service.get('/api/v1/embed/session', bearer(token))
    expect((await current()).body.claims.act).toEqual({ sub: actor.id })
    service.now += 1_800_000
    expect((await current()).status).toBe(401)
    service.now = startOfTime
  })

  test.each([
    ['of a reader', keys.reader],
    ['of an admin, limited to deployments', 'sk-scoped-admin'],
    ['of an admin, limited to operations', 'sk-limited-admin'],
  ])('is refused to a key %s', async (_, key) => {
    for (const ask of [generate, dryRun]) {
      const { status, body } = await ask(viewing, key)
      expect([status, body.code]).toEqual([403, 'view_as_forbidden'])
    }
  })

  test('is refused to everybody in an account that forbids it', async () => {
    await service.apply([acmeAccount({ viewAs: false })])
    // An instance goes by what it knows of the account for five seconds.
    service.now += 5000
    const { status, body } = await generate(viewing)
    expect([status, body.code, body.detail]).toEqual([
      ...[403, 'view_as_forbidden', 'This account forbids actors.'],
    ])
    expect((await generate({ externalId: 'u-1' })).status).toBe(200)
    await service.apply([acmeAccount()])
    service.now = startOfTime
  })

  test.each([
    [{ internalId: 'ada', externalId: undefined }, ['/actor']],
    [{ externalId: undefined }, ['/actor']],
    [{ creatorMode: true }, ['/creatorMode']],
    [{ tokenLifetimeSeconds: 1801 }, ['/tokenLifetimeSeconds']],
    [{ embedTenantProfile: { displayName: 'N' } }, ['/embedTenantProfile']],
    [{ userAttributeDefinitions: [{ name: 'a' }] }, ['/userAttributeDefinitions']],
    [{ actor: { id: 'sam' } }, ['/actor/reason']],
    [{ actor: { id: '', reason: '' } }, ['/actor/id', '/actor/reason']],
    [{ actor: 'sam' }, ['/actor']],
  ])('is refused with %j', async (more, pointers) => {
    const { status, body } = await generate({ ...viewing, ...more })
    expect([status, pointersOf(body.errors)]).toEqual([400, pointers])
  })

  test.each([{ tenantGroups: ['a'] }, { tenantGroupDefinitions: [{ name: 'a' }] }])(
    'is not told to have a creator mode with %j, which it must not have',
    async (more) => {
      const { body } = await generate({ ...viewing, ...more })
      const pointer = `/${Object.keys(more)[0]}`
      expect(body.errors).toEqual([{ pointer, message: 'must not come together with an actor' }])
    },
  )

  test('creates no embed tenant', async () => {
    const { status, body } = await generate({ ...viewing, embedTenantName: 'nroth' })
    expect([status, body.code, pointersOf(body.errors)]).toEqual([
      ...[400, 'unknown_name', ['/embedTenantName']],
    ])
    const warned = await dryRun({ externalId: 'u-1', embedTenantName: 'nroth' })
    expect(pointersOf(warned.body.warnings)).toEqual(['/embedTenantName'])
  })

  test('is in the audit: who asked, who views, as whom, and why', async () => {
    service.logged.length = 0
    await generate(viewing)
    const events = service.logged.filter(({ event }) => event !== undefined)
    expect(events.map(({ event }) => event)).toEqual(['session.generated', 'session.impersonated'])
    expect(events[1]).toMatchObject({
      jti: events[0]?.jti,
      by: { accountId: 'acme', userId: 1, credential: { kind: 'apiKey' } },
      actor,
      for: { accountId: 'acme', sub: 'acme#external#north#u-1', embedTenantName: 'north' },
    })
  })
})
