import {
  accountKey,
  issuerAndAudience,
  loginPartition,
  userKey,
} from '@embed-access/core/access/keys.ts'
import type { ItemKey } from '@embed-access/core/storage/item.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { itemAt, putItem } from '../support/database.ts'
import { acmeTenant, keys, put, type Reply, userOf, without, world } from '../support/service.ts'
import { type Issuer, startIssuer } from './issuer.ts'

const admins = '/api/v1/deployments/1/embed-tenants/north/workbooks'
const readers = '/api/v1/deployments/1/dbt-sync'
const others = '/api/v1/deployments/9/dbt-sync'

const audience = 'https://embed.test/api'
const second = 1_000
const minute = 60 * second

const north = acmeTenant('north')
const account = (id: string, oidc?: object) =>
  put('account', { id, name: id, embeddingEnabled: true, ...(oidc && { oidc }) })
const user = (accountId: string, id: number, email: string, more: object = {}) =>
  userOf(accountId, id, email, { deploymentIds: 'all', ...more })

const allowed = [200, undefined]
const unauthorized = [401, 'unauthenticated']
const outcome = ({ status, body }: Reply) => [status, body.code]

describe('an access token of an issuer', () => {
  const service = world(undefined, { isInMemory: true })
  let issuer: Issuer
  let otherIssuer: Issuer
  let configured: ReturnType<typeof account>[]

  beforeAll(async () => {
    ;[issuer, otherIssuer] = await Promise.all([startIssuer(), startIssuer()])
    configured = [
      account('acme', { issuer: issuer.url, audience, userClaim: 'preferred_username' }),
      account('other', { issuer: otherIssuer.url, audience, userClaim: 'email' }),
    ]
    await service.apply([
      north,
      ...configured,
      user('acme', 60, 'one@acme.example', { username: 'twin' }),
      user('acme', 61, 'two@acme.example', { username: 'Twin' }),
      user('acme', 62, 'kate@acme.example', { username: 'kate' }),
      user('acme', 63, 'nameless@acme.example'),
      user('acme', 64, 'late@acme.example', { username: 'late' }),
      user('acme', 65, 'upn@acme.example', { username: 'upn@acme.example' }),
      userOf('acme', 66, 'shared@acme.example'),
      user('acme', 67, 'named@acme.example', { username: 'shared@acme.example' }),
      user('other', 2, 'una@other.example', { username: 'una' }),
      userOf('other', 3, 'una3@other.example', { username: 'una@other.example' }),
      user('other', 4, 'root'),
    ])
    // The issuers tell the time by the machine's clock.
    service.now = Date.now()
  })
  afterAll(() => Promise.all([issuer.stop(), otherIssuer.stop()]))

  const call = (token: string, path = readers) =>
    service.get(path, { authorization: `Bearer ${token}` })
  /** As no change does: an index, or what it is made of, is out of date. */
  const set = async (table: 'credentials' | 'catalog', key: ItemKey, attributes: object) => {
    const item = await itemAt(service.storage, table, key)
    return putItem(service.storage, table, { ...item, ...attributes })
  }
  const tokenFor = (login: unknown, more: object = {}) =>
    issuer.accessToken(audience, { preferred_username: login, ...more })
  const otherToken = (email: string, more: object = {}) =>
    otherIssuer.accessToken(audience, { email, ...more })

  const isSomebody = async (login: unknown) =>
    expect((await call(await tokenFor(login))).status).toBe(200)
  const isNobody = async (login: unknown, more?: object) =>
    expect([login, ...outcome(await call(await tokenFor(login, more)))]).toEqual([
      login,
      ...unauthorized,
    ])

  test('names nobody by an address in another claim, unless it is a user name', async () => {
    await isSomebody('shared@acme.example')
    for (const email of ['ada@acme.example', 'Ada@Acme.Example', 'nameless@acme.example']) {
      for (const email_verified of [undefined, true])
        await isNobody(email, { email_verified, email })
    }
  })

  test('names nobody by an address that a late index has for a user name', async () => {
    await isSomebody('late')
    const isLoggedInAs = (name: string) =>
      set('credentials', userKey('acme', 64), { usernameLogin: loginPartition('acme', name) })
    await isLoggedInAs('late@acme.example')
    await isNobody('late@acme.example')
    await isLoggedInAs('late')
  })

  test('names the user with an e-mail address, where that is its claim, and no name', async () => {
    for (const email of ['una@other.example', 'UNA@Other.Example']) {
      expect((await call(await otherToken(email), others)).status).toBe(200)
    }
    expect(outcome(await call(await otherToken('una'), others))).toEqual(unauthorized)
  })

  test('is refused if its claim names several users, or only looks like a name', async () => {
    await isSomebody('KATE')
    for (const login of ['nobody', 'twin', '', 1, ['ada'], { name: 'ada' }, null, undefined])
      await isNobody(login)
    // The Kelvin sign, whose lower case is a k; and half of a pair of surrogates.
    for (const login of ['\u212Aate', '\u212Aate@acme.example', 'kate\uD800']) await isNobody(login)
  })

  test('is nobody’s if its subject has other letters in capitals than the name', async () => {
    const token = await tokenFor('ada')
    const { sub = '' } = decodeJwt(token)
    await service.apply([account('acme', { issuer: issuer.url, audience, userClaim: 'sub' })])
    for (const [username, expected] of [
      [sub, allowed],
      [sub.toUpperCase(), unauthorized],
    ] as const) {
      await service.apply([user('acme', 68, 'subject@acme.example', { username })])
      expect(outcome(await call(token))).toEqual(expected)
    }
    await service.apply(configured)
  })

  test('is refused where its issuer says that the address in it is not confirmed', async () => {
    const verified = { allowed: [undefined, true, 'true'], refused: [false, 'false', null, '', 1] }
    for (const email_verified of [...verified.allowed, ...verified.refused]) {
      const status = verified.refused.includes(email_verified as never) ? 401 : 200
      const token = await otherToken('olga@other.example', { email_verified })
      const byAddress = await call(token, others)
      const byName = await call(await tokenFor('upn@acme.example', { email_verified }))
      const statuses = { byAddress: byAddress.status, byName: byName.status }
      expect(statuses, `${email_verified}`).toEqual({ byAddress: status, byName: status })
    }
    expect((await call(await tokenFor('ada', { email_verified: false }))).status).toBe(200)
    // An address on a host of the network needs no @ to be one.
    const byHost = async (more: object) =>
      (await call(await otherToken('root', more), others)).status
    expect([await byHost({}), await byHost({ email_verified: false })]).toEqual([200, 401])
  })

  test('of another account’s issuer is nobody of this account, whatever it claims', async () => {
    const claims = { preferred_username: 'ada', accountId: 'acme' }
    expect(outcome(await call(await otherToken('ada@acme.example', claims)))).toEqual(unauthorized)
    const theirs = await otherToken('olga@other.example', claims)
    expect((await call(theirs, others)).status).toBe(200)
    expect(outcome(await call(theirs))).toEqual([404, 'deployment_not_found'])
  })

  test('is refused once the account takes its issuer away, or is gone', async () => {
    const token = await tokenFor('ada')
    for (const taken of [account('acme'), without(account('acme'))]) {
      await service.apply(configured)
      expect((await call(token)).status).toBe(200)
      await service.apply([taken])
      expect(outcome(await call(token))).toEqual(unauthorized)
    }
    await service.apply(configured)
  })

  test('is accepted by what the account says, and not by what a late index says', async () => {
    const token = await tokenFor('ada')
    const elsewhere = { issuer: issuer.url, audience: 'https://elsewhere.test' }
    await set('catalog', accountKey('acme'), { oidc: { ...elsewhere, userClaim: 'sub' } })
    expect(outcome(await call(token))).toEqual(unauthorized)
    // The other account has another issuer now, or none.
    const byIssuer = issuerAndAudience({ issuer: issuer.url, audience })
    for (const changes of [configured, [account('other')]]) {
      await service.apply([...configured, ...changes])
      await set('catalog', accountKey('other'), { issuerAndAudience: byIssuer })
      expect((await call(token)).status).toBe(200)
    }
    await service.apply(configured)
  })

  test('of an issuer of two accounts is one account’s by its audience', async () => {
    const accept = (acme: string, other: string) =>
      service.apply([
        account('acme', { issuer: issuer.url, audience: acme, userClaim: 'email' }),
        account('other', { issuer: issuer.url, audience: other, userClaim: 'email' }),
      ])
    const both = async (at: string) => {
      const ada = await issuer.accessToken(at, { email: 'ada@acme.example' })
      const olga = await issuer.accessToken(at, { email: 'olga@other.example' })
      return [await call(ada), await call(olga, others)].map(outcome)
    }
    await accept('https://a.test', 'https://b.test')
    expect(await both('https://a.test')).toEqual([allowed, unauthorized])
    expect(await both('https://b.test')).toEqual([unauthorized, allowed])
    await accept('https://c.test', 'https://c.test')
    expect(await both('https://c.test')).toEqual([unauthorized, unauthorized])
    await service.apply([account('other')])
    expect(await both('https://c.test')).toEqual([allowed, unauthorized])
    await service.apply(configured)
  })

  test('of an issuer that is down keeps its users out with 503 once its keys are old', async () => {
    const begin = service.now
    const token = await tokenFor('ada')
    expect((await call(token)).status).toBe(200)
    await issuer.stop()
    service.now += 9 * minute
    expect((await call(token)).status).toBe(200)
    service.now += 2 * minute
    service.logged.length = 0
    for (const reply of [await call(token), await call(token, admins)]) {
      expect(outcome(reply)).toEqual([503, 'issuer_unavailable'])
      expect(reply.headers.get('retry-after')).toBe('30')
      expect(reply.text).not.toContain(issuer.url)
    }
    const refused = service.logged.find(({ event }) => event === 'authorization.refused')
    expect(refused?.reason).toMatch(
      `${issuer.url}/.well-known/openid-configuration: connect ECONNREFUSED`,
    )
    const paths = { [keys.admin]: admins, [keys.reader]: readers, [keys.otherAdmin]: others }
    for (const [key, path] of Object.entries(paths))
      expect((await service.get(path, { key })).status).toBe(200)
    await issuer.restart()
    expect((await call(token)).status).toBe(503)
    service.now += 6 * second
    expect((await call(token)).status).toBe(200)
    service.now = begin
  })
})
