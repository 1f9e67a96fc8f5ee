import { printable } from '@embed-access/core/catalog/quoted.ts'
import { referenceCheck } from '@embed-access/core/catalog/references.ts'
import { checkingWith, type ImportCounts } from './import.ts'
import { importWithReport } from './report.ts'

/** How many missing things are listed one by one. */
const maxTold = 20

/** Says what is not valid in a catalog file, and what refers to nothing in it. */
export async function dryRunOf(path: string): Promise<ImportCounts> {
  const references = referenceCheck()
  const counts = await importWithReport(checkingWith(references), path)
  const missing = references.missing()
  for (const { first, count } of missing.slice(0, maxTold)) {
    const others = count > 1 ? `, as do ${count - 1} others` : ''
    process.stderr.write(`line ${first.number}: ${printable(first.what)}${others}\n`)
  }
  if (missing.length > maxTold) process.stderr.write(`and ${missing.length - maxTold} more things are not there\n`)
  const toNothing = missing.reduce((sum, { count }) => sum + count, 0)
  process.stdout.write(`valid ${counts.applied}, not valid ${counts.refused}, references to nothing ${toNothing}\n`)
  return counts
}
