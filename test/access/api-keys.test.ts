import { crc32 } from 'node:zlib'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyPattern, isMistyped, namedHolder, newApiKey } from '@embed-access/core/access/api-key.ts'
import { apiKeyUses } from '@embed-access/core/access/api-key-use.ts'
import {
  apiKeysByHash,
  apiKeysOfAccount,
  apiKeysOfUser,
  type StoredApiKey,
} from '@embed-access/core/access/api-keys.ts'
import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { apiKeyKey, apiKeyUseKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { ItemKey } from '@embed-access/core/storage/batch-get.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { countTrips } from '../operations/trips.ts'
import { keys, startOfTime, without, world } from '../world.ts'

const hour = 3_600_000
const path = '/api/v1/deployments/1/dbt-sync'

const keyChange = (key: string, more: object = {}) => ({
  kind: 'apiKey',
  data: { accountId: 'acme', userId: 1, name: 'ours', tokenHash: hashOfApiKey(key), ...more },
})

const ada = { accountId: 'acme', userId: 1 }

/** A key that names nobody, as older keys do. */
const namingNobody = () => newApiKey({ accountId: 'a'.repeat(200), userId: 1 })

const ourShape = new RegExp(`^${apiKeyPattern.source}$`)

const holder = fc.record({
  accountId: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom('a#1', '%23', 'é', '-', '\u0000')),
  userId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
})

describe('a key that we mint', () => {
  test('is found by the published pattern, wherever it stands, and is safe in a header', () => {
    fc.assert(
      fc.property(holder, (holder) => {
        const key = newApiKey(holder)
        expect(key).toMatch(/^[\w-]{55,256}$/)
        expect(apiKeyPattern.exec(`API_KEY="${key}";\n`)?.[0]).toBe(key)
        expect(isMistyped(key)).toBe(false)
      }),
    )
  })

  test('names its holder, whatever the account is called', () => {
    fc.assert(
      fc.property(holder, (holder) => {
        expect(namedHolder(newApiKey(holder))).toEqual(holder)
      }),
    )
  })

  test('names nobody if the name of its account is too long', () => {
    const keyOf = (length: number) => newApiKey({ accountId: 'a'.repeat(length), userId: 1 })
    expect([keyOf(148).length, keyOf(149).length]).toEqual([256, 55])
    expect([namedHolder(keyOf(148))?.userId, namedHolder(keyOf(149))]).toEqual([1, undefined])
  })

  test('is known to be mistyped when any one character is another, or two have changed places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 63 }), fc.constantFrom(...'0aZ9'), (at, character) => {
        const key = newApiKey(ada)
        expect(key).toHaveLength(64)
        const typo = key.slice(0, at) + character + key.slice(at + 1)
        const swapped = key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)
        if (ourShape.test(typo)) expect(isMistyped(typo)).toBe(typo !== key)
        if (ourShape.test(swapped)) expect(isMistyped(swapped)).toBe(swapped !== key)
      }),
    )
  })

  test('shares its shape with no key of another kind', () => {
    const others = ['sk-demo-admin', `sk-${'a'.repeat(52)}`, `sk-ea_${'a'.repeat(48)}`, `sk-ea_${'a'.repeat(48)}-`, '']
    expect(others.filter(isMistyped)).toEqual([])
    expect(others.filter(namedHolder)).toEqual([])
  })
})

/** Appends the checksum: CRC-32 in base 62. */
function withChecksum(body: string): string {
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const checksum = Array.from({ length: 6 }, (_, place) => base62[Math.floor(crc32(body) / 62 ** (5 - place)) % 62])
  return body + checksum.join('')
}

const unusedVerifiers = {
  verifyEmbedToken: () => Promise.reject(new Error('is no embed token')),
  verifyAccessToken: () => Promise.reject(new Error('is no access token')),
}

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

  test('that names its holder is read beside its user and its account, and needs no other read', async () => {
    const [naming, older] = [newApiKey(ada), namingNobody()]
    await service.apply([keyChange(naming), keyChange(older)])
    for (const key of [naming, older]) expect(await status(key)).toBe(200)
    const trips = countTrips(service.storage)
    const readsOf = async (authorization: string) => {
      const { trips: calls, readUnits } = await trips(() => authenticate(credentials, authorization))
      return [calls.map((calls) => calls.length), readUnits]
    }
    const credentials = { ...unusedVerifiers, storage: service.storage, now: () => service.now }
    expect(await readsOf(`Bearer ${naming}`)).toEqual([[3], 1.5])
    expect(await readsOf(`Bearer ${older}`)).toEqual([[1, 2], 1.5])
  })

  test.each([
    ['another user of the account', { accountId: 'acme', userId: 2 }],
    ['an admin of another account', { accountId: 'other', userId: 1 }],
    ['a user who is not there', { accountId: 'acme', userId: 99 }],
    ['an account that is not there', { accountId: 'acm', userId: 1 }],
    ['an account with a name like a key of the table', { accountId: 'acme#1', userId: 1 }],
  ])('that names %s, unlike its item, is refused like an unknown one', async (_, named) => {
    const [lying, unknown] = [newApiKey(named), newApiKey(named)]
    await service.apply([keyChange(lying)])
    const answer = async (key: string) => {
      watch()
      const { status, body } = await service.get(path, { key })
      return { status, body: { ...body, requestId: '' }, sent: sent.toSorted() }
    }
    service.logged.length = 0
    const answers = [await answer(lying), await answer(unknown)]
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    const reasons = service.logged.flatMap(({ reason }) => reason ?? [])
    expect(reasons).toEqual(['key that names another holder', 'unknown key'])
  })

  test('opens nothing if its text is changed, even with the right checksum', async () => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key)])
    expect(await status(key)).toBe(200)
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0x21, max: 0x7e }), async (at, byte) => {
        const place = at % key.length
        const text = key.slice(0, place) + String.fromCharCode(byte) + key.slice(place + 1)
        const other = withChecksum(text.slice(0, -6))
        fc.pre(other !== key)
        expect([isMistyped(other), await status(other)]).toEqual([false, 401])
      }),
    )
  })

  test('that names a holder of any length or characters is refused, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 2, maxLength: 150 }), async (bytes) => {
        const random = newApiKey(ada).slice(-49, -6)
        const key = withChecksum(`sk-ea_${Buffer.from(bytes).toString('base64url')}_${random}`)
        expect([namedHolder(key) !== undefined, await status(key)]).toEqual([true, 401])
      }),
    )
  })

  test('that came in by its hash may look like anything', async () => {
    for (const key of ['sk-ea_short', `sk-ea_${'x'.repeat(50)}`, 'a.b.c', 'SK-whatever', `sk-${'0'.repeat(49)}`]) {
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

  test('works while its use cannot be recorded, which is logged and tried no more for that hour', async () => {
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
    const record = (key: string) =>
      apiKeyUses()(service.storage, { tokenHash: hashOfApiKey(key), accountId: 'acme' }, startOfTime)
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
