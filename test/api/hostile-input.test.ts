import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keys, world } from '../world.ts'

const hostile = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  'x'.repeat(3000),
  '😀'.repeat(300),
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '"; DROP TABLE',
  "' OR '1'='1",
  '../../etc/passwd',
  '%',
  '%00',
  '#',
  'a#b%23c',
  '\r\nSet-Cookie: x=1',
  '<script>',
  'jndi:ldap://x',
  'null',
  'NaN',
  '1e400',
  '-0',
  '٣',
  'ﬃ',
  '\u202e',
]

const fields = [
  'deploymentId',
  'creatorMode',
  'email',
  'externalId',
  'internalId',
  'embedTenantName',
  'embedTenantProfile',
  'userProfile',
  'embedTheme',
  'groups',
  'tenantGroups',
  'tenantGroupDefinitions',
  'groupDefinitions',
  'userAttributes',
  'userAttributeDefinitions',
  'securityContext',
  'roles',
  'publicDashboardId',
  'isEphemeral',
  'settings',
  'sessionId',
]

const parameters = [
  'first',
  'after',
  'accessSource',
  'status',
  'trigger',
  'dashboardId',
  'dashboardPublicId',
  'recipientUserId',
  'recipientEmail',
  'recipientEmbedTenantName',
  'recipientExternalId',
  '__proto__',
  'constructor',
]

const paths = [
  '/api/v1/deployments/1/embed-tenants/north/workbooks',
  '/api/v1/deployments/1/dbt-sync',
  '/api/v1/deployments/1/notifications',
]

/** Refused or answered, but never a fault. */
const handled = (status: number) => status < 500

describe('hostile input', () => {
  const service = world()

  test('in a query parameter is refused or answered', async () => {
    await service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } }])
    for (const path of paths) {
      for (const parameter of parameters) {
        for (const value of hostile) {
          const query = `${parameter}=${encodeURIComponent(value.toWellFormed())}`
          const { status } = await service.get(`${path}?${query}`, { key: keys.admin })
          expect([path, query, handled(status)]).toEqual([path, query, true])
        }
      }
    }
  })

  test('in a path is refused', async () => {
    for (const value of hostile.filter(Boolean)) {
      const part = encodeURIComponent(value.toWellFormed())
      for (const path of [
        `/api/v1/deployments/${part}/dbt-sync`,
        `/api/v1/deployments/${part}/notifications`,
        `/api/v1/deployments/1/embed-tenants/${part}/workbooks`,
      ]) {
        const { status } = await service.get(path, { key: keys.admin })
        expect([path, status >= 400 && handled(status)]).toEqual([path, true])
      }
    }
  })

  test('in a field of a body is refused or answered', async () => {
    for (const field of fields) {
      for (const value of [
        ...hostile,
        ...hostile.map((text) => [text]),
        ...hostile.map((text) => ({ [text]: text })),
        null,
        [],
        {},
        -1,
        1.5,
        true,
        [[]],
        [null],
        { name: {} },
      ]) {
        const body = { deploymentId: 1, embedTenantName: 'north', creatorMode: true, [field]: value }
        for (const path of ['/api/v1/embed/generate-session', '/api/v1/embed/session/token']) {
          const { status } = await service.post(path, { key: keys.admin, body })
          expect([path, field, value, handled(status)]).toEqual([path, field, value, true])
        }
      }
    }
  })

  test('in raw JSON is refused or answered', async () => {
    const raw = [
      '{"deploymentId":1e400}',
      '{"deploymentId":1,"securityContext":{"n":1e400}}',
      '{"deploymentId":1,"__proto__":{"creatorMode":true}}',
      '{"deploymentId":1,"securityContext":{"__proto__":{"x":1}}}',
      '{"deploymentId":1,"constructor":{"prototype":{"x":1}}}',
      '{"deploymentId":1,"toString":1}',
      '{"deploymentId":1,"deploymentId":9}',
      `{"deploymentId":1,"securityContext":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      `{"deploymentId":1,"securityContext":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      '[[[[[[[[[[',
      '\ufeff{"deploymentId":1}',
    ]
    for (const body of raw) {
      const { status } = await service.post('/api/v1/embed/generate-session', { key: keys.admin, body })
      expect([body.slice(0, 80), status >= 400 && handled(status)]).toEqual([body.slice(0, 80), true])
    }
  })

  test('in an Authorization header is a plain 401', async () => {
    const safe = hostile.filter((value) => /^[\x20-\x7e]*$/.test(value))
    for (const value of safe) {
      for (const authorization of [value, `Bearer ${value}`, `Api-Key ${value}`, `Embed-Token ${value}`]) {
        const { status } = await service.get(paths[1] as string, { authorization })
        expect([authorization, status]).toEqual([authorization, authorization.length > 9000 ? 431 : 401])
      }
    }
  })

  test('of any JSON shape is refused or answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(...fields), async (value, field) => {
        const { status } = await service.post('/api/v1/embed/generate-session', {
          key: keys.admin,
          body: { deploymentId: 1, [field]: value },
        })
        expect(handled(status)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
