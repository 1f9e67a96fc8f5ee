import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { GetCommand, type PutCommand } from '@aws-sdk/lib-dynamodb'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import {
  apiKeysByHash,
  apiKeysOfAccount,
  apiKeysOfUser,
  apiKeyUses,
  type StoredApiKey,
} from '@embed-access/core/access/api-keys.ts'
import { apiKeyKey, apiKeyUseKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { ItemKey } from '@embed-access/core/storage/batch-get.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { sentBy } from '../support/database.ts'
import { keys, startOfTime, without, world } from '../support/service.ts'

const hour = 3_600_000
const path = '/api/v1/deployments/1/dbt-sync'

const keyChange = (key: string, more: object = {}) => ({
  kind: 'apiKey',
  data: { accountId: 'acme', userId: 1, name: 'ours', tokenHash: hashOfApiKey(key), ...more },
})

const ada = { accountId: 'acme', userId: 1 }

describe('an API key', () => {
  const service = world()
  const sent: string[] = []
  let failWith: Error | undefined
  let watching = false

  /** Notes what is asked of the database, and lets its writes fail where a test wants that. */
  function watch(): void {
    sent.length = 0
    if (watching) return
    watching = true
    service.storage.client.middlewareStack.add(
      (next, context) => async (args) => {
        sent.push(String(context.commandName))
        if (failWith && context.commandName === PutItemCommand.name) throw failWith
        return next(args)
      },
      { step: 'initialize' },
    )
  }

  afterEach(() => {
    failWith = undefined
    service.now = startOfTime
  })

  const status = async (key: string) => (await service.get(path, { key })).status
  const writes = () => sent.filter((command) => command === PutItemCommand.name).length
  const itemAt = async (Key: ItemKey) => {
    const TableName = service.storage.tables.credentials
    return (await service.storage.client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item
  }
  const stored = (key: string) => itemAt(apiKeyKey(hashOfApiKey(key)))
  const lastUse = async (key: string) => (await itemAt(apiKeyUseKey(hashOfApiKey(key))))?.lastUsedAt

  test('with a wrong checksum is refused without a look-up', async () => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key)])
    expect(await status(key)).toBe(200)
    watch()
    expect(await status(key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a'))).toBe(401)
    expect(sent).toEqual([])
  })

  test('that came in by its hash may look like anything', async () => {
    for (const key of [
      'sk-ea_short',
      `sk-ea_${'x'.repeat(50)}`,
      'a.b.c',
      `${btoa('{"typ":1}')}.b.c`,
      'SK-whatever',
      `sk-${'0'.repeat(49)}`,
    ]) {
      await service.apply([keyChange(key)])
      expect([key, await status(key)]).toEqual([key, 200])
    }
  })

  test('has its last use recorded once an hour, however often it is used', async () => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key)])
    watch()
    await Promise.all(Array.from({ length: 50 }, () => status(key)))
    service.now = startOfTime + hour - 1
    await status(key)
    expect(writes()).toBe(1)
    expect(await lastUse(key)).toBe(new Date(startOfTime).toISOString())

    service.now = startOfTime + hour
    await status(key)
    expect(writes()).toBe(2)
    expect(await lastUse(key)).toBe(new Date(startOfTime + hour).toISOString())
  })

  test('that is refused has no last use', async () => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key, { expiresAt: new Date(startOfTime).toISOString() })])
    expect(await status(key)).toBe(401)
    expect(await lastUse(key)).toBeUndefined()
  })

  test('works while its use cannot be recorded, which is logged once an hour', async () => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key)])
    watch()
    failWith = Object.assign(new Error('slow down'), { name: 'ThrottlingException' })
    service.logged.length = 0
    expect([await status(key), await status(key)]).toEqual([200, 200])
    expect(writes()).toBe(1)
    const warnings = service.logged.filter(({ level }) => level === 'warn')
    expect(warnings).toEqual([
      expect.objectContaining({ requestId: expect.any(String), message: 'the use of an API key was not recorded' }),
    ])
    expect(JSON.stringify(warnings)).not.toContain(key)
  })

  test('is not written by its use: not when it was revoked meanwhile, nor otherwise', async () => {
    const [live, revoked] = [newApiKey(ada), newApiKey(ada)]
    // A request waits for it for 250 ms at most. Here it has all the time that a busy machine takes.
    const patient = sentBy(service.storage, (command) => service.storage.client.send(command as PutCommand))
    const record = (key: string) =>
      apiKeyUses()(patient, { tokenHash: hashOfApiKey(key), accountId: 'acme' }, startOfTime)
    await service.apply([keyChange(live), keyChange(revoked), without(keyChange(revoked))])
    const before = [await stored(live), await stored(revoked)]
    await Promise.all([record(live), record(revoked)])
    expect([await stored(live), await stored(revoked)]).toEqual(before)
    expect([await status(live), await status(revoked)]).toEqual([200, 401])
  })

  test('keeps its last use through a change of it', async () => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key)])
    await status(key)
    await service.apply([keyChange(key, { name: 'renamed' })])
    expect(await lastUse(key)).toBe(new Date(startOfTime).toISOString())
    const [listed] = await apiKeysByHash(service.storage, hashOfApiKey(key))
    expect(listed).toMatchObject({ name: 'renamed', lastUsedAt: new Date(startOfTime).toISOString() })
  })
})

describe('the API keys that operators list', () => {
  const service = world()
  const hashesOf = (apiKeys: readonly StoredApiKey[]) => apiKeys.map(({ tokenHash }) => tokenHash).toSorted()

  test('of a user are those that are not revoked, each with its last use', async () => {
    const revoked = keyChange('sk-revoked', { userId: 3 })
    const [used, unused] = ['sk-used', 'sk-unused'].map((key) => keyChange(key, { userId: 3 }))
    await service.apply([used, unused, revoked, without(revoked)])
    await service.get(path, { key: 'sk-used' })
    const listed = await apiKeysOfUser(service.storage, 'acme', 3)
    expect(hashesOf(listed)).toEqual(['sk-used', 'sk-unused', keys.stranger].map(hashOfApiKey).toSorted())
    const uses = Object.fromEntries(listed.map(({ tokenHash, lastUsedAt }) => [tokenHash, lastUsedAt]))
    expect(uses[hashOfApiKey('sk-used')]).toBe(new Date(startOfTime).toISOString())
    expect(uses[hashOfApiKey('sk-unused')]).toBeUndefined()
    expect(await apiKeysOfUser(service.storage, 'other', 3)).toEqual([])
  })

  test('of an account are those of all its users, and of no other account', async () => {
    expect(hashesOf(await apiKeysOfAccount(service.storage, 'other'))).toEqual([hashOfApiKey(keys.otherAdmin)])
    const ours = await apiKeysOfAccount(service.storage, 'acme')
    expect(new Set(ours.map(({ userId }) => userId))).toEqual(new Set([1, 2, 3]))
    expect(hashesOf(ours)).not.toContain(hashOfApiKey('sk-revoked'))
    expect(await apiKeysOfAccount(service.storage, 'nobody')).toEqual([])
  })
})
