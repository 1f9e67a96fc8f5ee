import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { accountKey, login, userKey } from '@embed-access/core/access/keys.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keys, type Reply, startOfTime, world } from '../support/service.ts'
import { type Issuer, startIssuer } from './issuer.ts'

const admins = '/api/v1/deployments/1/embed-tenants/north/workbooks'
const readers = '/api/v1/deployments/1/dbt-sync'
const others = '/api/v1/deployments/9/dbt-sync'

const audience = 'https://embed.test/api'
const second = 1_000
const minute = 60 * second

const north = { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } }

const account = (id: string, oidc?: object) => ({
  kind: 'account',
  data: { id, name: id, embeddingEnabled: true, ...(oidc && { oidc }) },
})

const unauthorized = [401, 'unauthenticated']
const outcome = ({ status, body }: Reply) => [status, body.code]

describe('an access token of an issuer that an account has configured', () => {
  const service = world()
  let issuer: Issuer
  let otherIssuer: Issuer

  beforeAll(async () => {
    ;[issuer, otherIssuer] = await Promise.all([startIssuer(), startIssuer('EdDSA', '/realms/other/')])
    await service.apply([
      north,
      account('acme', { issuer: issuer.url, audience, userClaim: 'preferred_username' }),
      account('other', { issuer: otherIssuer.url, audience, userClaim: 'email' }),
      user(2, { email: 'rob@acme.example', username: 'rob', deploymentIds: [1] }),
      user(3, { email: 'sue@acme.example', username: 'sue', deploymentIds: [] }),
    ])
    // The issuers tell the time by the machine's clock.
    service.now = Date.now()
  })
  afterAll(() => Promise.all([issuer.stop(), otherIssuer.stop()]))

  const call = (token: string, path = readers) => service.get(path, { authorization: `Bearer ${token}` })
  const tokenFor = (login: unknown, at = audience) => issuer.accessToken(at, { preferred_username: login })

  test('has the rights of the user whose name its claim is, in any case of letters', async () => {
    for (const login of ['ada', 'ADA']) expect((await call(await tokenFor(login), admins)).status).toBe(200)
    const reader = await tokenFor('rob')
    expect((await call(reader)).status).toBe(200)
    expect(outcome(await call(reader, admins))).toEqual([403, 'admin_required'])
    const stranger = await call(await tokenFor('sue'))
    expect([stranger.status, stranger.body.code]).toEqual([403, 'deployment_forbidden'])
  })

  test('names nobody by an e-mail address that another claim holds', async () => {
    await service.apply([user(63, { email: 'nameless@acme.example' })])
    for (const login of ['ada@acme.example', 'Ada@Acme.Example', 'nameless@acme.example']) {
      for (const email_verified of [undefined, true]) {
        const token = await issuer.accessToken(audience, { preferred_username: login, email_verified, email: login })
        expect([login, ...outcome(await call(token))]).toEqual([login, ...unauthorized])
      }
    }
  })

  test('names a user whose name is the e-mail address of another one, who has no name', async () => {
    await service.apply([
      user(66, { email: 'shared@acme.example', deploymentIds: [] }),
      user(67, { email: 'named@acme.example', username: 'shared@acme.example', deploymentIds: [1] }),
    ])
    expect((await call(await tokenFor('shared@acme.example'))).status).toBe(200)
  })

  test('names nobody by an address that a late index has for a user name', async () => {
    await service.apply([user(64, { email: 'late@acme.example', username: 'late' })])
    const move = (usernameLogin: string) =>
      service.storage.client.send(
        new UpdateCommand({
          TableName: service.storage.tables.credentials,
          Key: userKey('acme', 64),
          UpdateExpression: 'SET usernameLogin = :login',
          ExpressionAttributeValues: { ':login': usernameLogin },
        }),
      )
    expect((await call(await tokenFor('late'))).status).toBe(200)
    await move(login('acme', 'late@acme.example'))
    expect(outcome(await call(await tokenFor('late@acme.example')))).toEqual(unauthorized)
  })

  test('names the user with an e-mail address, where that is its claim, and no name', async () => {
    await service.apply([
      {
        kind: 'user',
        data: {
          accountId: 'other',
          id: 2,
          email: 'una@other.example',
          username: 'una',
          roles: [],
          deploymentIds: 'all',
        },
      },
      {
        kind: 'user',
        data: {
          accountId: 'other',
          id: 3,
          email: 'una3@other.example',
          username: 'una@other.example',
          roles: [],
          deploymentIds: [],
        },
      },
    ])
    const by = async (email: string) => call(await otherIssuer.accessToken(audience, { email }), others)
    for (const email of ['una@other.example', 'UNA@Other.Example']) expect((await by(email)).status).toBe(200)
    expect(outcome(await by('una'))).toEqual(unauthorized)
  })

  test('is taken under Bearer alone', async () => {
    const token = await tokenFor('ada')
    for (const scheme of ['Api-Key', 'Embed-Token']) {
      expect(outcome(await service.get(readers, { authorization: `${scheme} ${token}` }))).toEqual(unauthorized)
    }
  })

  test('may be signed with any of the allowed algorithms', async () => {
    const elsewhere = await Promise.all(['RS256', 'PS256', 'PS512', 'ES384', 'RS512'].map((each) => startIssuer(each)))
    for (const each of elsewhere) {
      await service.apply([account('closed', { issuer: each.url, audience, userClaim: 'email' })])
      const token = await each.accessToken(audience, { email: 'cleo@closed.example' })
      expect((await call(token, '/api/v1/deployments/7/dbt-sync')).status).toBe(200)
      await each.stop()
    }
  })

  test('is refused for another audience', async () => {
    expect(outcome(await call(await tokenFor('ada', 'https://elsewhere.test/api')))).toEqual(unauthorized)
  })

  test('is refused where its claim names nobody, several users, or is no text', async () => {
    await service.apply([
      user(60, { email: 'one@acme.example', username: 'twin' }),
      user(61, { email: 'two@acme.example', username: 'Twin' }),
    ])
    for (const login of ['nobody', 'twin', '', 1, ['ada'], { name: 'ada' }, null, undefined]) {
      expect([login, ...outcome(await call(await tokenFor(login)))]).toEqual([login, ...unauthorized])
    }
  })

  test('is refused where its claim only looks like the name of somebody', async () => {
    await service.apply([user(62, { email: 'kate@acme.example', username: 'kate' })])
    expect((await call(await tokenFor('KATE'))).status).toBe(200)
    // The Kelvin sign, whose lower case is a k; and half of a pair of surrogates.
    for (const login of ['\u212Aate', '\u212Aate@acme.example', 'kate\uD800']) {
      expect([login, ...outcome(await call(await tokenFor(login)))]).toEqual([login, ...unauthorized])
    }
  })

  test('is refused where a user name is like an address that is not confirmed', async () => {
    await service.apply([user(65, { email: 'upn@acme.example', username: 'upn@acme.example' })])
    const token = (email_verified: boolean) =>
      issuer.accessToken(audience, { preferred_username: 'upn@acme.example', email_verified })
    expect((await call(await token(true))).status).toBe(200)
    expect(outcome(await call(await token(false)))).toEqual(unauthorized)
  })

  test('is refused where the issuer says that the address is not confirmed', async () => {
    const claims = { email: 'olga@other.example' }
    for (const [confirmed, status] of [
      [false, 401],
      ['false', 401],
      [true, 200],
      [undefined, 200],
    ] as const) {
      const token = await otherIssuer.accessToken(audience, { ...claims, email_verified: confirmed })
      expect([confirmed, (await call(token, others)).status]).toEqual([confirmed, status])
    }
  })

  test('is refused where it is bound to a key that a bearer need not hold', async () => {
    const token = await issuer.accessToken(audience, { preferred_username: 'ada', cnf: { jkt: 'thumbprint' } })
    expect(outcome(await call(token))).toEqual(unauthorized)
  })

  test('is refused from the moment it ends, but for the clock skew', async () => {
    const token = await tokenFor('ada')
    const started = service.now
    const { exp } = JSON.parse(atob(token.split('.')[1] as string)) as { exp: number }
    service.now = (exp + 29) * second
    expect((await call(token)).status).toBe(200)
    service.now = (exp + 30) * second
    expect(outcome(await call(token))).toEqual(unauthorized)
    service.now = started
  })

  test('of another account’s issuer is nobody of this account, whatever it claims', async () => {
    const claims = { email: 'ada@acme.example', preferred_username: 'ada', accountId: 'acme' }
    const token = await otherIssuer.accessToken(audience, claims)
    expect(outcome(await call(token))).toEqual(unauthorized)

    const theirs = await otherIssuer.accessToken(audience, { ...claims, email: 'olga@other.example' })
    expect((await call(theirs, others)).status).toBe(200)
    const reply = await call(theirs)
    expect([reply.status, reply.body.code]).toEqual([404, 'deployment_not_found'])
  })

  test('that nobody configured is refused without a call to the issuer', async () => {
    const unknown = await startIssuer()
    const token = await unknown.accessToken(audience, { preferred_username: 'ada', email: 'ada@acme.example' })
    unknown.requests.clear()
    expect(outcome(await call(token))).toEqual(unauthorized)
    expect([...unknown.requests]).toEqual([])
    await unknown.stop()
  })

  test('costs the issuer nothing while its keys are known', async () => {
    const token = await tokenFor('ada')
    await call(token)
    issuer.requests.clear()
    await Promise.all(Array.from({ length: 20 }, () => call(token)))
    expect([...issuer.requests]).toEqual([])
  })

  test('is accepted under a new key of the issuer, once the cool-down is over', async () => {
    const before = await tokenFor('ada')
    expect((await call(before)).status).toBe(200)
    await issuer.rotate()
    const after = await tokenFor('ada')
    service.now += 31 * second
    issuer.requests.clear()
    const replies = await Promise.all(Array.from({ length: 10 }, () => call(after)))
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(issuer.requests.get('/jwks')).toBe(1)
    expect(outcome(await call(before))).toEqual(unauthorized)
  })

  test('under keys that don’t exist makes one request to the issuer in a cool-down', async () => {
    const token = await tokenFor('ada')
    await call(token)
    const [header, ...rest] = token.split('.')
    const invented = (kid: string) =>
      [btoa(JSON.stringify({ ...JSON.parse(atob(header as string)), kid })).replaceAll('=', ''), ...rest].join('.')
    service.now += 31 * second
    issuer.requests.clear()
    for (let n = 0; n < 10; n += 1) expect(outcome(await call(invented(`key ${n}`)))).toEqual(unauthorized)
    expect(issuer.requests.get('/jwks')).toBe(1)
  })

  test('is refused once the account takes its issuer away, or is gone', async () => {
    const token = await tokenFor('ada')
    const configured = account('acme', { issuer: issuer.url, audience, userClaim: 'preferred_username' })
    for (const taken of [account('acme'), { ...account('acme'), op: 'delete' }]) {
      await service.apply([configured])
      expect((await call(token)).status).toBe(200)
      await service.apply([taken])
      expect(outcome(await call(token))).toEqual(unauthorized)
    }
    await service.apply([configured])
  })

  test('is accepted by what the account says, and not by what a late index says', async () => {
    const token = await tokenFor('ada')
    await service.storage.client.send(
      new UpdateCommand({
        TableName: service.storage.tables.catalog,
        Key: accountKey('acme'),
        UpdateExpression: 'SET oidc.audience = :elsewhere',
        ExpressionAttributeValues: { ':elsewhere': 'https://elsewhere.test' },
      }),
    )
    expect(outcome(await call(token))).toEqual(unauthorized)
    await service.apply([account('acme', { issuer: issuer.url, audience, userClaim: 'preferred_username' })])
  })
})

describe('two accounts with the same issuer', () => {
  const service = world()
  let issuer: Issuer

  beforeAll(async () => {
    issuer = await startIssuer()
    service.now = Date.now()
  })
  afterAll(() => issuer.stop())

  const oidc = (at: string) => ({ issuer: issuer.url, audience: at, userClaim: 'email' })
  const call = async (at: string, email: string, path: string) =>
    service.get(path, { authorization: `Bearer ${await issuer.accessToken(at, { email })}` })

  test('are told apart by the audience', async () => {
    await service.apply([account('acme', oidc('https://a.test')), account('other', oidc('https://b.test'))])
    expect((await call('https://a.test', 'ada@acme.example', readers)).status).toBe(200)
    expect((await call('https://b.test', 'olga@other.example', others)).status).toBe(200)
    expect(outcome(await call('https://b.test', 'ada@acme.example', readers))).toEqual(unauthorized)
    expect(outcome(await call('https://a.test', 'olga@other.example', others))).toEqual(unauthorized)
  })

  test('and the same audience have no users by it, until one lets go', async () => {
    await service.apply([account('acme', oidc('https://c.test')), account('other', oidc('https://c.test'))])
    expect(outcome(await call('https://c.test', 'ada@acme.example', readers))).toEqual(unauthorized)
    expect(outcome(await call('https://c.test', 'olga@other.example', others))).toEqual(unauthorized)
    await service.apply([account('other')])
    expect((await call('https://c.test', 'ada@acme.example', readers)).status).toBe(200)
  })
})

describe('an issuer that is down', () => {
  const service = world()
  let issuer: Issuer
  let token: string

  // Each test has an issuer of its own, whose keys the service knows.
  beforeEach(async () => {
    issuer = await startIssuer()
    await service.apply([north, account('acme', { issuer: issuer.url, audience, userClaim: 'preferred_username' })])
    service.now = Date.now()
    token = await issuer.accessToken(audience, { preferred_username: 'ada' })
    expect((await call()).status).toBe(200)
  })
  afterEach(() => issuer.stop())

  const call = (path = readers) => service.get(path, { authorization: `Bearer ${token}` })

  async function expectUnavailable(): Promise<void> {
    for (const reply of [await call(), await call(admins)]) {
      expect(reply.body).toMatchObject({ status: 503, code: 'issuer_unavailable' })
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '30'])
      expect(reply.headers.get('content-type')).toBe('application/problem+json')
      expect(reply.text).not.toContain(issuer.url)
    }
    for (const [key, path] of [
      [keys.admin, admins],
      [keys.reader, readers],
      [keys.otherAdmin, others],
    ] as const) {
      expect((await service.get(path, { key })).status).toBe(200)
    }
  }

  test('keeps its users out with 503, and nobody else, and is asked again soon', async () => {
    await issuer.stop()
    service.now += 11 * minute
    await expectUnavailable()
    await issuer.restart()
    expect((await call()).status).toBe(503)
    service.now += 6 * second
    expect((await call()).status).toBe(200)
  })

  test('does not end access while the keys it gave are fresh, and does so then', async () => {
    await issuer.stop()
    service.now += 9 * minute
    expect((await call()).status).toBe(200)
    service.now += 2 * minute
    await expectUnavailable()
  })

  test('that publishes no key any more keeps the keys it gave before', async () => {
    const discovery = await (await fetch(`${issuer.url}/.well-known/openid-configuration`)).text()
    issuer.answer((request, response) => response.end(request.url === '/jwks' ? '{"keys":[]}' : discovery))
    service.now += 31 * second
    const [header, ...rest] = token.split('.')
    const invented = btoa(JSON.stringify({ ...JSON.parse(atob(header as string)), kid: 'invented' })).replaceAll(
      '=',
      '',
    )
    const refused = await service.get(readers, { authorization: `Bearer ${[invented, ...rest].join('.')}` })
    expect(refused.body).toMatchObject({ status: 503, code: 'issuer_unavailable' })
    expect((await call()).status).toBe(200)
  })

  test('or answers nonsense, redirects or sends too much is as good as down', async () => {
    const keys = await (await fetch(`${issuer.url}/jwks`)).text()
    const { host } = new URL(issuer.url)
    const discovery = (more: object) => JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, ...more })
    // Wherever it is not the point of the case, the rest is as it should be.
    const describing = (answer: string | number) => (asked: string) => (asked === '/jwks' ? keys : answer)
    const publishing = (answer: string | number) => (asked: string) => (asked === '/jwks' ? answer : discovery({}))
    const [wellKnown, jwks] = ['/.well-known/openid-configuration', '/jwks'].map((path) => issuer.url + path)
    const answers: Record<string, [reason: string, answer: (asked: string) => string | number]> = {
      'an error': [`${wellKnown}: status 500`, describing(500)],
      'not found': [`${wellKnown}: status 404`, describing(404)],
      'a redirect': [
        `${wellKnown}: unexpected redirect`,
        (asked) => (asked.startsWith('/.well-known') ? 302 : asked === '/jwks' ? keys : discovery({})),
      ],
      'no JSON': [`${wellKnown}: not JSON`, describing('<html>')],
      'an empty body': [`${wellKnown}: not JSON`, describing('')],
      null: [`${issuer.url}: the discovery document lacks issuer or jwks_uri`, describing('null')],
      'no address of its keys': [
        `${issuer.url}: the discovery document lacks issuer or jwks_uri`,
        describing(JSON.stringify({ issuer: issuer.url })),
      ],
      'another issuer': [
        `${issuer.url}: the discovery document names another issuer`,
        describing(discovery({ issuer: 'https://elsewhere.test' })),
      ],
      'almost the issuer': [
        `${issuer.url}: the discovery document names another issuer`,
        describing(discovery({ issuer: `${issuer.url}/` })),
      ],
      // Which reaches the same server, but by an address that isn't known to be loopback.
      'keys at an unsafe address': [
        `${issuer.url}: jwks_uri is not a safe URL`,
        describing(discovery({ jwks_uri: `http://${host.replace('127.0.0.1', '0.0.0.0')}/jwks` })),
      ],
      'keys in the address itself': [
        `${issuer.url}: jwks_uri is not a safe URL`,
        describing(discovery({ jwks_uri: `data:application/json,${encodeURIComponent(keys)}` })),
      ],
      'keys in a file': [
        `${issuer.url}: jwks_uri is not a safe URL`,
        describing(discovery({ jwks_uri: 'file:///etc/passwd' })),
      ],
      'an error for its keys': [`${jwks}: status 503`, publishing(503)],
      'a redirect for its keys': [
        `${jwks}: unexpected redirect`,
        (asked) => (asked === '/jwks' ? 302 : asked === '/moved' ? keys : discovery({})),
      ],
      'no key set': [`${jwks}: no key that verifies tokens`, publishing('{"keys":"none"}')],
      'a key set of nonsense': [`${jwks}: no key that verifies tokens`, publishing('{"keys":[1]}')],
      'a key set without keys': [`${jwks}: no key that verifies tokens`, publishing('{"keys":[]}')],
      'a key set whose only key is to encrypt for': [
        `${jwks}: no key that verifies tokens`,
        publishing(JSON.stringify({ keys: JSON.parse(keys).keys.map((key: object) => ({ ...key, use: 'enc' })) })),
      ],
      'a key set whose only key has no name': [
        `${jwks}: no key that verifies tokens`,
        publishing(JSON.stringify({ keys: JSON.parse(keys).keys.map(({ kid, ...key }: { kid: string }) => key) })),
      ],
      'too much': [
        `${jwks}: more than 262144 bytes`,
        publishing(JSON.stringify({ ...JSON.parse(keys), padding: 'x'.repeat(300_000) })),
      ],
    }
    service.now += 11 * minute
    const reached = async (answer: (asked: string) => string | number) => {
      issuer.answer((request, response) => {
        const given = answer(request.url ?? '')
        if (typeof given === 'string') response.end(given)
        else response.writeHead(given, { location: `${issuer.url}/moved` }).end()
      })
      service.now += 6 * second
      return call()
    }
    for (const [name, [reason, answer]] of Object.entries(answers)) {
      service.logged.length = 0
      expect([name, (await reached(answer)).body?.code]).toEqual([name, 'issuer_unavailable'])
      const refused = service.logged.find(({ event }) => event === 'authorization.refused')
      expect([name, refused?.reason]).toEqual([name, reason])
    }
    expect((await reached(publishing(keys))).status).toBe(200)
  })

  test('by not answering costs its users a few seconds once', async () => {
    issuer.answer(() => {})
    service.now += 11 * minute
    const replies = await Promise.all(Array.from({ length: 5 }, () => call()))
    const asked = [...issuer.requests]
    replies.push(await call())
    expect([...issuer.requests]).toEqual(asked)
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(503))
  })
})

describe('an account’s issuer', () => {
  const service = world([])

  test('must be an https URL, or on loopback, without query and credentials', async () => {
    const { applyChanges } = await import('@embed-access/core/catalog/apply.ts')
    const apply = async (issuer: string) => {
      const [result] = await applyChanges(service.storage, [account('a', { issuer, audience, userClaim: 'email' })], {
        now: () => startOfTime,
      })
      return result
    }
    for (const issuer of ['https://login.example', 'https://login.example/realms/a/', 'http://[::1]:8080']) {
      expect([issuer, await apply(issuer)]).toEqual([issuer, { outcome: 'applied' }])
    }
    const bad = [
      'login.example',
      'http://login.example',
      'http://169.254.169.254',
      'http://127.0.0.1.elsewhere.test',
      'https://login.example?tenant=a',
      'https://login.example#a',
      'https://ada:secret@login.example',
      'file:///etc/passwd',
    ]
    for (const issuer of bad) {
      expect([issuer, await apply(issuer)]).toMatchObject([issuer, { problems: [{ pointer: '/data/oidc/issuer' }] }])
    }
  })
})

const user = (id: number, data: object) => ({
  kind: 'user',
  data: { accountId: 'acme', id, roles: [], deploymentIds: 'all', ...data },
})
