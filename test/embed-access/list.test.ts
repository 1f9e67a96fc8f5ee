import { BatchGetCommand, QueryCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { explainAccess } from '@embed-access/core/embed-access/explain.ts'
import { Explanation } from '@embed-access/core/embed-access/explanation.ts'
import { listWorkbookEmbedTenants } from '@embed-access/core/embed-access/list.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { pagesOf } from '../support/pages.ts'
import {
  acmeTenant,
  allEmbedUsers,
  embedTenant,
  folder,
  keptDecisions,
  keys,
  people,
  share,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { arbitraryModel, tenants } from '../workbooks/arbitrary-model.ts'
import { changesOf, granteeOf, reasonsOf, visibleWorkbooks } from '../workbooks/model.ts'
import { range } from '../workbooks/range.ts'

const service = world([...people, ...tenants.map((name) => acmeTenant(name))], {
  ...keptDecisions,
  isInMemory: true,
})

const pathOf = (deploymentId: number, workbookId: number) =>
  `/api/v1/deployments/${deploymentId}/workbooks/${workbookId}/embed-tenants`

const ask = (deploymentId: number, workbookId: number, query = '') =>
  service.get(`${pathOf(deploymentId, workbookId)}${query}`, { key: keys.admin })

describe('who can see a workbook', () => {
  test('is everybody whose own list has it, with every reason, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, fc.integer({ min: 1, max: 5 }), async (model, first) => {
        const id = await service.newDeployment((at) => changesOf(at, model))
        for (const workbookId of model.workbooks.keys()) {
          const found = await pagesOf(service, pathOf(id, workbookId), {}, first)
          const expected = [null, ...tenants]
            .map((tenant) => ({
              grantee: granteeOf(tenant),
              reasons: reasonsOf(model, workbookId, [tenant]),
            }))
            .filter(({ reasons }) => reasons.length > 0)
          expect(found).toEqual(expected)
          // Of each model, every tenant has its turn.
          for (const tenant of [tenants[workbookId % 3] as string]) {
            const { items, explanation } = (await ask(id, workbookId, `?embedTenantName=${tenant}`))
              .body
            const isSeen = visibleWorkbooks(model, tenant, undefined).includes(workbookId)
            expect([explanation.isSeen, items.length]).toEqual([isSeen, isSeen ? 1 : 0])
            expect(items[0]?.reasons ?? []).toEqual(reasonsOf(model, workbookId, [tenant, null]))
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  test('is told of a workbook below 32 shared folders, in more than one transaction', async () => {
    const levels = range(32, 1)
    const names = range(30, 10).map((number) => `deep-${number}`)
    const id = await service.newDeployment((at) => [
      ...levels.map((level) => folder(at, level, level === 1 ? null : level - 1)),
      workbook(at, 5, { folderId: 32 }),
      ...names.map((name, index) =>
        share(at, 'folder', levels[index] as number, embedTenant(name)),
      ),
      ...levels.flatMap((level) => [
        share(at, 'folder', level, embedTenant('every-level')),
        share(at, 'folder', level, allEmbedUsers),
      ]),
    ])
    const all = { grantee: allEmbedUsers, reasons: levels.length }
    for (const first of [7, 40]) {
      const found = await pagesOf(service, pathOf(id, 5), {}, first)
      expect(
        found.map(({ grantee, reasons }) => ({ grantee, reasons: (reasons as object[]).length })),
      ).toEqual([
        all,
        ...names.map((name) => ({ grantee: embedTenant(name), reasons: 1 })),
        { grantee: embedTenant('every-level'), reasons: levels.length },
      ])
    }
    const { explanation } = (await ask(id, 5, '?embedTenantName=every-level')).body
    const states = explanation.path.map(({ shares }: Explanation['path'][number]) =>
      shares.map(({ state }) => state),
    )
    const both = (state: string) => [state, state]
    expect(states).toEqual([...levels.map(() => both('shared')), both('notShared')])
    expect([explanation.isSeen, explanation.end]).toEqual([true, null])
    // One level more, and the folder of the workbook counts as top level.
    await service.apply([folder(id, 99, null), folder(id, 1, 99)])
    const deeper = (await ask(id, 5, '?embedTenantName=every-level')).body.explanation
    expect([deeper.path.length, deeper.end]).toEqual([2, { folderId: 31, why: 'tooDeep' }])
    expect((await ask(id, 5)).body.items).toHaveLength(2)
  })

  test('leaves out deleted tenants and ended shares, and explains it by tenant', async () => {
    const [gone, taken] = ['gone-tenant', 'taken-away']
    const id = await service.newDeployment((at) => [
      folder(at, 1, 77),
      workbook(at, 5, { folderId: 1 }),
      share(at, 'workbook', 5, embedTenant(gone)),
      share(at, 'workbook', 5, embedTenant(taken)),
      share(at, 'folder', 77, embedTenant(taken)),
      share(at, 'workbook', 5, allEmbedUsers),
    ])
    // A folder that was never there, and then one that was deleted.
    const endOf = async () => (await ask(id, 5, `?embedTenantName=${taken}`)).body.explanation.end
    expect(await endOf()).toEqual({ folderId: 77, why: 'missing' })
    await service.apply([folder(id, 77, null), without(folder(id, 77, null))])
    expect(await endOf()).toEqual({ folderId: 77, why: 'deleted' })
    await service.apply([
      { kind: 'embedTenant', op: 'delete', data: { accountId: 'acme', name: gone } },
      without(share(id, 'workbook', 5, embedTenant(taken))),
      without(share(id, 'workbook', 5, allEmbedUsers)),
    ])
    expect((await ask(id, 5)).body.items).toEqual([])
    const shares = (state: string) =>
      [embedTenant(taken), allEmbedUsers].map((grantee) => ({ grantee, state }))
    // The name is compared in lower case.
    const { items, pageInfo, explanation } = (await ask(id, 5, '?embedTenantName=Taken-Away')).body
    expect([items, pageInfo.hasNextPage, pageInfo.endCursor]).toEqual([[], false, null])
    expect([explanation.isSeen, explanation.end]).toEqual([false, { folderId: 77, why: 'deleted' }])
    expect(explanation.path).toEqual([
      { type: 'folder', id: 1, name: 'Folder 1', shares: shares('notShared') },
      { type: 'workbook', id: 5, name: 'Workbook 5', shares: shares('noLongerShared') },
    ])
    const unknown = await ask(id, 5, '?embedTenantName=unheard')
    const deleted = await ask(id, 5, `?embedTenantName=${gone}`)
    expect([unknown, deleted].map(({ body }) => body.code)).toEqual(
      Array(2).fill('embed_tenant_not_found'),
    )
  })

  test('is told of a deleted or foreign workbook as of none, word for word', async () => {
    const [here, there] = [
      await service.newDeployment((at) => [workbook(at, 5)]),
      await service.newDeployment((at) => [workbook(at, 6)]),
    ]
    await service.apply([without(workbook(here, 5))])
    for (const query of ['', '?embedTenantName=north']) {
      const answers = []
      for (const id of [5, 6, 999]) {
        const { status, body } = await ask(here, id, query)
        expect([status, body.code]).toEqual([404, 'workbook_not_found'])
        expect(body.detail).toBe(`There is no workbook ${id} in deployment ${here}.`)
        answers.push(JSON.stringify({ ...body, requestId: '' }).replaceAll(`book ${id}`, 'book N'))
      }
      const [first, ...others] = answers
      expect(others).toEqual([first, first])
    }
    expect((await ask(there, 6)).status).toBe(200)
  })

  test('refuses a cursor of another workbook or list, and ends with an empty page', async () => {
    const id = await service.newDeployment((at) =>
      [5, 6].flatMap((each) => [workbook(at, each), share(at, 'workbook', each, allEmbedUsers)]),
    )
    const { endCursor } = (await ask(id, 5)).body.pageInfo
    expect((await ask(id, 5, `?after=${endCursor}`)).body.items).toEqual([])
    expect((await ask(id, 6, `?after=${endCursor}`)).body.code).toBe('invalid_cursor')
    expect((await ask(id, 5, `?embedTenantName=north&after=${endCursor}`)).body.code).toBe(
      'invalid_cursor',
    )
    const ofTenant = (await ask(id, 5, '?embedTenantName=north')).body.pageInfo.endCursor
    expect((await ask(id, 5, `?embedTenantName=north&after=${ofTenant}`)).body.items).toEqual([])
  })
})

const north = embedTenant('north')
const tenant = (name: string) => acmeTenant(name)
const sharedWith = (names: readonly string[]) =>
  names.map((name) => share(1, 'workbook', 5, embedTenant(name)))
const hundreds = (count: number) => range(count, 1001).map((number) => `t-${number}`)

/** Who sees workbook 5, as the list says. */
async function list({ storage }: MemoryTables, more: object = {}) {
  const request = { accountId: 'acme', deploymentId: 1, workbookId: 5, ...more }
  const { items, pageInfo } = await listWorkbookEmbedTenants(storage, request)
  return { names: items.map((item) => JSON.parse(item).grantee.name), pageInfo }
}

const explain = async ({ storage }: MemoryTables) =>
  v.parse(Explanation, (await explainAccess(storage, 1, 5, 'north'))?.explanation)

describe('who can see a workbook, while folders move', () => {
  /**
   * The names of those who see workbook 5. The changes come right after the folder was read on the
   * way up.
   */
  async function seenBy(
    first: readonly object[],
    meanwhile: (reads: number) => readonly object[],
    folderId: number,
  ) {
    const tables = new MemoryTables([tenant('north'), ...first])
    let reads = 0
    tables.afterwards = (command) => {
      if (!(command instanceof BatchGetCommand)) return
      if (!JSON.stringify(command.input).includes(`"1#folder#${folderId}"`)) return
      reads += 1
      tables.add(meanwhile(reads))
    }
    const { names } = await list(tables)
    expect((await explain(tables)).isSeen).toBe(names.length > 0)
    return names
  }

  const tree = [
    folder(1, 1, null),
    folder(1, 2, 1),
    folder(1, 3, null),
    workbook(1, 5, { folderId: 2 }),
  ]

  test('has nobody who could see it at no moment', async () => {
    const left = [folder(1, 2, null), share(1, 'folder', 1, north)]
    expect(await seenBy(tree, () => left, 1)).toEqual([])
  })

  test('has nobody of where a workbook was, nor a workbook that has left', async () => {
    const left = [workbook(1, 5, { folderId: 3 }), share(1, 'folder', 2, north)]
    expect(await seenBy(tree, () => left, 1)).toEqual([])
    const moved = [workbook(1, 5, { folderId: 3 })]
    expect(await seenBy([...tree, share(1, 'folder', 3, north)], () => moved, 1)).toEqual(['north'])
    const gone = [without(workbook(1, 5)), share(1, 'folder', 2, north)]
    await expect(seenBy(tree, () => gone, 1)).rejects.toThrow('There is no workbook 5')
  })

  test('follows a folder that has moved meanwhile', async () => {
    const moved = [folder(1, 2, 3)]
    expect(await seenBy([...tree, share(1, 'folder', 3, north)], () => moved, 1)).toEqual(['north'])
  })

  test('is a conflict, to be tried again, where a folder moves time and again', async () => {
    const places = [8, 9].map((id) => folder(1, id, null))
    let tries = 0
    const move = (reads: number) => {
      tries = reads
      return [folder(1, 2, reads % 2 ? 8 : 9)]
    }
    const error = await seenBy([...tree, ...places], move, 2).catch((thrown) => thrown)
    expect(tries).toBe(3)
    expect([isDatabaseUnavailable(error), error.message]).toEqual([
      true,
      'The workbook or folders above it kept moving.',
    ])
  })
})

describe('the reads that say who can see a workbook', () => {
  function counted(tables: MemoryTables, kind: typeof BatchGetCommand | typeof TransactGetCommand) {
    const count = { of: 0 }
    tables.afterwards = (command) => {
      if (command instanceof kind) count.of += 1
    }
    return count
  }

  test('see a workbook and folders that have just been moved', async () => {
    const tables = new MemoryTables([
      tenant('north'),
      folder(1, 1, null),
      folder(1, 2, null),
      workbook(1, 5),
    ])
    tables.add([share(1, 'folder', 1, north)]).readItemsLate()
    expect((await list(tables)).names).toEqual([])
    tables.add([folder(1, 2, 1), workbook(1, 5, { folderId: 2 })])
    expect((await list(tables)).names).toEqual(['north'])
    expect((await explain(tables)).isSeen).toBe(true)
  })

  test('explain it by the folders where they are, if one has moved', async () => {
    const tree = [
      folder(1, 1, null),
      folder(1, 2, null),
      folder(1, 3, 1),
      workbook(1, 5, { folderId: 3 }),
    ]
    const tables = new MemoryTables([...tree, share(1, 'folder', 2, north)])
    tables.afterwards = ({ input }) => {
      if (JSON.stringify(input).includes('1#folder#1')) tables.add([folder(1, 3, 2)])
    }
    const { path, isSeen } = await explain(tables)
    expect([path.map(({ id }) => id), isSeen]).toEqual([[2, 3, 5], true])
  })

  test('go no further up than shows that the top is too far', async () => {
    const levels = range(40, 1).map((id) => folder(1, id, id === 1 ? null : id - 1))
    const tables = new MemoryTables([...levels, workbook(1, 5, { folderId: 40 })])
    const reads = counted(tables, BatchGetCommand)
    expect((await explain(tables)).end).toEqual({ folderId: 39, why: 'tooDeep' })
    expect(reads.of).toBe(34)
  })

  test('find the folders of a circle once each', async () => {
    const circle = [folder(1, 1, 3), folder(1, 2, 1), folder(1, 3, 2)]
    const tables = new MemoryTables([tenant('north'), ...circle, workbook(1, 5, { folderId: 3 })])
    tables.add([share(1, 'folder', 3, north), share(1, 'folder', 2, embedTenant('south'))])
    expect((await list(tables)).names).toEqual(['north'])
    const { path, end } = await explain(tables)
    expect([path.map(({ id }) => id), end]).toEqual([[3, 5], { folderId: 2, why: 'tooDeep' }])
  })

  test('leave out a share that was taken away since it was found', async () => {
    const names = ['north', 'south']
    const tables = new MemoryTables([...names.map(tenant), workbook(1, 5), ...sharedWith(names)])
    tables.afterwards = (command) => {
      if (command instanceof QueryCommand) tables.add(sharedWith(['north']).map(without))
    }
    expect((await list(tables)).names).toEqual(['south'])
  })

  test('find as many shares as the page needs, and read no ended share twice', async () => {
    const tables = new MemoryTables([
      workbook(1, 5),
      ...sharedWith(hundreds(300)),
      tenant('zz'),
      ...sharedWith(['zz']),
    ])
    tables.add(sharedWith(hundreds(300)).map(without))
    const reads: unknown[] = []
    tables.afterwards = ({ input }) => {
      if ('Limit' in input) reads.push(input.Limit)
      if ('TransactItems' in input) reads.push(input.TransactItems)
    }
    const { names, pageInfo } = await list(tables)
    expect([names, pageInfo.hasNextPage]).toEqual([['zz'], false])
    const workbookAnd = (shares: number) => Array(1 + shares).fill(expect.anything())
    const nobody = [99, workbookAnd(0)]
    expect(reads).toEqual([...nobody, ...nobody, ...nobody, 99, workbookAnd(1)])
    reads.length = 0
    tables.add(hundreds(3).flatMap((name) => [tenant(name), ...sharedWith([name])]))
    expect((await list(tables, { first: 2 })).names).toEqual(hundreds(2))
    expect(reads).toEqual([3, workbookAnd(3)])
  })

  test('name all grantees in order, though these take several reads', async () => {
    const own = ['bb', 'dd', 'ff', 'hh', 'jj']
    const above = ['aa', 'ac', 'cc', 'ee', 'gg', 'ii']
    const tables = new MemoryTables([
      folder(1, 1, null),
      workbook(1, 5, { folderId: 1 }),
      ...sharedWith(own),
    ])
    // The first two of the folder, and the first of the workbook, are gone.
    const there = [...own.slice(1), ...above.slice(2)].sort()
    tables.add([
      ...above.map((name) => share(1, 'folder', 1, embedTenant(name))),
      ...there.map(tenant),
    ])
    for (const first of [1, 2, 3, 100]) {
      const pages = [await list(tables, { first })]
      for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
        pages.push(await list(tables, { first, after: last.pageInfo.endCursor }))
      }
      expect([first, pages.flatMap(({ names }) => names)]).toEqual([first, there])
    }
  })

  test('end a page after ten transactions that found nobody, and go on after it', async () => {
    const tables = new MemoryTables([
      workbook(1, 5),
      ...sharedWith(hundreds(1001)),
      tenant('t-2001'),
    ])
    const transactions = counted(tables, TransactGetCommand)
    const { names, pageInfo } = await list(tables)
    expect([names, pageInfo.hasNextPage, transactions.of]).toEqual([[], true, 10])
    expect((await list(tables, { after: pageInfo.endCursor as string })).names).toEqual(['t-2001'])
  })
})
