import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { apply, interrupted, outcomesOf, refusing, sentBy } from '../support/database.ts'
import {
  acmeTenant,
  allEmbedUsers,
  folder,
  people,
  revised,
  share,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { seenByNorth } from '../workbooks/pages.ts'

describe('catalog changes from several writers', () => {
  const service = world([...people, acmeTenant('north')])

  const seen = (deploymentId: number) => seenByNorth(service, deploymentId)

  /** Before the first write of such a key, something else happens. */
  const beforeWriteOf = (key: string, happens: () => Promise<unknown>): Storage =>
    interrupted(service.storage, 1, (command) => isWriteOf(key, command), happens)

  const isWriteOf = (key: string, command: object) =>
    command instanceof PutCommand && (command.input.Item as { pk: string }).pk === key

  test('leave a share that was taken away taken away, before the write of a move', async () => {
    const d = await service.newDeployment()
    const grant = share(d, 'folder', 2, allEmbedUsers)
    await service.apply([
      folder(d, 1, null),
      folder(d, 2, null),
      ...Array.from({ length: 50 }, (_, index) => workbook(d, 100 + index, { folderId: 2 })),
      revised(1, grant),
    ])
    expect(await seen(d)).toHaveLength(50)
    const unshare = () => outcomesOf(service.storage, [revised(2, without(grant))])
    expect(await outcomesOf(beforeWriteOf(`${d}#folder#2`, unshare), [folder(d, 2, 1)])).toEqual([
      'applied',
    ])
    expect(await seen(d)).toEqual([])
    expect(await outcomesOf(service.storage, [revised(1, grant)])).toEqual(['skipped'])
    expect(await seen(d)).toEqual([])
  })

  test('without revisions lose none of their writes to each other', async () => {
    const d = await service.newDeployment()
    const named = (index: number) => folder(d, 1, null, `Folder ${index}`)
    const writers = Array.from({ length: 10 }, (_, index) =>
      outcomesOf(service.storage, [named(index)]),
    )
    expect(new Set((await Promise.all(writers)).flat())).toEqual(new Set(['applied']))
    const late = beforeWriteOf(`${d}#folder#1`, () =>
      outcomesOf(service.storage, [revised(7, folder(d, 1, null))]),
    )
    expect(await outcomesOf(late, [named(11)])).toEqual(['applied'])
    expect(
      await outcomesOf(service.storage, [revised(6, named(12)), revised(8, named(13))]),
    ).toEqual(['skipped', 'applied'])
  })

  test('that the database throttles slow down and end, whatever it lets through', async () => {
    const d = await service.newDeployment()
    const changes = Array.from({ length: 300 }, (_, index) => workbook(d, index))
    let requests = 0
    const { storage, pauses } = refusing(service.storage, () => ++requests % 5 !== 0)
    expect(new Set(await outcomesOf(storage, changes))).toEqual(new Set(['applied']))
    expect(pauses.length).toBeGreaterThan(300)
    expect(Math.max(...pauses)).toBe(1000)
  })

  test('fail one by one, and the others are applied', async () => {
    const d = await service.newDeployment()
    const broken = sentBy(service.storage, (command, on) =>
      isWriteOf(`${d}#folder#3`, command) ? Promise.reject(new Error('no')) : on(command),
    )
    const changes = [
      folder(d, 1, null),
      workbook(d, 2),
      { kind: 'nothing' },
      folder(d, 3, null),
      folder(d, 3, 1),
    ]
    expect(await apply(broken, changes)).toMatchObject([
      { outcome: 'applied' },
      { outcome: 'applied' },
      { outcome: 'refused', problems: [{ pointer: '/kind' }, { pointer: '/data' }] },
      { outcome: 'failed', reason: 'Error: no' },
      { outcome: 'failed', reason: 'Error: no' },
    ])
  })
})
