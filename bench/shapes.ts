import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startEngine } from '../local/engine.ts'
import type { Cost, Meter } from '../test/support/counting.ts'
import { account, catalog, tenant } from './catalog.ts'
import { median } from './cpu.ts'
import { fill } from './fill.ts'
import { functionsOver } from './measure.ts'
import { printRows } from './rows.ts'
import { emptyTables } from './tables.ts'
import { smallWorkbook } from './workbook.ts'

const help = `Usage: npm run bench:shapes [-- --most-folders 100000]

What pages of 100 workbooks cost in deployments of many folders, up to so many, and in those that are hard on the list. Every
page of each list is read.
`

const { values } = parseArgs({ options: { 'most-folders': { type: 'string' }, help: { type: 'boolean' } } })
const maxFolders = Number(values['most-folders'] ?? 100_000)
if (values.help) {
  process.stdout.write(help)
  process.exit()
}
if (!(maxFolders > 0)) {
  process.stderr.write(help)
  process.exit(1)
}

type Change = { readonly kind: string; readonly data: object }
type Shape = { readonly name: string; readonly changes: (at: number) => Iterable<Change> }

const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)
const folder = (deploymentId: number, id: number, parentId: number | null = null): Change => ({
  kind: 'folder',
  data: { deploymentId, id, name: `Folder ${id}`, parentId },
})
const workbook = (deploymentId: number, id: number, folderId: number | null, more: object = {}): Change => ({
  kind: 'workbook',
  data: { ...smallWorkbook(), id, deploymentId, folderId, ...more },
})
const share = (deploymentId: number, type: 'folder' | 'workbook', id: number): Change => ({
  kind: 'share',
  data: { deploymentId, resource: { type, id }, grantee: { type: 'embedTenant', name: tenant } },
})

/** Folders at the top level; every second one is shared. */
const alternating = (pairs: number, shared: (index: number) => number, others: number) =>
  function* (at: number) {
    let id = 1
    for (const index of range(pairs)) {
      yield folder(at, 2 * index)
      yield folder(at, 2 * index + 1)
      yield share(at, 'folder', 2 * index + 1)
      for (const _ of range(others)) yield workbook(at, id++, 2 * index)
      for (const _ of range(shared(index))) yield workbook(at, id++, 2 * index + 1)
    }
  }

/** Folder 1 with all others below it, in 100 of them. */
function* tree(at: number, folders: number): Generator<Change> {
  yield folder(at, 1)
  for (const id of range(folders - 1, 2)) yield folder(at, id, id <= 101 ? 1 : 2 + (id % 100))
}

const ofFolders = (count: number): Shape[] => [
  {
    name: `all of ${count} folders shared, 1,000 workbooks in them`,
    *changes(at) {
      yield* tree(at, count)
      yield share(at, 'folder', 1)
      for (const id of range(1000)) yield workbook(at, id, 1 + ((id * 7919) % count))
    },
  },
  {
    name: `one of ${count} folders shared, 1,000 workbooks in it`,
    *changes(at) {
      yield* tree(at, count)
      yield share(at, 'folder', count)
      for (const id of range(1000)) yield workbook(at, id, count)
    },
  },
]

const hard: Shape[] = [
  {
    name: '1,000 shared folders, 5 of them hold 3 workbooks each',
    *changes(at) {
      for (const id of range(1000)) {
        yield folder(at, id)
        yield share(at, 'folder', id)
      }
      for (const id of range(15)) yield workbook(at, id, 7 + 211 * (id % 5))
    },
  },
  {
    name: '10,000 empty shared folders between full ones, 300 workbooks in 10 more',
    changes: alternating(10_000, (index) => (index % 1000 === 5 ? 30 : 0), 10),
  },
  {
    name: '1,000 shared folders of 1 workbook between unshared ones of 50',
    changes: alternating(1000, () => 1, 50),
  },
  {
    name: 'a deleted shared folder of 2,000 workbooks',
    *changes(at) {
      yield share(at, 'folder', 1)
      for (const id of range(2000)) yield workbook(at, id, 1)
    },
  },
  {
    name: '120 workbooks shared one by one, each out of another folder',
    *changes(at) {
      for (const id of range(120)) {
        yield folder(at, id)
        yield folder(at, 1000 + id, id)
        yield workbook(at, id, 1000 + id)
        yield share(at, 'workbook', id)
      }
    },
  },
  {
    name: '40 workbooks of 380 KB in one shared folder',
    *changes(at) {
      yield folder(at, 1)
      yield share(at, 'folder', 1)
      for (const id of range(40)) yield workbook(at, id, 1, { meta: { text: randomBytes(280_000).toString('base64') } })
    },
  },
]

const shapes = [...[100, 1000, 10_000, 100_000].filter((count) => count <= maxFolders).flatMap(ofFolders), ...hard]
const engine = await startEngine({})
try {
  const meter = await emptyTables(engine.endpoint)
  await fill(meter.storage, account, batchesOf(deploymentsOf(shapes)))
  const rows = []
  for (const [index, { name }] of shapes.entries()) rows.push([name, ...(await pagesOf(meter, index + 1))])
  printRows('shape,items,pages,first page: calls,trips,units,the dearest: calls,trips,units,median ms'.split(','), rows)
  meter.storage.client.destroy()
} finally {
  await engine.stop()
}

function* deploymentsOf(shapes: readonly Shape[]): Generator<Change> {
  yield* [...catalog(0, smallWorkbook)].flat().filter(({ kind }) => kind === 'account')
  for (const [index, { changes }] of shapes.entries()) {
    yield { kind: 'deployment', data: { accountId: account, id: index + 1, name: 'Shaped' } }
    yield* changes(index + 1)
  }
}

function* batchesOf(changes: Iterable<Change>) {
  let batch: Change[] = []
  for (const change of changes) {
    batch.push(change)
    if (batch.length < 1000) continue
    yield batch
    batch = []
  }
  yield batch
}

async function pagesOf({ storage, measure }: Meter, deploymentId: number) {
  const read = functionsOver(storage)
  const costs: Cost[] = []
  const times: number[] = []
  let items = 0
  for (let after: string | undefined; ; ) {
    const query: Record<string, string> = after === undefined ? {} : { after }
    const begin = performance.now()
    const [cost, text] = await measure(() => read({ list: 'list-embed-tenant-workbooks', query, deploymentId }))
    times.push(performance.now() - begin)
    const page = JSON.parse(text)
    costs.push(cost)
    items += page.items.length
    if (!page.pageInfo.hasNextPage) break
    after = page.pageInfo.endCursor
  }
  const figures = ({ calls, roundTrips, capacity }: Cost) => [calls, roundTrips, capacity]
  const dearest = costs.reduce((most, cost) => (cost.capacity > most.capacity ? cost : most))
  return [items, costs.length, ...figures(costs[0] as Cost), ...figures(dearest), Math.round(median(times))]
}
