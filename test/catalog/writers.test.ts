import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { interrupted, now, outcomesOf, sentBy, throttled } from '../support/database.ts'
import { allEmbedUsers, embedTenant, folder, share, without, workbook, world } from '../support/service.ts'
import { allPages } from '../workbooks/pages.ts'

describe('catalog changes from several writers', () => {
  const service = world()
  let lastDeployment = 1000

  /** A deployment of its own for each test. */
  async function newDeployment(): Promise<number> {
    lastDeployment += 1
    await service.apply([
      { kind: 'deployment', data: { accountId: 'acme', id: lastDeployment, name: 'New' } },
      { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } },
    ])
    return lastDeployment
  }

  const seen = async (deploymentId: number) =>
    (await allPages(service, deploymentId, 'north', undefined, 50)).map(({ id }) => id).toSorted((a, b) => a - b)

  const revised = <Change extends object>(revision: number, change: Change) => ({ ...change, revision })

  /** Before the first write of such a key, something else happens. */
  const beforeWriteOf = (key: string, happens: () => Promise<unknown>): Storage =>
    interrupted(service.storage, 1, (command) => isWriteOf(key, command), happens)

  const isWriteOf = (key: string, command: object) =>
    command instanceof PutCommand && (command.input.Item as { pk: string }).pk === key

  test.each([1, 2, 3, 4])('leave a share that was taken away taken away, before write %i of a move', async (write) => {
    const d = await newDeployment()
    const grant = share(d, 'folder', 2, allEmbedUsers)
    await service.apply([
      folder(d, 1, null),
      folder(d, 2, null),
      ...Array.from({ length: 50 }, (_, index) => workbook(d, 100 + index, { folderId: 2 })),
      revised(1, grant),
    ])
    expect(await seen(d)).toHaveLength(50)
    let isUnshared = false
    const unshare = async () => {
      isUnshared = true
      await outcomesOf(service.storage, [revised(2, without(grant))])
    }
    const isWrite = (command: object) => command instanceof PutCommand || command instanceof UpdateCommand
    expect(await outcomesOf(interrupted(service.storage, write, isWrite, unshare), [folder(d, 2, 1)])).toEqual([
      'applied',
    ])
    // A move may have fewer writes. Nothing comes twice here: the same change once more would hide that it was undone.
    if (!isUnshared) await unshare()
    expect(await seen(d)).toEqual([])
    expect(await outcomesOf(service.storage, [revised(1, grant)])).toEqual(['skipped'])
    expect(await seen(d)).toEqual([])
  })

  test('show workbooks whose folder is moved into a shared one in the same import', async () => {
    const d = await newDeployment()
    const workbooks = Array.from({ length: 20 }, (_, index) => workbook(d, 100 + index, { folderId: 2 }))
    await service.apply([
      folder(d, 1, null),
      share(d, 'folder', 1, embedTenant('north')),
      folder(d, 2, null),
      ...workbooks,
      folder(d, 2, 1),
    ])
    expect(await seen(d)).toHaveLength(20)
  })

  test('show a workbook that one writes while the other writes its share', async () => {
    const d = await newDeployment()
    const sharing = beforeWriteOf(`${d}#workbook#5`, () => outcomesOf(service.storage, [workbook(d, 5)]))
    await outcomesOf(sharing, [share(d, 'workbook', 5, embedTenant('north'))])
    expect(await seen(d)).toEqual([5])
  })

  test('that put two folders into each other hide nothing: both count as top level', async () => {
    const d = await newDeployment()
    await service.apply([
      folder(d, 1, null),
      folder(d, 2, null),
      workbook(d, 10, { folderId: 1 }),
      workbook(d, 20, { folderId: 2 }),
      share(d, 'folder', 1, allEmbedUsers),
    ])
    const first = beforeWriteOf(`${d}#folder#1`, () => outcomesOf(service.storage, [folder(d, 2, 1)]))
    await outcomesOf(first, [folder(d, 1, 2)])
    expect(await seen(d)).toEqual([10])
    await service.apply([folder(d, 1, null)])
    expect(await seen(d)).toEqual([10, 20])
  })

  test('keep a workbook that arrives while its folder is moved where the folder is', async () => {
    const d = await newDeployment()
    await service.apply([folder(d, 1, null), folder(d, 2, 1), share(d, 'folder', 1, allEmbedUsers)])
    const moving = beforeWriteOf(`${d}#folder#2`, () => outcomesOf(service.storage, [workbook(d, 5, { folderId: 2 })]))
    await outcomesOf(moving, [folder(d, 2, null)])
    expect(await seen(d)).toEqual([])
  })

  test('are one write each where they move, unshare or delete a folder', async () => {
    const d = await newDeployment()
    const grant = revised(1, share(d, 'folder', 2, embedTenant('north')))
    const workbooks = Array.from({ length: 50 }, (_, index) => workbook(d, index, { folderId: 2 }))
    await service.apply([revised(1, folder(d, 1, null)), revised(1, folder(d, 2, null)), ...workbooks, grant])
    for (const change of [
      revised(2, folder(d, 2, 1)),
      revised(2, without(grant)),
      revised(3, without(folder(d, 2, null))),
    ]) {
      const sent: string[] = []
      const counted = sentBy(service.storage, (command, on) => {
        sent.push(command.constructor.name)
        return on(command)
      })
      expect([await outcomesOf(counted, [change]), sent]).toEqual([['applied'], ['PutCommand']])
    }
  })

  test('end the same in whatever order they arrive', async () => {
    const d = await newDeployment()
    const changes = [
      revised(1, folder(d, 1, null)),
      revised(2, folder(d, 1, 3)),
      revised(1, folder(d, 2, 1)),
      revised(1, folder(d, 3, null)),
      revised(1, workbook(d, 5, { folderId: 2 })),
      revised(1, workbook(d, 6, { folderId: 2 })),
      revised(2, without(workbook(d, 6))),
      revised(1, share(d, 'folder', 3, allEmbedUsers)),
    ]
    for (const change of changes.toReversed()) await outcomesOf(service.storage, [change])
    expect(await seen(d)).toEqual([5])
    await Promise.all(changes.map((change) => outcomesOf(service.storage, [change])))
    expect(await seen(d)).toEqual([5])
  })

  test('without revisions lose none of their writes to each other', async () => {
    const d = await newDeployment()
    const named = (index: number) => folder(d, 1, null, `Folder ${index}`)
    const writers = Array.from({ length: 10 }, (_, index) => outcomesOf(service.storage, [named(index)]))
    expect(new Set((await Promise.all(writers)).flat())).toEqual(new Set(['applied']))
    const late = beforeWriteOf(`${d}#folder#1`, () => outcomesOf(service.storage, [revised(7, folder(d, 1, null))]))
    expect(await outcomesOf(late, [named(11)])).toEqual(['applied'])
    expect(await outcomesOf(service.storage, [revised(6, named(12)), revised(8, named(13))])).toEqual([
      'skipped',
      'applied',
    ])
  })

  test('that the database throttles slow down and end, whatever it lets through', async () => {
    const d = await newDeployment()
    const changes = Array.from({ length: 300 }, (_, index) => workbook(d, index))
    let requests = 0
    const { storage, pauses } = throttled(service.storage, () => ++requests % 5 !== 0)
    expect(new Set(await outcomesOf(storage, changes))).toEqual(new Set(['applied']))
    expect(pauses.length).toBeGreaterThan(300)
    expect(Math.max(...pauses)).toBe(5000)
  })

  test('get quicker again once the database throttles no more', async () => {
    const d = await newDeployment()
    let throttles = 50
    const { storage, pauses } = throttled(service.storage, () => throttles-- > 0)
    expect(
      new Set(
        await outcomesOf(
          storage,
          Array.from({ length: 600 }, (_, id) => workbook(d, id)),
        ),
      ),
    ).toEqual(new Set(['applied']))
    expect(pauses.at(-1)).toBeLessThan(Math.max(...pauses))
    expect(pauses.at(-1)).toBeLessThan(2)
  })

  test('fail one by one: the others are applied, and each says whether to try again', async () => {
    const d = await newDeployment()
    const broken = (name: string, key: string): Storage =>
      sentBy(service.storage, (command, on) =>
        isWriteOf(key, command) ? Promise.reject(Object.assign(new Error('no'), { name })) : on(command),
      )
    const changes = [folder(d, 1, null), workbook(d, 2), { kind: 'nothing' }, folder(d, 3, null), folder(d, 3, 1)]
    const results = (storage: Storage) => applyChanges(storage, changes, { now: () => now })
    expect(await results(broken('InternalServerError', `${d}#folder#3`))).toMatchObject([
      { outcome: 'applied' },
      { outcome: 'applied' },
      { outcome: 'refused', problems: [{ pointer: '/kind' }, { pointer: '/data' }] },
      { outcome: 'failed', reason: 'InternalServerError: no', retryable: true },
      { outcome: 'failed', reason: 'InternalServerError: no', retryable: true },
    ])
    expect((await results(broken('AccessDeniedException', `${d}#workbook#2`)))[1]).toMatchObject({
      outcome: 'failed',
      retryable: false,
    })
  })
})
