import { checkChanges } from '@embed-access/core/catalog/apply.ts'
import { describe, expect, test } from 'vitest'
import { put, workbook } from '../changes.ts'
import { samples } from './samples.ts'
import { apply, exported, newTables } from './tables.ts'

const documents = ['workbook', 'dbtSync', 'notification'] as const
const others = Object.keys(samples).filter((kind) => !documents.some((document) => document === kind))

const sampleOf = (kind: string): object => (samples as Record<string, readonly object[]>)[kind]?.[0] as object

/** The same value, with a field that nobody knows in every object of the schema's own. */
function withFieldsEverywhere(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFieldsEverywhere)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([name, each]) => [
    name,
    freeForm.has(name) ? each : withFieldsEverywhere(each),
  ])
  return { ...Object.fromEntries(inner), shade: { deep: [1] } }
}

/** Their fields are whatever their owner likes. */
const freeForm = new Set(['meta', 'calculatedFields', 'settings', 'theme', 'style', 'files', 'dependencies'])

describe('a field that this version does not know', () => {
  test.each(documents)('is left out of a %s at any depth, and named', async (kind) => {
    const [storage, expected] = await Promise.all([newTables(), newTables()])
    const more = structuredClone(sampleOf(kind)) as Record<string, unknown>
    for (const [name, value] of Object.entries(more)) {
      if (
        !freeForm.has(name) &&
        name !== 'dashboardDraft' &&
        name !== 'publishedDashboard' &&
        name !== 'dashboardPublished'
      ) {
        more[name] = withFieldsEverywhere(value)
      }
    }
    const [result] = await apply(storage, [put(kind, { ...more, shade: 'dark', constructor: 1 })])
    expect(result).toMatchObject({ outcome: 'applied', leftOut: expect.arrayContaining(['/data/shade']) })
    await apply(expected, [put(kind, sampleOf(kind))])
    expect(await exported(storage)).toEqual(await exported(expected))
  })

  test.each(others)('refuses a %s, which may decide who sees what', (kind) => {
    const [result] = checkChanges([put(kind, { ...sampleOf(kind), shade: 'dark' })])
    expect(result).toEqual({
      outcome: 'refused',
      problems: [{ pointer: '/data/shade', reason: 'is not a known field' }],
    })
  })

  test('is named among the mistakes of a change that is refused anyway', () => {
    const [result] = checkChanges([workbook(1, 1, { shade: 'dark', name: 7 })])
    expect(result).toEqual({
      outcome: 'refused',
      problems: [
        { pointer: '/data/name', reason: 'must be a string' },
        { pointer: '/data/shade', reason: 'is not a known field' },
      ],
    })
  })

  test('is not left out beside the change’s data', () => {
    const [result] = checkChanges([{ ...workbook(1, 1), shade: 'dark' }])
    expect(result).toEqual({ outcome: 'refused', problems: [{ pointer: '/shade', reason: 'is not a known field' }] })
  })

  test.each([
    ['__proto__', '{"__proto__":{"type":"REPORT"}}'],
    ['constructor', '{"constructor":1}'],
  ])('may be %s', (name, json) => {
    const change = workbook(1, 1, JSON.parse(json) as object)
    const data = JSON.parse(`${JSON.stringify(change.data).slice(0, -1)},${json.slice(1)}`)
    expect(checkChanges([{ kind: 'workbook', data }])).toEqual([{ outcome: 'applied', leftOut: [`/data/${name}`] }])
  })

  test('is refused where there are more than twenty in one object: then something else was meant', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))
    expect(checkChanges([workbook(1, 1, fields(20))])).toMatchObject([{ outcome: 'applied' }])
    expect(checkChanges([workbook(1, 1, fields(21))])).toMatchObject([{ outcome: 'refused' }])
  })
})
