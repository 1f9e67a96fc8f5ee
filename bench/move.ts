import { randomBytes } from 'node:crypto'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { startEngine } from '../local/engine.ts'
import { account, deployment, tenant } from './catalog.ts'
import { fill } from './fill.ts'
import { functionsOver } from './measure.ts'
import { metered } from './meter.ts'
import { sizeArgument } from './size-argument.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench:move -- [WORKBOOKS]

Moves a folder with so many workbooks below it (20000) out of one that is shared with an embed tenant, while the tenant's
list is read over and over. Ends with 1 if a page shows one of them after the move has begun.
`

const count = sizeArgument(help, 20_000)
const perFolder = 200
const [shared, moving, target] = [1, 2, 3]
const staying = 50

const put = (kind: string, data: object) => ({ kind, data: { deploymentId: deployment, ...data } })
const putFolder = (id: number, parentId: number | null) => put('folder', { id, name: `Folder ${id}`, parentId })
const putWorkbook = (id: number, folderId: number) => put('workbook', { ...workbook(id), id, folderId })
const range = (size: number, from: number) => Array.from({ length: size }, (_, index) => from + index)

function* catalog() {
  yield [
    { kind: 'account', data: { id: account, name: 'Acme', embeddingEnabled: true } },
    { kind: 'deployment', data: { accountId: account, id: deployment, name: 'First' } },
    putFolder(shared, null),
    putFolder(target, null),
    putFolder(moving, shared),
    put('share', { resource: { type: 'folder', id: shared }, grantee: { type: 'embedTenant', name: tenant } }),
    ...range(staying, 1000).map((id) => putWorkbook(id, shared)),
  ]
  for (let from = 0; from < count; from += perFolder) {
    const folder = 10_000 + from / perFolder
    yield [putFolder(folder, moving), ...range(perFolder, 1_000_000 + from).map((id) => putWorkbook(id, folder))]
  }
}

const engine = await startEngine({})
try {
  const tables = tablesWithPrefix(`move-${randomBytes(4).toString('hex')}`)
  const storage = connect(tables, engine.endpoint)
  await createTables(storage)
  await fill(storage, catalog())
  const { storage: readers, measure } = metered(tables, engine.endpoint)
  const read = functionsOver(readers)
  const page = async () => {
    const [cost, text] = await measure(() => read({ list: 'list-embed-tenant-workbooks', query: {} }))
    return { cost, ids: (JSON.parse(text) as { items: { id: number }[] }).items.map(({ id }) => id) }
  }
  console.log(`before: ${JSON.stringify((await page()).cost)}`)

  const started = performance.now()
  let moved = false
  const move = applyChanges(storage, [putFolder(moving, target)]).finally(() => {
    moved = true
  })
  let pages = 0
  let wrong = 0
  // The first page may have been read before the move's first write.
  let begun = false
  let most = { calls: 0, roundTrips: 0, entries: 0, capacity: 0 }
  while (!moved) {
    const { cost, ids } = await page()
    const seen = ids.filter((id) => id >= 1_000_000).length
    begun ||= seen === 0
    if (!begun) continue
    pages += 1
    wrong += seen
    if (cost.capacity > most.capacity) most = cost
  }
  await move
  const seconds = (performance.now() - started) / 1000
  console.log(`moved ${count} workbooks in ${count / perFolder} folders: ${seconds.toFixed(1)} s`)
  console.log(
    `meanwhile: ${pages} pages, ${wrong} workbooks seen through the old place; the dearest page ${JSON.stringify(most)}`,
  )
  const { cost, ids } = await page()
  console.log(`after: ${ids.length} workbooks, ${JSON.stringify(cost)}`)
  if (wrong > 0 || ids.length !== staying || pages === 0) process.exitCode = 1
} finally {
  await engine.stop()
}
