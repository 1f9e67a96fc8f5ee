import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterEach, expect, inject, test, vi } from 'vitest'
import type { Line } from '../../cli/catalog/file.ts'
import { applyingTo, importCatalog } from '../../cli/catalog/import.ts'
import { patient, Slowness } from '../../cli/catalog/patient.ts'
import { importWithReport } from '../../cli/catalog/report.ts'
import { type Fault, faults } from './faults.ts'
import { faultyDatabase } from './faulty-database.ts'
import { passTime } from './passing-time.ts'
import { randomFrom } from './random.ts'

/** Faults that pass. What is done a second time a second later is for the simulation, which has every order. */
const passing = Object.values(faults).filter(({ effect }) => effect !== 'ours')

async function* linesOf(lines: readonly string[]): AsyncGenerator<Line> {
  for (const [index, line] of lines.entries()) yield { number: index + 1, bytes: Buffer.from(line) }
}

async function exported(storage: Storage): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportCatalog(storage)) lines.push(line)
  return lines.toSorted()
}

const stores: Storage[] = []

async function newStorage(): Promise<Storage> {
  const storage = connect(tablesWithPrefix(`faulty-import-${process.pid}-${stores.length}`), inject('engineEndpoint'))
  stores.push(storage)
  await createTables(storage)
  return storage
}

afterEach(() => {
  vi.restoreAllMocks()
  for (const { client } of stores.splice(0)) client.destroy()
})

test('An import of which one request in five meets a fault, all kinds mixed, gives what a clean one gives', async () => {
  const lines = (await readFile('local/demo/catalog.ndjson', 'utf8')).trim().split('\n').slice(0, 150)
  const importInto = (storage: Storage) =>
    importCatalog(applyingTo(storage), linesOf(lines), { refused() {}, failed() {}, leftOut() {}, advanced() {} })
  const [clean, faulty] = [await newStorage(), await newStorage()]
  const expected = await importInto(clean)

  const random = randomFrom(7)
  const database = faultyDatabase(faulty)
  const choose = (): Fault | undefined => (random() < 0.2 ? passing[Math.floor(random() * passing.length)] : undefined)
  Object.defineProperty(database, 'fault', { get: choose })
  database.caller = 'anybody'
  const counts = await passTime(async () => {
    const done = await importInto(patient(faulty, () => {}))
    await Promise.allSettled(database.later.splice(0))
    return done
  })
  expect(database.struck).toBeGreaterThan(10)
  expect([counts.refused, counts.failed]).toEqual([0, 0])
  expect(counts.applied + counts.skipped).toBe(expected.applied + expected.skipped)
  expect(await exported(connect(faulty.tables, inject('engineEndpoint')))).toEqual(await exported(clean))
})

test('An import shows how far it is while the database throttles its batch', async () => {
  const storage = await newStorage()
  const directory = await mkdtemp(join(tmpdir(), 'throttled-'))
  const file = join(directory, 'catalog.ndjson')
  const change = (id: number) => JSON.stringify({ kind: 'account', revision: 1, data: { id: `a${id}`, name: 'A' } })
  await writeFile(file, Array.from({ length: 100 }, (_, id) => change(id)).join('\n'))
  const shown: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0)
  let seconds = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    seconds += 1
    return seconds * 1000
  })

  let requests = 0
  const send = async (...request: Parameters<typeof storage.client.send>) => {
    requests += 1
    if (requests % 3 === 0) throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' })
    return storage.client.send(...request)
  }
  const client = Object.assign(Object.create(storage.client), { send }) as Storage['client']
  const slowness = new Slowness()
  const throttling = patient({ ...storage, client, pause: async () => {} }, () => {}, slowness)
  const counts = await importWithReport(applyingTo(throttling), file, undefined, slowness)
  await rm(directory, { recursive: true })

  expect(counts).toMatchObject({ applied: 100, failed: 0 })
  const waiting = /^0 lines; the database throttles: (\d+) requests done since, \d+ to be sent again\n$/
  const done = shown.flatMap((text) => waiting.exec(text)?.slice(1).map(Number) ?? [])
  expect(done.length).toBeGreaterThan(100)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(shown.at(-1)).toMatch(/^100 lines, /)
})
