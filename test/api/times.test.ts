import { readFileSync } from 'node:fs'
import { instantOf, time } from '@embed-access/core/time.ts'
import fc from 'fast-check'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dbtSync, keys, startOfTime, userKey, world } from '../support/service.ts'

/** Ways to write 2026-01-31T10:00:00Z. */
const same = [
  '2026-01-31T10:00:00Z',
  '2026-01-31T10:00:00',
  '2026-01-31T10:00',
  '2026-01-31T10',
  '2026-01-31t10:00:00z',
  '2026-01-31T10:00:00.000000000000Z',
  '2026-01-31T10:00:00,0Z',
  '2026-01-31T12:00:00+02',
  '2026-01-31T12:00:00+0200',
  '2026-01-31T12:00:00+02:00',
  '2026-01-30T22:30:00-11:30',
  '2026-02-01T09:59:00.0+23:59',
  '20260131T100000Z',
  '20260131T100000',
  '20260131t1000z',
  '20260131T10',
  '20260131T120000,000+0200',
  '20260131T120000+02',
]

const refused = `2026-W05-6 2026W056 2026-W05-6T10:00:00Z 2026-031 2026031 2026-031T10:00:00Z
2026-01-30T24:00:00Z 2026-01-30T24:00 20260130T240000Z 2016-12-31T23:59:60Z 20161231T235960Z
2026-02-29 20260229 2026-02-31T10:00:00Z 2026-13-01 2026-00-10 2026-01-00 2026-04-31
2026-01-31T10:60Z 2026-01-31T25Z 2026-01-31T10:00:00+24 2026-01-31T10:00:00+02:60
2026-01-31T10:00:00+2 2026-01-31T 2026-01-31Z 2026-01-31T10:00:00.Z 2026-01-31T10:00.5Z 2026-01
2026 26-01-31 2026-0131 202601-31 2026-01-31T1000Z 20260131T10:00Z 31.01.2026 1769853600
+002026-01-31 2026-01-31T10:00:00ZZ ２026-01-31 2026-01-31T10:00:00−02:00`
  .split(/\s/)
  .concat('', ' 2026-01-31', '2026-01-31\n', '2026-01-31 10:00:00Z')

const published = JSON.parse(readFileSync('docs/openapi.json', 'utf8')).components.schemas.DbtSync
  .properties.startedAt

describe('a time', () => {
  const zone = process.env.TZ
  beforeAll(() => {
    process.env.TZ = 'America/New_York'
    expect(new Date(2026, 0).getTimezoneOffset()).toBe(300)
  })
  afterAll(() => {
    process.env.TZ = zone
  })
  const service = world()

  test.each(same)('may be written as %j, and is UTC without an offset', (text) => {
    expect(v.parse(time, text)).toBe(text)
    expect(instantOf(text)).toEqual({ seconds: Date.UTC(2026, 0, 31, 10) / 1000, nanoseconds: 0 })
    expect(text).toMatch(new RegExp(published.pattern))
  })

  test('has its fraction in nanoseconds', () => {
    const ofFraction = (digits: string) => instantOf(`2026-01-31T10:00:00.${digits}Z`).nanoseconds
    expect(['5', '123456789', '0000000019'].map(ofFraction)).toEqual([500_000_000, 123_456_789, 1])
  })

  test.each(refused)('is not %j', (text) => {
    expect(v.safeParse(time, text).issues?.[0].message).toContain(
      'week and ordinal dates, 24:00 and leap seconds',
    )
  })

  test('is taken as its pattern says, if the day exists', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'00112359T:-+Z.,'), maxLength: 12 })
    const near = fc.tuple(fc.constantFrom(...same), fc.nat(30), fc.nat(3), letters)
    fc.assert(
      fc.property(near, ([text, at, length, more]) => {
        const other = text.slice(0, at) + more.slice(0, length) + text.slice(at + length)
        const isAccepted = v.is(time, other)
        if (isAccepted) expect(other).toMatch(new RegExp(published.pattern))
        const date = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(other)?.slice(1).join('-') ?? ''
        const exists =
          !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date)
        expect(isAccepted).toBe(new RegExp(published.pattern).test(other) && exists)
      }),
      { numRuns: 2000 },
    )
  })

  test('goes out as it came in, and orders its list by the instant', async () => {
    const [before, after, day] = [
      '2026-01-31T09:59:59.999999999',
      '2026-01-31T12:00:00,000000001+02',
      '2026-01-31',
    ]
    await service.apply(
      [...same, before, after, day].map((startedAt, index) =>
        dbtSync(1, `${index + 10}`, { startedAt }),
      ),
    )
    const { body } = await service.get('/api/v1/deployments/1/dbt-sync', { key: keys.admin })
    const times = body.items.map(({ startedAt }: { startedAt: string }) => startedAt)
    expect(times).toEqual([after, ...same, before, day])
  })

  test.each([
    ['', 0],
    ['+02', 2],
    ['-1130', -11.5],
  ])('ends an API key at its instant, with the offset %j', async (offset, hours) => {
    const end = startOfTime + 60_250
    const local = new Date(end + hours * 3_600_000).toISOString().slice(0, -1).replace('.', ',')
    const key = `sk-test-ends${offset}`
    await service.apply([userKey('acme', 1, key, { expiresAt: local + offset })])
    const status = async (now: number) => {
      service.now = now
      return (await service.get('/api/v1/deployments/1/dbt-sync', { key })).status
    }
    expect([await status(end - 1), await status(end)]).toEqual([200, 401])
    service.now = startOfTime
  })
})
