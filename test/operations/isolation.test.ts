import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { takesDeployment } from '../../openapi/operation.ts'
import { type Issuer, startIssuer } from '../access/issuer.ts'
import { acmeAccount, type Call, keys, put, userKey, without, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { isolation, isolationTable, type PrincipalName, principals } from './isolation.ts'
import {
  embedToken,
  everyOperation,
  itemsOfEveryList,
  requestOf,
  send,
  stored,
} from './requests.ts'

const service = world(itemsOfEveryList(1))
const { newSession, redeem, revoke, tokenOf } = sessionsOf(service)
let calls: Readonly<Record<PrincipalName, Call>>

beforeAll(async () => {
  const issuer = await startIssuer()
  // The issuer tells the time by the machine's clock.
  service.now = Date.now()
  calls = await callsOf(issuer)
  return issuer.stop
})

test.each(
  everyOperation.flatMap((operation) =>
    (Object.keys(principals) as PrincipalName[]).map((name) => {
      const { id } = operation
      return { id, operation, name, who: principals[name], outcome: isolation[id][name] }
    }),
  ),
)('$id answers $outcome to: $who', async ({ id, operation, name, outcome }) => {
  const [status, code] = outcome.replace(' no effect', '').split(' ')
  const about = {
    ...(takesDeployment(operation.input) && { deploymentId: name === 'ended' ? 7 : 1 }),
    ...(id === 'revoke-session' && { sessionId: await newSession({ internalId: 'ada' }) }),
  }
  const request = await requestOf(service, operation, about)
  const leavesAll = outcome.startsWith('4') || outcome === '204 no effect'
  const before = leavesAll ? await stored(service) : []
  const reply = await send(service, request, calls[name])
  expect([reply.status, reply.body?.code]).toEqual([Number(status), code])
  if (code === 'unauthenticated') expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  const after = leavesAll ? await stored(service) : []
  if (reply.status >= 400) expect(after).toEqual(before)
  if (id === 'end-embed-session') Object.assign(calls, await embedTokens())
  // What the caller may not end stays as it was. Beside it stands a revocation that counts only
  // where the caller may end.
  if (outcome === '204 no effect')
    expect(after).toEqual(before.map((items) => expect.arrayContaining(items)))
  if (id === 'revoke-session') {
    const { sessionId } = request.body as { sessionId: string }
    const redeemed = await redeem(sessionId)
    expect(redeemed.status).toBe(outcome === '204' ? 401 : 200)
    if (outcome !== '204') {
      const list = await service.get('/api/v1/deployments/1/dbt-sync', bearer(redeemed.body.token))
      expect(list.status).toBe(200)
    }
  }
})

test('docs/threats.md has this table', async () => {
  const [begin, end] = ['<!-- Made from test/operations/isolation.ts -->\n', '<!-- End -->']
  const [before, rest = ''] = readFileSync('docs/threats.md', 'utf8').split(begin)
  const after = rest.split(end)[1]
  const advice = 'npx vitest run test/operations/isolation.test.ts -u writes it there.'
  await expect(`${before}${begin}${isolationTable()}${end}${after}`, advice).toMatchFileSnapshot(
    '../../docs/threats.md',
  )
})

/** A request's credential, for each principal. */
async function callsOf(issuer: Issuer): Promise<typeof calls> {
  const audience = 'https://embed.test/api'
  const accessToken = async (login: string) =>
    bearer(await issuer.accessToken(audience, { preferred_username: login }))
  const oidc = { issuer: issuer.url, audience, userClaim: 'preferred_username' }
  const rob = { accountId: 'acme', id: 2, email: 'rob@acme.example' }
  const keyOfAda = (key: string, more: object = {}) => userKey('acme', 1, key, more)
  const revoked = keyOfAda('sk-revoked')
  const { now } = service
  await service.apply([
    acmeAccount({ oidc }),
    put('user', { ...rob, username: 'rob', roles: [], deploymentIds: [1] }),
    keyOfAda('sk-limited', { operations: ['generate-session'] }),
    keyOfAda('sk-expired', { expiresAt: new Date(now).toISOString() }),
    ...[revoked, without(revoked)],
    without(put('account', { id: 'closed', name: 'Closed' })),
  ])
  service.now = now - 86_400_000
  const expiredToken = await embedToken(service, { internalId: 'ada' })
  service.now = now
  const sessionId = await newSession({ internalId: 'ada' })
  const revokedToken = bearer(await tokenOf(sessionId))
  await revoke({ sessionId })
  return {
    admin: { key: keys.admin },
    limited: { key: 'sk-limited' },
    pageAdmin: { key: keys.admin, headers: { origin: 'https://app.acme.example' } },
    reader: { key: keys.reader },
    stranger: { key: keys.stranger },
    scopedAdmin: { key: keys.scopedAdmin },
    ...(await embedTokens()),
    oidcAdmin: await accessToken('ada'),
    oidcReader: await accessToken('rob'),
    otherAdmin: { key: keys.otherAdmin },
    ended: { key: keys.closedAdmin },
    expiredKey: { key: 'sk-expired' },
    revokedKey: { key: 'sk-revoked' },
    expiredToken,
    revokedToken,
    none: {},
  }
}

/** Those that are good, made anew. */
async function embedTokens() {
  return {
    internalAdmin: await embedToken(service, { internalId: 'ada' }),
    internalReader: await embedToken(service, { internalId: 'rob@acme.example' }),
    internalElsewhere: await embedToken(
      service,
      { deploymentId: 2, internalId: 'ada' },
      keys.scopedAdmin,
    ),
    external: await embedToken(service, { externalId: 'u-1', roles: ['admin'] }),
  }
}
