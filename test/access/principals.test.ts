import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { embedTokenVerifier, Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { accessTokenVerifier } from '@embed-access/core/access/oidc-token.ts'
import { currentPublicKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { describe, expect, test } from 'vitest'
import { keys, people, put, startOfTime, world } from '../support/service.ts'

const hash = (key: string) => hashOfApiKey(key)
const scopedReader = 'sk-scoped-reader'
const scopedStranger = 'sk-scoped-stranger'
const scoped = (userId: number, key: string, deploymentIds: readonly number[]) =>
  put('apiKey', { accountId: 'acme', userId, name: 'x', tokenHash: hash(key), deploymentIds })

describe('a credential proves', () => {
  const service = world([...people, scoped(2, scopedReader, [1, 2]), scoped(3, scopedStranger, [1])])

  const proves = (authorization: string) => {
    const now = () => service.now
    const issuance = { issuer: service.issuer, audience: service.issuer, now }
    return authenticate(
      {
        storage: service.storage,
        now,
        verifyEmbedToken: embedTokenVerifier(currentPublicKeys({ storage: service.storage, now }), issuance),
        verifyAccessToken: accessTokenVerifier(now),
      },
      authorization,
    )
  }
  const apiKey = (key: string) => ({ kind: 'apiKey', key: hash(key).slice(0, 12) })

  test.each([
    [keys.admin, { userId: 1, admin: true, scoped: false, deploymentIds: 'all' }],
    [keys.reader, { userId: 2, admin: false, scoped: false, deploymentIds: [1] }],
    [keys.stranger, { userId: 3, admin: false, scoped: false, deploymentIds: [] }],
    [keys.scopedAdmin, { userId: 1, admin: true, scoped: true, deploymentIds: [2] }],
    [scopedReader, { userId: 2, admin: false, scoped: true, deploymentIds: [1] }],
    [scopedStranger, { userId: 3, admin: false, scoped: true, deploymentIds: [] }],
    [
      keys.expiring,
      { userId: 1, admin: true, scoped: false, deploymentIds: 'all', expiresAt: startOfTime / 1000 + 60 },
    ],
  ])('by the API key %s who is calling, and what is open to them', async (key, principal) => {
    expect(await proves(`Bearer ${key}`)).toStrictEqual({
      principal: { accountId: 'acme', credential: apiKey(key), ...principal },
      apiKey: { tokenHash: hash(key), accountId: 'acme' },
    })
  })

  async function token(body: object, key = keys.admin) {
    const made = await service.post('/api/v1/embed/generate-session', { key, body: { deploymentId: 1, ...body } })
    const { text } = await service.post('/api/v1/embed/session/token', { body: made.body })
    return (JSON.parse(text) as { token: string }).token
  }
  const jti = expect.stringMatching(/^[\w-]{22}$/)
  const mintedBy = { userId: 1, key: hash(keys.admin).slice(0, 12), at: startOfTime / 1000 }

  test('by an internal user’s embed token that user, in the token’s deployment alone', async () => {
    expect(await proves(`Bearer ${await token({ internalId: 'ada' })}`)).toStrictEqual({
      principal: {
        accountId: 'acme',
        userId: 1,
        admin: true,
        scoped: true,
        deploymentIds: [1],
        credential: { kind: 'embedToken', jti, deploymentId: 1, mintedBy },
        expiresAt: startOfTime / 1000 + 86_400,
      },
    })
  })

  test('by the embed token of somebody else an end user, and no principal', async () => {
    const credential = { kind: 'embedToken', jti, deploymentId: 1, mintedBy, externalId: 'u' }
    const endUser = { accountId: 'acme', credential }
    expect(await proves(`Embed-Token ${await token({ externalId: 'u' })}`)).toStrictEqual({ endUser })
  })

  test('nothing where it is refused, with an error of a name of its own', async () => {
    await expect(proves('Basic x')).rejects.toBeInstanceOf(Unauthenticated)
    await expect(proves('Basic x')).rejects.toMatchObject({ name: 'Unauthenticated', message: 'no known scheme' })
  })
})
