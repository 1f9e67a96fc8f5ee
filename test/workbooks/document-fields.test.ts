import { parse } from '@embed-access/core/catalog/parse.ts'
import { describe, expect, test } from 'vitest'
import { embedTenant, keys, share, workbook, world } from '../support/service.ts'
import { changed, objects, told, whole, wrong } from './document-types.ts'

const service = world()

describe('a workbook’s document', () => {
  test('is accepted whole, and each of its fields is tried', () => {
    expect(told(whole)).toEqual([])
    for (const [at, fields] of objects) {
      let fieldsThere: object = []
      changed(at, Object.keys(fields)[0] as string, (value) => {
        fieldsThere = Array.isArray(value) ? fields : value
      })
      expect([at, Object.keys(fieldsThere).toSorted()]).toEqual([
        at,
        Object.keys(fields).toSorted(),
      ])
    }
  })

  const fields = objects.flatMap(([at, fields]) =>
    Object.entries(fields).map(([field, type]) => [`${at}/${field}`, at, field, type] as const),
  )

  test.each(fields)('has %s as its type says', (pointer, at, field, declared) => {
    const [type = '', nullable] = declared.replace('?', '|null').split('|')
    const toldOf = (value: unknown) =>
      told(changed(at, field, (object) => Object.assign(object, { [field]: value })))
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
      expect(parse({ kind: 'workbook', data })).toMatchObject({
        leftOut: [{ pointer: `/data${at}/shade` }],
      })
    }
  })

  test.each([null, { revision: 3, source: { deploymentId: 2 } }])(
    'is answered with promotion %j, and with the public ids of its reports',
    async (promotion) => {
      const dashboard = {
        ...{ id: 71, publicId: 'p', workbookId: 5, status: 'draft', allowEmbed: true, config: {} },
        ...{ versionNumber: 1, versionId: 1 },
        reportSnapshots: [{ id: 1, reportId: 2, versionNumber: 1, publicId: 'Ab3Ab3Ab3Ab3' }],
      }
      const id = await service.newDeployment((deploymentId) => [
        workbook(deploymentId, 5, {
          promotion,
          publishedDashboard: { ...dashboard, deploymentId },
        }),
        share(deploymentId, 'workbook', 5, embedTenant('north')),
      ])
      const path = `/api/v1/deployments/${id}/embed-tenants/north/workbooks`
      const { status, body } = await service.get(path, { key: keys.admin })
      expect([status, body.items]).toMatchObject([
        200,
        [{ id: 5, promotion, publishedDashboard: dashboard }],
      ])
    },
  )
})
