import { describe, expect, test } from 'vitest'
import { outcomesOf } from '../support/database.ts'
import {
  acmeTenant,
  allEmbedUsers,
  embedTenant,
  keys,
  notification,
  people,
  put,
  revised,
  share,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { seenByNorth } from '../workbooks/pages.ts'
import { samples } from './samples.ts'

const service = world([...people, acmeTenant('north')])
const outcomes = (...changes: object[]) => outcomesOf(service.storage, changes)

describe('a catalog change', () => {
  test('keeps the values of a notification’s filters as text, whatever they are', async () => {
    const values = ['text', 5, 1.5, true, ['a', 'b'], [1, null], '[3]']
    const filters = values.map((value) => ({ member: 'orders.total', operator: 'equals', value }))
    expect(await outcomes(notification(1, 77, { dashboardId: 77, filters }))).toEqual(['applied'])
    const { body } = await service.get('/api/v1/deployments/1/notifications?dashboardId=77', {
      key: keys.reader,
    })
    const [{ filters: found }] = body.items as [{ filters: { value: string }[] }]
    expect(found.map(({ value }) => value)).toEqual([
      'text',
      '5',
      '1.5',
      'true',
      '["a","b"]',
      '[1,null]',
      '[3]',
    ])
  })

  test('that deletes a workbook leaves its shares for when it comes back', async () => {
    const own = workbook(2, 6)
    const grant = revised(1, share(2, 'workbook', 6, allEmbedUsers))
    await service.apply([revised(1, own), grant])
    expect(await seenByNorth(service, 2)).toContain(6)
    await service.apply([revised(2, without(own))])
    expect(await seenByNorth(service, 2)).not.toContain(6)
    await service.apply([revised(3, own)])
    expect(await seenByNorth(service, 2)).toContain(6)
    await service.apply([revised(2, without(grant)), revised(4, without(own)), grant])
    await service.apply([revised(5, own)])
    expect(await seenByNorth(service, 2)).not.toContain(6)
  })

  test.each([
    [
      'workbook',
      'embed-tenants/whole/workbooks',
      { ...samples.workbook[0], folderId: null, folderPath: [] },
    ],
    ['dbtSync', 'dbt-sync?status=FAILED&trigger=agent', samples.dbtSync[0]],
    ['notification', 'notifications?dashboardId=71', samples.notification[0]],
  ])(
    'of a %s gives back every field of the resource in the specification',
    async (kind, path, data) => {
      await service.apply([
        put(kind, data as object),
        share(1, 'workbook', 5, embedTenant('whole')),
      ])
      const { body } = await service.get(`/api/v1/deployments/1/${path}`, { key: keys.admin })
      // The time at which a notification was made only orders the list.
      expect(body.items).toEqual([
        kind === 'notification' ? { ...data, createdAt: undefined } : data,
      ])
    },
  )
})
