import { crc32 } from 'node:zlib'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { PutCommand } from '@aws-sdk/lib-dynamodb'
import { holderInText, isMistyped, newApiKey } from '@embed-access/core/access/api-key.ts'
import { apiKeyUses } from '@embed-access/core/access/api-keys.ts'
import { apiKeyKey, apiKeyUseKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { ItemKey } from '@embed-access/core/storage/item.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Counter, countCalls } from '../support/counting.ts'
import { countsUnits, itemAt, sentBy } from '../support/database.ts'
import { startOfTime, userKey, without, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const hour = 3_600_000
const path = '/api/v1/deployments/1/dbt-sync'

const ada = { accountId: 'acme', userId: 1 }
const keyChange = (key: string, more: object = {}) => userKey('acme', 1, key, more)

/** Appends the checksum: CRC-32 in base 62. */
function withChecksum(body: string): string {
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const checksum = Array.from(
    { length: 6 },
    (_, place) => base62[Math.floor(crc32(body) / 62 ** (5 - place)) % 62],
  )
  return body + checksum.join('')
}

describe('an API key', () => {
  const service = world()
  const { storage } = service
  let spentBy: Counter['measure']
  beforeAll(() => {
    spentBy = countCalls(storage)
  })

  const status = async (key: string) => (await service.get(path, { key })).status
  const newKey = async (more: object = {}) => {
    const key = newApiKey(ada)
    await service.apply([keyChange(key, more)])
    return key
  }
  const itemOf = (Key: ItemKey) => itemAt(storage, 'credentials', Key)
  const stored = (key: string) => itemOf(apiKeyKey(hashOfApiKey(key)))
  const lastUse = async (key: string) => (await itemOf(apiKeyUseKey(hashOfApiKey(key))))?.lastUsedAt

  test('with a wrong checksum is refused without a look-up', async () => {
    const key = await newKey()
    expect(await status(key)).toBe(200)
    const [spent, refused] = await spentBy(() =>
      status(key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')),
    )
    expect([refused, spent.trips]).toEqual([401, []])
  })

  test('that came in by its hash may look like anything', async () => {
    const odd = [
      'sk-ea_short',
      `sk-ea_${'x'.repeat(50)}`,
      'a.b.c',
      `${btoa('{"typ":1}')}.b.c`,
      'SK-whatever',
    ]
    for (const key of [...odd, `sk-${'0'.repeat(49)}`]) {
      await service.apply([keyChange(key)])
      expect([key, await status(key)]).toEqual([key, 200])
    }
  })

  test.each([
    ['another user of the account', { accountId: 'acme', userId: 2 }],
    ['an admin of another account', { accountId: 'other', userId: 1 }],
    ['a user who is not there', { accountId: 'acme', userId: 99 }],
    ['an account that is not there', { accountId: 'acm', userId: 1 }],
    ['an account named like a table key', { accountId: 'acme#1', userId: 1 }],
  ])('that falsely names %s is refused as unknown', async (_, named) => {
    const [lying, unknown] = [newApiKey(named), newApiKey(named)]
    await service.apply([keyChange(lying)])
    service.logged.length = 0
    const answer = async (key: string) => {
      const [{ trips, readUnits, writeUnits }, { status, body }] = await spentBy(() =>
        service.get(path, { key }),
      )
      const units = countsUnits && { readUnits, writeUnits }
      return { trips, units, status, body: { ...body, requestId: '' } }
    }
    const answers = [await answer(lying), await answer(unknown)]
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    const reasons = service.logged.flatMap(({ reason }) => reason ?? [])
    expect(reasons).toEqual(['key that names another holder', 'unknown key'])
  })

  test('opens nothing if its text is changed, even with the right checksum', async () => {
    const key = await newKey()
    expect(await status(key)).toBe(200)
    for (let at = 0; at < key.length - 6; at += 1) {
      const text = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
      const other = withChecksum(text.slice(0, -6))
      expect([at, isMistyped(other), await status(other)]).toEqual([at, false, 401])
    }
  })

  test('that names a holder of any length or characters is refused, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 2, maxLength: 150 }), async (bytes) => {
        const random = newApiKey(ada).slice(-49, -6)
        const key = withChecksum(`sk-ea_${Buffer.from(bytes).toString('base64url')}_${random}`)
        expect([holderInText(key) !== undefined, await status(key)]).toEqual([true, 401])
      }),
      { numRuns: 25 },
    )
  })

  test('has its last use recorded once an hour at most, and not if it is refused', async () => {
    const key = await newKey()
    const writes = async (uses: number, at: number) => {
      service.now = at
      const [{ writeUnits }] = await spentBy(() =>
        Promise.all(Array.from({ length: uses }, () => status(key))),
      )
      return [writeUnits, await lastUse(key)]
    }
    const [begin, later] = [startOfTime, startOfTime + hour].map((time) =>
      new Date(time).toISOString(),
    )
    expect(await writes(50, startOfTime)).toEqual([1, begin])
    expect(await writes(1, startOfTime + hour - 1)).toEqual([0, begin])
    expect(await writes(1, startOfTime + hour)).toEqual([1, later])
    service.now = startOfTime
    const expired = await newKey({ expiresAt: begin })
    expect([await status(expired), await lastUse(expired)]).toEqual([401, undefined])
  })

  test('works while its use cannot be recorded, which is logged once an hour', async () => {
    const key = await newKey()
    service.logged.length = 0
    storage.client.middlewareStack.add(
      (next, { commandName }) =>
        (args) =>
          commandName === PutItemCommand.name ? Promise.reject(new Error('away')) : next(args),
      { step: 'initialize', name: 'away' },
    )
    expect([await status(key), await status(key)]).toEqual([200, 200])
    storage.client.middlewareStack.remove('away')
    const warnings = service.logged.filter(({ level }) => level === 'warn')
    expect(warnings).toEqual([
      expect.objectContaining({
        requestId: expect.any(String),
        message: 'the use of an API key was not recorded',
      }),
    ])
    expect(JSON.stringify(warnings)).not.toContain(key)
  })

  test('is the only credential whose use is recorded', async () => {
    const token = await sessionsOf(service).newToken({ internalId: 'ada' })
    service.logged.length = 0
    const [{ writeUnits }, { status }] = await spentBy(() => service.get(path, bearer(token)))
    expect([writeUnits, status]).toEqual([0, 200])
    expect(service.logged.filter(({ level }) => level !== 'info')).toEqual([])
  })

  test('is not written by its use, also when it was revoked meanwhile', async () => {
    const [live, revoked] = [await newKey(), await newKey()]
    // A request waits for it for 250 ms at most. Here it has all the time that a busy machine
    // takes.
    const patient = sentBy(storage, (command) => storage.client.send(command as PutCommand))
    const record = (key: string) =>
      apiKeyUses()(patient, { tokenHash: hashOfApiKey(key), accountId: 'acme' }, startOfTime)
    await service.apply([without(keyChange(revoked))])
    const before = [await stored(live), await stored(revoked)]
    await Promise.all([record(live), record(revoked)])
    expect([await stored(live), await stored(revoked)]).toEqual(before)
    expect([await status(live), await status(revoked)]).toEqual([200, 401])
  })

  const use = (number: number) => ({ tokenHash: String(number), accountId: 'acme' })

  test('is one of 10,000 whose uses are remembered, and forgotten with one key more', async () => {
    let writes = 0
    const over = sentBy(storage, async () => {
      writes += 1
      return {}
    })
    const storeUse = apiKeyUses()
    for (const number of Array(10_000).keys()) await storeUse(over, use(number), startOfTime)
    await storeUse(over, use(0), startOfTime)
    expect(writes).toBe(10_000)
    for (const number of [10_000, 0, 10_000]) await storeUse(over, use(number), startOfTime)
    expect(writes).toBe(10_002)
  })

  test('has its use given up when the database does not answer', async () => {
    const silent = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
      new Promise((_, reject) =>
        abortSignal.addEventListener('abort', () => reject(abortSignal.reason)),
      )
    const over = { ...storage, client: { send: silent } } as unknown as typeof storage
    await expect(apiKeyUses()(over, use(1), startOfTime)).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })
})
