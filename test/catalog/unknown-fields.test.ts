import { checkChanges } from '@embed-access/core/catalog/apply.ts'
import { describe, expect, test } from 'vitest'
import { publishedDashboard, put, without, workbook } from '../support/catalog.ts'
import { apply, exported, newTables } from '../support/database.ts'
import { samples } from './samples.ts'

/** The same value, with a field that nobody knows in every object. */
function withFieldsEverywhere(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFieldsEverywhere)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([name, each]) => [name, withFieldsEverywhere(each)])
  return { ...Object.fromEntries(inner), shade: { deep: [1] } }
}

describe('a field that this version does not know', () => {
  test.each(['dbtSync', 'notification'] as const)(
    'is left out of a %s at any depth, and named',
    async (kind) => {
      const [storage, expected] = await Promise.all([newTables(), newTables()])
      const more = withFieldsEverywhere(samples[kind][0]) as object
      const [result] = await apply(storage, [put(kind, { ...more, constructor: 1 })])
      expect(result).toMatchObject({
        outcome: 'applied',
        leftOut: expect.arrayContaining([expect.objectContaining({ pointer: '/data/shade' })]),
      })
      await apply(expected, [put(kind, samples[kind][0])])
      expect(await exported(storage)).toEqual(await exported(expected))
    },
  )

  test('is left out of a value of a map too, and named beside the nearest one', async () => {
    const [storage, expected] = await Promise.all([newTables(), newTables()])
    const report = { id: 1, reportId: 1, versionNumber: 1 }
    const formatted = (percent: object) => {
      const columnFormats = JSON.parse('{"constructor":null,"__proto__":null,"a/b":0}')
      columnFormats['a/b'] = { type: 'percent', ...percent }
      const reportSnapshots = [{ ...report, preferences: { columnFormats } }]
      const more = { publishedDashboard: publishedDashboard(1, 1, { reportSnapshots }) }
      return workbook(1, 1, more)
    }
    const place = '/data/publishedDashboard/reportSnapshots/0/preferences/columnFormats/a~1b'
    const reason = 'is not a known field; the nearest one is decimalPlaces'
    expect(await apply(storage, [formatted({ decimalPlace: 2, shade: 1 })])).toMatchObject([
      {
        outcome: 'applied',
        leftOut: [{ pointer: `${place}/decimalPlace`, reason }, { pointer: `${place}/shade` }],
      },
    ])
    await apply(expected, [formatted({})])
    expect(await exported(storage)).toEqual(await exported(expected))
    expect((await exported(storage))[0]).toContain('"__proto__":null')
    expect(checkChanges([formatted({ type: 'other' })])).toMatchObject([
      { outcome: 'refused', problems: [{ pointer: `${place}/type` }] },
    ])
  })

  test.each(Object.entries(samples))(
    'is refused in a %s, put or deleted, if that may decide who sees what',
    (kind, [data]) => {
      const change = put(kind, { ...data, shade: 'dark' })
      const reason = expect.stringMatching(/^is not a known field/)
      const problems = [{ pointer: '/data/shade', reason }]
      const expected = ['workbook', 'dbtSync', 'notification'].includes(kind)
        ? { outcome: 'applied', leftOut: problems }
        : { outcome: 'refused', problems }
      expect(checkChanges([change, without(change)])).toEqual([expected, expected])
    },
  )

  test('does not make a deletion mean another thing', () => {
    const definition = { accountId: 'acme', name: 'region', defaultValue: { any: 'value' } }
    expect(
      checkChanges([
        without(put('attributeDefinition', definition)),
        without(put('attributeDefinition', { ...definition, tenantName: 'oak' })),
        without(put('attributeDefinition', { ...definition, embedTenantNam: 'oak' })),
      ]),
    ).toEqual([
      { outcome: 'applied' },
      ...[
        ['tenantName', 'here it is embedTenantName'],
        ['embedTenantNam', 'the nearest one is embedTenantName'],
      ].map(([field, more]) => ({
        outcome: 'refused',
        problems: [{ pointer: `/data/${field}`, reason: `is not a known field; ${more}` }],
      })),
    ])
  })

  test.each([
    [
      'among the mistakes of data that is refused anyway',
      workbook(1, 1, { shade: 1, name: 7 }),
      'data/name data/shade',
    ],
    ['beside the data', { ...workbook(1, 1), shade: 1 }, 'shade'],
  ])('is refused %s', (_, change, pointers) => {
    const problems = pointers.split(' ').map((pointer) => ({ pointer: `/${pointer}` }))
    expect(checkChanges([change])).toMatchObject([{ outcome: 'refused', problems }])
  })

  test.each(['__proto__', 'constructor'])('may be %s', (name) => {
    const { data } = workbook(1, 1)
    const withField = JSON.parse(
      `${JSON.stringify(data).slice(0, -1)},"${name}":{"type":"REPORT"}}`,
    )
    const leftOut = [
      { pointer: `/data/${name}`, reason: expect.stringMatching(/^is not a known field/) },
    ]
    expect(checkChanges([put('workbook', withField)])).toEqual([{ outcome: 'applied', leftOut }])
  })

  test('costs a step each, and none in a change that is too large', () => {
    const few = readsOf(100)
    expect(few.outcome).toBe('applied')
    expect(readsOf(1600)).toEqual({
      outcome: 'applied',
      reads: expect.toSatisfy((reads) => reads < 17 * few.reads),
    })
    // Its size is found by one look at each entry.
    expect(readsOf(30_000)).toEqual({
      outcome: 'refused',
      problems: [
        {
          pointer: '/data',
          reason: expect.stringMatching(/^the document has \d+ bytes; the limit is 262144$/),
        },
      ],
      reads: expect.toSatisfy((reads) => reads < 2 * 30_000),
    })
  })

  test('is told a hundred times at most', () => {
    const fields = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, 1]))
    const [result] = checkChanges([workbook(1, 1, fields)])
    const { leftOut = [] } = result as { leftOut?: readonly object[] }
    expect(leftOut).toHaveLength(101)
    expect(leftOut[99]).toEqual({ pointer: '/data/f99', reason: 'is not a known field' })
    expect(leftOut[100]).toEqual({ pointer: '/data', reason: 'has 50 more problems' })
  })
})

/**
 * What becomes of a notification whose filters have a field each that nobody knows, and how often
 * one of them is read.
 */
function readsOf(count: number) {
  let reads = 0
  /** A list that counts, as do the lists that are made of it. */
  const counting = (list: readonly object[]): readonly object[] =>
    new Proxy(list, {
      get(target, key, self) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const made: unknown = value.apply(self, given)
          return Array.isArray(made) ? counting(made) : made
        }
      },
    })
  const filters = counting(
    Array.from({ length: count }, () => ({ member: 'orders.status', shade: 1 })),
  )
  const [result] = checkChanges([
    put('notification', { deploymentId: 1, id: 1, createdAt: '2026-01-01', filters }),
  ])
  const { outcome, problems } = result as { outcome: string; problems?: unknown }
  return { outcome, ...(problems !== undefined && { problems }), reads }
}
