import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { apiKeysOf } from '@embed-access/core/access/api-keys.ts'
import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { embedTokenVerifier } from '@embed-access/core/access/embed-token.ts'
import { requireGoodToken } from '@embed-access/core/access/good-token.ts'
import { apiKeyUseKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { accountAccepting } from '@embed-access/core/access/oidc-token.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { revokeEndUsers, revokeMinted, revokeSession } from '@embed-access/core/sessions/revoke.ts'
import { readEnd } from '@embed-access/core/sessions/stored-session.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import {
  readPublicKeys,
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/signing/stored-keys.ts'
import { tokenSigner } from '@embed-access/core/signing/token-signer.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerTo, named, notified, questions } from '../simulation/logins.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { outcomesOf } from '../support/database.ts'
import {
  acmeAccount,
  acmeDeployment,
  acmeGroup,
  admin,
  people,
  put,
  startOfTime,
  without,
} from '../support/service.ts'
import { generateOn, issuance } from './past-the-gateway.ts'

const group = acmeGroup('sales')
const deployment = acmeDeployment(1)
const north = { embedTenantName: 'north' }
const oidc = { issuer: 'https://idp.example', audience: 'embed', userClaim: 'sub' }

describe('however late the database reads,', () => {
  let tables: MemoryTables
  let storage: Storage
  const change = async (...changes: object[]) =>
    expect(await outcomesOf(storage, changes)).not.toContain('refused')
  beforeEach(async () => {
    tables = new MemoryTables()
    storage = tables.storage
    await change(...people, group)
  })

  test.each([
    ['a group', without(group), group],
    ['a deployment', without(deployment), deployment],
    ['embedding', acmeAccount({ embeddingEnabled: false }), acmeAccount()],
  ])('no session is made with %s that was just taken away', async (_what, takenAway, back) => {
    tables.readItemsLate()
    await generateOn(storage, { groups: ['sales'] })
    await change(takenAway)
    await expect(generateOn(storage, { groups: ['sales'] })).rejects.toThrow()
    await change(back)
    await generateOn(storage, { groups: ['sales'] })
  })

  test('the reason why a session ended is the last one', async () => {
    tables.readItemsLate()
    const { sessionId } = await generateOn(storage, {})
    const keys = await firstSigningKeys(startOfTime)
    await redeemSession(storage, sessionId, startOfTime, issuance, await tokenSigner(keys))
    expect(await readEnd(storage, sessionId)).toMatchObject({ end: 'redeemed' })
  })

  test('tokens are signed and verified by the keys that are stored now', async () => {
    await writeSigningKeys(storage, await firstSigningKeys(startOfTime), undefined)
    tables.readItemsLate()
    const next = await firstSigningKeys(startOfTime)
    await writeSigningKeys(storage, next, await readStoredKeys(storage))
    expect(await readSigningKeys(storage)).toEqual(next)
    expect((await readPublicKeys(storage)).keys.map(({ kid }) => kid)).toEqual(
      next.keys.map(({ kid }) => kid),
    )
  })

  test.each([
    ['itself', (sessionId: string) => revokeSession(storage, admin, sessionId, startOfTime)],
    [
      'all that its user has generated',
      () => revokeMinted(storage, 'acme', { userId: 1 }, 0, startOfTime),
    ],
    ['all of its embed tenant', () => revokeEndUsers(storage, admin, north, startOfTime)],
    [
      'all of its external user',
      () => revokeEndUsers(storage, admin, { ...north, externalId: 'u-1' }, startOfTime),
    ],
  ])('a token is refused at once by the revocation of %s', async (_what, revoke) => {
    const keys = await firstSigningKeys(startOfTime)
    await writeSigningKeys(storage, keys, undefined)
    const { sessionId } = await generateOn(storage, { ...north, externalId: 'u-1' })
    const { token = '' } = await redeemSession(
      storage,
      sessionId,
      startOfTime,
      issuance,
      await tokenSigner(keys),
    )
    const now = () => startOfTime
    const verifyEmbedToken = embedTokenVerifier(readPublicKeys, { ...issuance, now })
    const credentials = {
      storage,
      verifyEmbedToken,
      verifyAccessToken: () => expect.unreachable(),
      now,
    }
    const bearer = await verifyEmbedToken(storage, token)
    tables.readItemsLate()
    expect(await isRevoked(storage, bearer)).toBe(false)
    await requireGoodToken(storage, verifyEmbedToken, token)
    await authenticate(credentials, `Bearer ${token}`)
    await revoke(sessionId)
    expect(await isRevoked(storage, bearer)).toBe(true)
    await expect(requireGoodToken(storage, verifyEmbedToken, token)).rejects.toThrow(
      'revoked token',
    )
    await expect(authenticate(credentials, `Bearer ${token}`)).rejects.toThrow('revoked token')
  })

  test('tokens of an issuer name their user by the claim that the account says now', async () => {
    await change(acmeAccount({ oidc }))
    tables.readItemsLate()
    await change(acmeAccount({ oidc: { ...oidc, userClaim: 'email' } }))
    expect((await accountAccepting(storage, oidc.issuer, ['embed'])).oidc.userClaim).toBe('email')
  })

  test.each(Object.entries(questions))(
    '%s that another one has by now names nobody, then that one',
    async (_what, question) => {
      const thing = named[question.kind]
      const ids = async () => answerTo(question, storage, 'it')
      await change(...[20, 21, 22].flatMap(notified), thing(20, 'it'), thing(21, 'other'))
      tables.readLate()
      expect(await ids()).toEqual([20])
      await change(thing(20, 'other'), thing(21, 'it'))
      expect(await ids()).toEqual([])
      tables.catchUp()
      expect(await ids()).toEqual([21])
      await change(thing(22, 'it'))
      expect(await ids()).toEqual([])
      // The index still names two.
      tables.readLate()
      await change(thing(21, 'other'))
      expect(await ids()).toEqual([22])
    },
  )

  test('API keys are listed as they are now, with their last use', async () => {
    tables.readItemsLate()
    const tokenHash = hashOfApiKey(newApiKey({ accountId: 'acme', userId: 2 }))
    await change(put('apiKey', { accountId: 'acme', userId: 2, tokenHash, name: 'late' }))
    const use = { ...apiKeyUseKey(tokenHash), lastUsedAt: '2100-06-01T12:00:00.000Z' }
    tables.put('credentials', use)
    const expected = expect.objectContaining({ tokenHash, lastUsedAt: use.lastUsedAt })
    for (const listed of [await apiKeysOf(storage, 'acme', 2), await apiKeysOf(storage, 'acme')]) {
      expect(listed).toContainEqual(expected)
    }
  })
})
