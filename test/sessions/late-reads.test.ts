import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { apiKeysByHash, apiKeysOfAccount, apiKeysOfUser } from '@embed-access/core/access/api-keys.ts'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { apiKeyUseKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { accountAccepting } from '@embed-access/core/access/oidc-account.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { readEnd } from '@embed-access/core/sessions/session-end.ts'
import {
  readPublicKeys,
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/sessions/stored-keys.ts'
import { describe, expect, test } from 'vitest'
import { lateReads } from '../storage/late-reads.ts'
import { admin, keys, people, put, startOfTime, without, world } from '../world.ts'

const limits = {
  issuer: 'https://embed.test',
  audience: 'https://embed.test',
  lifetimeSeconds: 60,
  maxTokenBytes: 7168,
}
const group = put('group', { accountId: 'acme', name: 'sales' })
const oidc = { issuer: 'https://idp.example', audience: 'embed', userClaim: 'sub' }
const acme = (more: object) => put('account', { id: 'acme', name: 'Acme', embeddingEnabled: true, ...more })

describe('however late the database reads,', () => {
  const service = world([...people, group])
  const recent = () => recentLookups(() => service.now)

  test.each([
    ['a group', without(group), group],
    [
      'a deployment',
      without(put('deployment', { id: 1 })),
      put('deployment', { accountId: 'acme', id: 1, name: 'First' }),
    ],
    ['embedding', acme({ embeddingEnabled: false }), acme({})],
  ])('no session is made with %s that was just taken away', async (_what, takenAway, back) => {
    const late = await lateReads(service.storage)
    const generate = () =>
      generateSession(late, admin, { deploymentId: 1, groups: ['sales'] }, service.now, limits, recent())
    await generate()
    await service.apply([takenAway])
    await expect(generate()).rejects.toThrow()
    await service.apply([back])
    await generate()
  })

  test('a group that was just made is not told as unknown', async () => {
    const late = await lateReads(service.storage)
    await service.apply([put('group', { accountId: 'acme', name: 'new' })])
    const request = { deploymentId: 1, groups: ['new', 'other'] }
    const refused = generateSession(late, admin, request, service.now, limits, recent())
    await expect(refused).rejects.toMatchObject({ errors: [{ pointer: '/groups/1' }] })
  })

  test('the reason why a session ended is the last one', async () => {
    const late = await lateReads(service.storage)
    const call = { key: keys.admin, body: { deploymentId: 1 } }
    const { sessionId } = (await service.post('/api/v1/embed/generate-session', call)).body
    await service.post('/api/v1/embed/session/token', { body: { sessionId } })
    expect(await readEnd(late, sessionId)).toBe('redeemed')
  })

  test('tokens are signed and verified by the keys that are stored now', async () => {
    const late = await lateReads(service.storage)
    const next = await firstSigningKeys(startOfTime)
    await writeSigningKeys(service.storage, next, await readStoredKeys(service.storage))
    expect(await readSigningKeys(late)).toEqual(next)
    expect((await readPublicKeys(late)).keys.map(({ kid }) => kid)).toEqual(next.keys.map(({ kid }) => kid))
  })

  test('tokens of an issuer name their user by the claim that the account says now', async () => {
    await service.apply([acme({ oidc })])
    const late = await lateReads(service.storage)
    await service.apply([acme({ oidc: { ...oidc, userClaim: 'email' } })])
    expect((await accountAccepting(late, oidc.issuer, ['embed']))?.oidc.userClaim).toBe('email')
  })

  test('API keys are listed as they are now, with their last use', async () => {
    const late = await lateReads(service.storage)
    const tokenHash = hashOfApiKey(newApiKey({ accountId: 'acme', userId: 2 }))
    await service.apply([put('apiKey', { accountId: 'acme', userId: 2, tokenHash, name: 'late' })])
    const use = { ...apiKeyUseKey(tokenHash), lastUsedAt: '2100-06-01T12:00:00.000Z' }
    await service.storage.client.send(new PutCommand({ TableName: service.storage.tables.credentials, Item: use }))
    const expected = expect.objectContaining({ tokenHash, lastUsedAt: use.lastUsedAt })
    for (const listed of [
      await apiKeysOfUser(late, 'acme', 2),
      await apiKeysOfAccount(late, 'acme'),
      await apiKeysByHash(late, tokenHash.slice(0, 8)),
    ]) {
      expect(listed).toContainEqual(expected)
    }
  })
})
