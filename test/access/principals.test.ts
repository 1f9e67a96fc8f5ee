import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { embedTokenVerifier, Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { accessTokenVerifier } from '@embed-access/core/access/oidc-token.ts'
import { userIds, userIdsByLogin } from '@embed-access/core/access/user.ts'
import { currentPublicKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { describe, expect, test } from 'vitest'
import { embedToken } from '../operations/requests.ts'
import { type Call, keys, people, put, startOfTime, userKey, world } from '../support/service.ts'

const service = world([
  ...people,
  userKey('acme', 2, 'sk-scoped-reader', { deploymentIds: [1, 2] }),
  userKey('acme', 3, 'sk-scoped-stranger', { deploymentIds: [1] }),
])

const now = () => service.now
const proves = ({ authorization = '' }: Call) => {
  const issuance = { issuer: service.issuer, audience: service.issuer, now }
  const keys = currentPublicKeys({ storage: service.storage, now })
  const verifiers = {
    verifyEmbedToken: embedTokenVerifier(keys, issuance),
    verifyAccessToken: accessTokenVerifier(now),
  }
  return authenticate({ storage: service.storage, now, ...verifiers }, authorization)
}

describe('a credential proves', () => {
  const shown = (key: string) => hashOfApiKey(key).slice(0, 12)
  const admin = { userId: 1, admin: true, scoped: false, deploymentIds: 'all' }

  test.each<[key: string, principal: object]>([
    [keys.admin, admin],
    [keys.reader, { userId: 2, admin: false, scoped: false, deploymentIds: [1] }],
    [keys.stranger, { userId: 3, admin: false, scoped: false, deploymentIds: [] }],
    [keys.scopedAdmin, { userId: 1, admin: true, scoped: true, deploymentIds: [2] }],
    ['sk-scoped-reader', { userId: 2, admin: false, scoped: true, deploymentIds: [1] }],
    ['sk-scoped-stranger', { userId: 3, admin: false, scoped: true, deploymentIds: [] }],
    [keys.expiring, { ...admin, expiresAt: startOfTime / 1000 + 60 }],
  ])('by the API key %s who is calling, and what is open to them', async (key, principal) => {
    expect(await proves({ authorization: `Bearer ${key}` })).toStrictEqual({
      principal: { accountId: 'acme', credential: { kind: 'apiKey', key: shown(key) }, ...principal },
      apiKey: { tokenHash: hashOfApiKey(key), accountId: 'acme' },
    })
  })

  const credential = {
    kind: 'embedToken',
    jti: expect.stringMatching(/^[\w-]{22}$/),
    deploymentId: 1,
    mintedBy: { userId: 1, key: shown(keys.admin), at: startOfTime / 1000 },
  }

  test('by an internal user’s embed token that user, in the token’s deployment alone', async () => {
    const own = { ...admin, scoped: true, deploymentIds: [1] }
    expect(await proves(await embedToken(service, { internalId: 'ada' }))).toStrictEqual({
      principal: { accountId: 'acme', ...own, credential, expiresAt: startOfTime / 1000 + 86_400 },
    })
  })

  test('by the embed token of somebody else an end user, and no principal', async () => {
    const endUser = { accountId: 'acme', credential: { ...credential, externalId: 'u' } }
    expect(await proves(await embedToken(service, { externalId: 'u' }))).toStrictEqual({ endUser })
  })

  test('nothing where it is refused, with an error of a name of its own', async () => {
    const error = await proves({ authorization: 'Basic x' }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(Unauthenticated)
    expect(error).toMatchObject({ name: 'Unauthenticated', message: 'no known scheme' })
  })
})

test('The users with an e-mail address come by id, and no other account’s', async () => {
  const user = (accountId: string, id: number) =>
    put('user', { accountId, id, email: 'Twin@acme.example', roles: [], deploymentIds: 'all' })
  await service.apply([user('acme', 10), user('acme', 9), user('acme', 100), user('other', 8)])
  expect(await userIds(service.storage, 'byEmail', 'acme', 'TWIN@acme.example')).toEqual([9, 10, 100])
  expect((await userIdsByLogin(service.storage, 'acme', 'Twin@acme.example')).toSorted()).toEqual([10, 100, 9])
})

test('A name that is longer than a key can be is that of nobody', async () => {
  for (const length of [2043, 2044, 100_000]) {
    expect(await userIdsByLogin(service.storage, 'acme', 'x'.repeat(length))).toEqual([])
  }
})
