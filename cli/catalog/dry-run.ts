import { checkChanges } from '@embed-access/core/catalog/apply.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { referenceCheck } from '@embed-access/core/catalog/references.ts'
import { linesTo, type Output } from '../terminal.ts'
import { importFile, type Reporting, strictly, type Work } from './importing.ts'

const maxTold = 20

type DryRun = Reporting & { readonly err: Output; readonly isStrict: boolean | undefined }

/**
 * Says what is not valid in a catalog file, and what refers to nothing in it. It reads and writes
 * no table.
 */
export async function dryRunOf(path: string, { isStrict, ...reporting }: DryRun) {
  const references = referenceCheck()
  const check: Work = async (lines) =>
    lines.flatMap(({ number, change }) => {
      const reason = references.take(change, number)
      return reason === undefined
        ? checkChanges([change])
        : { outcome: 'refused', problems: [{ pointer: '', reason }] }
    })
  const counts = await importFile(isStrict ? strictly(check) : check, path, reporting)
  const missing = references.missing()
  const say = linesTo(reporting.err)
  for (const { first, count } of missing.slice(0, maxTold)) {
    const others = count > 1 ? `, as do ${count - 1} others` : ''
    say(`line ${first.number}: ${printable(first.what)}${others}`)
  }
  if (missing.length > maxTold) say(`and ${missing.length - maxTold} more things are not there`)
  const referencesToNothing = missing.reduce((sum, { count }) => sum + count, 0)
  return { valid: counts.applied, notValid: counts.refused, referencesToNothing }
}
