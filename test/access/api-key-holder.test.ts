import { crc32 } from 'node:zlib'
import { isMistyped, namedHolder, newApiKey } from '@embed-access/core/access/api-key.ts'
import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { countCalls } from '../support/counting.ts'
import { put, type Reply, world } from '../support/service.ts'

const path = '/api/v1/deployments/1/dbt-sync'

const ada = { accountId: 'acme', userId: 1 }
const keyChange = (key: string) => put('apiKey', { ...ada, name: 'ours', tokenHash: hashOfApiKey(key) })

/** A key that names nobody, as older keys do. */
const namingNobody = () => newApiKey({ accountId: 'a'.repeat(200), userId: 1 })

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

  let tripsOf: ReturnType<typeof countCalls>
  beforeAll(() => {
    tripsOf = countCalls(service.storage)
  })

  const status = async (key: string) => (await service.get(path, { key })).status

  test('that names its holder is read beside its user and account, in one read', async () => {
    const [naming, older] = [newApiKey(ada), namingNobody()]
    await service.apply([keyChange(naming), keyChange(older)])
    for (const key of [naming, older]) expect(await status(key)).toBe(200)
    const readsOf = async (authorization: string) => {
      const [{ trips, readUnits }] = await tripsOf(() => authenticate(credentials, authorization))
      return [trips.map((calls) => calls.length), readUnits]
    }
    const credentials = { ...unusedVerifiers, storage: service.storage, now: () => service.now }
    expect(await readsOf(`Bearer ${naming}`)).toEqual([[1], 1.5])
    expect(await readsOf(`Bearer ${older}`)).toEqual([[1, 1], 1.5])
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
      let reply: Reply | undefined
      const [{ trips, readUnits, writeUnits }] = await tripsOf(async () => {
        reply = await service.get(path, { key })
      })
      return { trips, readUnits, writeUnits, status: reply?.status, body: { ...reply?.body, requestId: '' } }
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

  test.each(['apiKey#', 'user#', 'account#'])(
    'is not decided about while the database does not answer about %s',
    async (what) => {
      const [known, unknown] = [newApiKey(ada), newApiKey(ada)]
      await service.apply([keyChange(known)])
      service.storage.client.middlewareStack.add(
        (next) => (args) =>
          JSON.stringify(args.input).includes(`"${what}`) ? Promise.reject(new Error('away')) : next(args),
        { step: 'initialize', name: 'away' },
      )
      expect([await status(known), await status(unknown)]).toEqual([500, 500])
      service.storage.client.middlewareStack.remove('away')
      expect([await status(known), await status(unknown)]).toEqual([200, 401])
    },
  )
})
