import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { inForce } from '@embed-access/core/access/revocation.ts'
import {
  publishedHash,
  revocationsInForce,
} from '@embed-access/core/access/revocations-in-force.ts'
import { revokeToken } from '@embed-access/core/sessions/revoke.ts'
import { tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import { currentDocument } from '@embed-access/core/signing/revocations-document.ts'
import { ascending, key } from '@embed-access/core/storage/keys.ts'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { countCalls } from '../support/counting.ts'
import { countsUnits, putItem } from '../support/database.ts'
import { keys, startOfTime, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const scope = { accountId: 'acme', deploymentIds: 'all' } as const
const path = '/.well-known/embed-revocations'
const readersKey = hashOfApiKey(keys.reader).slice(0, shownHashLength)

describe('the document of revocations', () => {
  const service = world()
  let begin = startOfTime
  beforeEach(() => {
    begin += 200_000_000
    service.now = begin
  })
  const { newSession, newToken, revoke } = sessionsOf(service)
  const read = async () => decodeJwt((await service.get(path)).text)
  const end = async (request: object) => {
    const token = await newToken(request)
    await service.delete('/api/v1/embed/session', bearer(token))
    return `${decodeJwt(token).jti}`
  }

  test('says what is revoked, by hashes, and is signed for two minutes', async () => {
    const jti = await end({ tokenLifetimeSeconds: 600 })
    await revoke({ embedTenantName: 'north' })
    const sessionId = await newSession({}, keys.reader)
    await revoke({ sessionId }, keys.reader)
    const { status, text, headers } = await service.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/jwt'])
    expect(decodeProtectedHeader(text)).toMatchObject({ typ: 'embed-revocations+jwt' })
    const iat = begin / 1000
    expect(decodeJwt(text)).toEqual({
      iss: 'https://embed.test',
      iat,
      exp: iat + 120,
      complete: true,
      revoked: {
        [publishedHash(`acme#token#${jti}`)]: iat + 600 + 60,
        [publishedHash('acme#tenant#north')]: iat + 1,
        [publishedHash(`acme#token#${tokenIdOf(sessionId)}#key#${readersKey}`)]: iat + 86_760,
      },
    })
  })

  test('names nothing any more that could not be in use, though it is not deleted', async () => {
    await end({ tokenLifetimeSeconds: 600 })
    const sessionId = await newSession()
    await revoke({ sessionId })
    const names = async () => Object.keys((await read()).revoked as object).length
    for (const [seconds, named] of [
      [0, 2],
      [660, 2],
      [675, 1],
      [86_400 + 300 + 60, 1],
      [86_400 + 300 + 75, 0],
    ] as const) {
      service.now = begin + seconds * 1000
      expect([seconds, await names()]).toEqual([seconds, named])
    }
  })

  test('is read once in 12 seconds, and says how much longer it may be kept', async () => {
    service.logged.length = 0
    const kept = async (seconds: number) => {
      service.now = begin + seconds * 1000
      return (await service.get(path)).headers.get('cache-control')
    }
    expect(await Promise.all([kept(0), kept(0)])).toEqual(Array(2).fill('public, max-age=12'))
    expect([await kept(5.5), await kept(11.999)]).toEqual([
      'public, max-age=6',
      'public, max-age=0',
    ])
    expect(await kept(12)).toBe('public, max-age=12')
    const readings = service.logged.filter(({ calls }) => calls)
    // The first also reads the signing keys.
    expect(readings.map(({ calls }) => calls)).toEqual([2, 1])
    if (countsUnits) expect(readings.map(({ units }) => units)).toEqual([1.5, 0.5])
  })

  test('is the same for a minute once it is read again, so who has it gets a 304', async () => {
    const etagOf = async (headers = {}) => {
      const reply = await service.get(path, { headers })
      return [reply.status, reply.headers.get('etag')]
    }
    await end({})
    const [, first] = await etagOf()
    service.now += 12_000
    const [, etag] = await etagOf()
    expect(etag).not.toBe(first)
    const named = { 'if-none-match': `"other", ${etag}` }
    for (const seconds of [13, 27, 60, 71]) {
      service.now = begin + seconds * 1000
      expect(await etagOf(named)).toEqual([304, etag])
      expect(await etagOf({ 'if-none-match': `${etag}`.replace('W/', '') })).toEqual([304, etag])
      expect(await etagOf({ 'if-none-match': '"other"' })).toEqual([200, etag])
    }
    service.now = begin + 72_000
    const [status, next] = await etagOf(named)
    expect([status, next === etag]).toEqual([200, false])
    await end({})
    service.now += 12_000
    expect((await etagOf({ 'if-none-match': `${next}` }))[0]).toBe(200)
  })

  test('is soon newer than one of another instance that has read later and too early', async () => {
    const tables = new MemoryTables()
    const documentOf = () => currentDocument({ issuer: '', now: () => service.now })
    const [early, late] = [documentOf(), documentOf()]
    const iatOf = async (read: typeof early) => {
      const { jwt } = await read(tables.storage, { sign: async ({ iat }) => `${iat}`, since: 0 })
      return Number(jwt) - begin / 1000
    }
    tables.readLate()
    await revokeToken(tables.storage, scope, 'ended', begin / 1000 + 600)
    service.now += 1000
    const lacking = await iatOf(late)
    tables.catchUp()
    service.now -= 500
    expect([await iatOf(early), lacking]).toEqual([0, 1])
    service.now = begin + 12_499
    expect(await iatOf(early)).toBe(0)
    service.now = begin + 15_000
    expect(await iatOf(early)).toBe(15)
    service.now = begin + 30_000
    expect(await iatOf(early)).toBe(15)
  })

  /** Puts a revocation in so many deployments. A Query reads 1 MB, so two or three of these. */
  const put = (at: number, whom: string, entries: number) => {
    const expiresAt = begin / 1000 + 600
    const deploymentIds = new Set(Array.from({ length: entries }, (_, id) => id))
    const Item = {
      ...{ pk: `revocation#acme#${whom}`, expiresAt, padding: 'x'.repeat(340_000) },
      ...(entries > 0 && { deploymentIds }),
      ...{ revocationList: inForce, revocationEnd: key(ascending(expiresAt), `${at}`) },
    }
    return putItem(service.storage, 'sessions', Item)
  }

  test('says that it is not whole beyond 20,000 entries, and has as many', async () => {
    await put(1, 'one', 10_000)
    for (const [entries, complete] of [
      [10_000, true],
      [10_001, false],
    ] as const) {
      await put(2, 'other', entries)
      service.now += 12_000
      const { headers, text } = await service.get(path, { headers: { 'accept-encoding': 'gzip' } })
      expect(headers.get('content-encoding')).toBe('gzip')
      const { complete: isWhole, revoked } = decodeJwt(text)
      expect([isWhole, Object.keys(revoked as object).length]).toEqual([complete, 20_000])
    }
  })

  test('is read on at exactly 20,000 entries, and no further beyond', async () => {
    await put(1, 'first', 10_000)
    await put(3, 'tenant#of-no-entry', 0)
    await put(4, 'last', 1)
    const measure = countCalls(service.storage)
    for (const [second, queries] of [
      [10_000, 2],
      [10_001, 1],
    ] as const) {
      await put(2, 'second', second)
      const [{ calls }, found] = await measure(() => revocationsInForce(service.storage, begin))
      expect([calls, found.complete]).toEqual([queries, false])
      expect(Object.keys(found.revoked)).toHaveLength(20_000)
    }
  })
})
