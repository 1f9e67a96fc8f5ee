import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { createTables } from '../cli/create-tables.ts'
import { startEngine } from '../local/engine.ts'
import { writeCosts, writeTitles } from '../test/catalog/write-costs.ts'
import { printTable } from './table.ts'

export const help = `Usage: npm run bench -- writes [--workbooks N]

Measures what a catalog change of each kind costs, in calls, write units and read units: the first
of a thing, a newer one, one without a revision, and a deletion. Also measures the move and the
unshare of a folder with so many workbooks below it (20000).
`

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { workbooks: { type: 'string', default: '20000' } },
  })
  if (!/^\d{1,7}$/.test(values.workbooks)) throw new Error('--workbooks takes a whole number.')
  const engine = await startEngine()
  const storage = connect(
    tablesWithPrefix(`writes-${randomBytes(4).toString('hex')}`),
    engine.endpoint,
  )
  try {
    await createTables(storage)
    printTable(writeTitles, await writeCosts(storage, Date, Number(values.workbooks)))
  } finally {
    storage.client.destroy()
    await engine.stop()
  }
}
