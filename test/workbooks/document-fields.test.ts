import { parse } from '@embed-access/core/catalog/parse.ts'
import { describe, expect, test } from 'vitest'
import { changed, objects, told, whole, wrong } from './document-types.ts'

describe('a workbook’s document', () => {
  test('is accepted whole, and each of its fields is tried', () => {
    expect(told(whole)).toEqual([])
    for (const [at, fields] of objects) {
      let fieldsThere: object = []
      changed(at, Object.keys(fields)[0] as string, (value) => {
        fieldsThere = Array.isArray(value) ? fields : value
      })
      expect([at, Object.keys(fieldsThere).toSorted()]).toEqual([at, Object.keys(fields).toSorted()])
    }
  })

  const fields = objects.flatMap(([at, fields]) =>
    Object.entries(fields).map(([field, type]) => [`${at}/${field}`, at, field, type] as const),
  )

  test.each(fields)('has %s as its type says', (pointer, at, field, declared) => {
    const [type = '', nullable] = declared.replace('?', '|null').split('|')
    const toldOf = (value: unknown) => told(changed(at, field, (object) => Object.assign(object, { [field]: value })))
    const values = wrong[type] ?? [['other', `must be one of ${type}`]]
    for (const [value, message, within = ''] of values) {
      expect(toldOf(value)).toEqual([[`/data${pointer}${within}`, message]])
    }
    expect(toldOf(null).map(([pointer]) => pointer)).toEqual(nullable ? [] : [`/data${pointer}`])
    for (const value of wrong[type] ? [] : type.split(', ')) expect(toldOf(value)).toEqual([])
    if (/^\d+$/.test(field)) return
    const absent = told(changed(at, field, (object) => delete object[field]))
    expect(absent).toEqual(nullable ? [] : [[`/data${pointer}`, 'is required']])
  })

  test('is stored without the fields that its objects do not have, which are told', () => {
    for (const [at, fields] of objects.filter(([, fields]) => !('0' in fields || '1' in fields))) {
      const data = changed(at, Object.keys(fields)[0] as string, (object) => {
        object.shade = 1
      })
      expect(parse({ kind: 'workbook', data })).toMatchObject({ leftOut: [{ pointer: `/data${at}/shade` }] })
    }
  })

  test('has column formats of a type, with decimal places or none', () => {
    const at = '/publishedDashboard/reportSnapshots/0/preferences'
    const formats = (columnFormats: object) =>
      told(changed(at, 'columnFormats', (object) => Object.assign(object, { columnFormats })))
    for (const type of ['currency', 'percent', 'number']) {
      expect(
        formats({ a: null, b: { type }, c: { type, decimalPlaces: null }, d: { type, decimalPlaces: 2 } }),
      ).toEqual([])
    }
    for (const format of [
      {},
      { type: 'other' },
      { type: 'number', decimalPlaces: 'x' },
      { type: 'number', other: 1 },
    ]) {
      expect(formats({ a: format })).toHaveLength(1)
    }
  })
})
