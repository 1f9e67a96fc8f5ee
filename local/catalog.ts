import { parseArgs } from 'node:util'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { tableVariables } from '../functions/runtime/table-variables.ts'
import { command } from './command.ts'
import { importWithReport, summaryOf } from './import-report.ts'
import { tablePrefix } from './table-prefix.ts'
import { withStorage } from './with-storage.ts'

const help = `Usage: npm run catalog -- import FILE

Applies the catalog changes of FILE, one JSON object per line, gzipped or not.
Lines that are refused are listed with the field and the reason; the others are applied.

Environment:
  DYNAMODB_ENDPOINT   another engine than AWS's DynamoDB; its tables are created when missing
  ${Object.values(tableVariables).join(', ')}
                      names of the tables (default: ${tablePrefix}-catalog, …)
  AWS_REGION, …       as for every program that uses AWS
`

await command(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
  const [verb, file, ...more] = positionals
  if (values.help) {
    process.stdout.write(help)
    return
  }
  if (verb !== 'import' || file === undefined || more.length > 0) throw new Error(help.trimEnd())

  const counts = await withStorage(async (storage) => {
    if (process.env.DYNAMODB_ENDPOINT) await createTables(storage)
    return importWithReport(storage, file)
  })
  process.stdout.write(`${summaryOf(counts)}\n`)
  if (counts.refused > 0) process.exitCode = 1
})
