import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acmeTenant,
  allEmbedUsers,
  embedTenant,
  folder,
  keptDecisions,
  keys,
  people,
  type Reply,
  share,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { slow } from '../support/time.ts'

describe('pages read while the list changes', () => {
  const service = world(people, { ...keptDecisions, isInMemory: true })
  const list = (at: number, query: unknown) =>
    service.get(`/api/v1/deployments/${at}/embed-tenants/north/workbooks?${query}`, {
      key: keys.admin,
    })

  // Workbook `id` lies in folder `id % 4`, or in none; folder 2 is in 1.
  const folderOf = (id: number) => [null, 1, 2, 3][id % 4] as number | null
  const steady = Array.from({ length: 12 }, (_, index) => 20 + index)
  const change = fc.record({
    what: fc.constantFrom(
      'share',
      'unshare',
      'shareFolder',
      'unshareFolder',
      'moveFolder',
      'add',
      'remove',
    ),
    pick: fc.nat({ max: 11 }),
    everyone: fc.boolean(),
  })
  const rounds = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 3, maxLength: 8 })

  // Each run of the property changes the list between all of its pages.
  test.each(['tenant', ''] as const)(
    'show every workbook that stays visible once, whatever changes (source "%s")',
    slow,
    async (source) => {
      await fc.assert(
        fc.asyncProperty(rounds, async (rounds) => {
          const at = await service.newDeployment((at) => [
            folder(at, 1, null),
            folder(at, 2, 1),
            folder(at, 3, null),
            ...steady.map((id) => workbook(at, id, { folderId: folderOf(id) })),
            // Always visible, by a share that no change touches.
            ...steady.map((id) => share(at, 'workbook', id, embedTenant('north'))),
          ])
          const seen: number[] = []
          // These folders or one above them gives their workbooks now and did not before, or the
          // other way round. So the workbooks may have another place in the union.
          const changedFolders = new Set<number | null>()
          let after: string | null = null
          for (let round = 0; ; round += 1) {
            const query = new URLSearchParams({
              first: '3',
              accessSource: source,
              ...(after && { after }),
            })
            const { body } = await list(at, query)
            seen.push(...body.items.map(({ id }: { id: number }) => id))
            if (!body.pageInfo.hasNextPage) break
            after = body.pageInfo.endCursor
            for (const { what, pick, everyone } of rounds[round % rounds.length] ?? []) {
              const direct = share(at, 'workbook', 20 + pick, allEmbedUsers)
              const folderId = 1 + (pick % 3)
              const byFolder = share(
                at,
                'folder',
                folderId,
                everyone ? allEmbedUsers : embedTenant('north'),
              )
              const extra = workbook(at, 10 + pick * 3, { folderId: folderOf(pick) })
              const changes = {
                share: direct,
                unshare: without(direct),
                shareFolder: byFolder,
                unshareFolder: without(byFolder),
                moveFolder: folder(at, 2, pick % 2 ? 1 : null),
                add: extra,
                remove: without(extra),
              }
              if (!steady.includes(10 + pick * 3))
                await service.apply([changes[what as keyof typeof changes]])
              const touched =
                what === 'moveFolder' ? 2 : what.endsWith('Folder') ? folderId : undefined
              if (touched !== undefined)
                for (const id of touched === 1 ? [1, 2] : [touched]) changedFolders.add(id)
            }
          }
          const isDue = (id: number) => source === 'tenant' || !changedFolders.has(folderOf(id))
          expect(seen.filter((id) => steady.includes(id) && isDue(id)).toSorted()).toEqual(
            steady.filter(isDue),
          )
        }),
        { numRuns: 12 },
      )
    },
  )

  test('go on after what is gone, and have a page before them if a cursor was given', async () => {
    const ids = [1, 2, 3]
    await service.apply(
      ids.flatMap((id) => [workbook(1, id), share(1, 'workbook', id, allEmbedUsers)]),
    )
    await service.apply([acmeTenant('north')])
    const page = (query: string) => list(1, `first=1${query}`)
    const following = async ({ body }: Reply) => page(`&after=${body.pageInfo.endCursor}`)
    const first = await page('')
    expect(first.body.pageInfo.hasPreviousPage).toBe(false)
    await service.apply([without(workbook(1, 1))])
    const next = await following(first)
    expect(next.body).toMatchObject({
      items: [{ id: 2 }],
      pageInfo: { hasPreviousPage: true, hasNextPage: true },
    })
    const last = await following(next)
    expect(last.body).toMatchObject({ items: [{ id: 3 }], pageInfo: { hasNextPage: false } })
    const pageInfo = {
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null,
    }
    expect((await following(last)).body).toEqual({ items: [], pageInfo })
    const ofAnotherSource = await page(
      `&accessSource=allEmbedUsers&after=${first.body.pageInfo.endCursor}`,
    )
    expect(ofAnotherSource.body.code).toBe('invalid_cursor')
  })
})
