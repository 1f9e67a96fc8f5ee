import { readFile } from 'node:fs/promises'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterEach, expect, inject, test, vi } from 'vitest'
import type { Line } from '../../cli/catalog/file.ts'
import { applyingTo, importCatalog } from '../../cli/catalog/import.ts'
import { patient } from '../../cli/catalog/patient.ts'
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
