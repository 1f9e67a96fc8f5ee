import { describe, expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, keys, people, put, share, without, workbook, world } from '../support/service.ts'
import { allPages } from '../workbooks/pages.ts'
import { samples } from './samples.ts'

describe('a change of a workbook or a folder', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])

  const seen = async (deploymentId: number) =>
    (await allPages(service, deploymentId, 'north', undefined, 50)).map(({ id }) => id).toSorted()

  test('that deletes a workbook leaves its shares: they count again when it comes back', async () => {
    const own = { ...workbook(2, 6), revision: 1 }
    const grant = { ...share(2, 'workbook', 6, allEmbedUsers), revision: 1 }
    await service.apply([own, grant])
    expect(await seen(2)).toContain(6)
    await service.apply([{ ...without(own), revision: 2 }])
    expect(await seen(2)).not.toContain(6)
    await service.apply([{ ...own, revision: 3 }])
    expect(await seen(2)).toContain(6)
    await service.apply([{ ...without(grant), revision: 2 }, { ...without(own), revision: 4 }, grant])
    await service.apply([{ ...own, revision: 5 }])
    expect(await seen(2)).not.toContain(6)
  })

  test('gives back the whole resource of the specification, field by field', async () => {
    const whole = { ...samples.workbook[0], id: 400, folderId: null }
    await service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'whole' } }])
    await service.apply([{ kind: 'workbook', data: whole }, share(1, 'workbook', 400, embedTenant('whole'))])
    const { body } = await service.get('/api/v1/deployments/1/embed-tenants/whole/workbooks', { key: keys.admin })
    expect(body.items).toEqual([{ ...whole, folderPath: [] }])
  })
})
