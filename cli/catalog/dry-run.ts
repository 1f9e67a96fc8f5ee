import type { ChangeResult } from '@embed-access/core/catalog/apply.ts'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { linesTo, type Output } from '../terminal.ts'
import type { Line } from './file.ts'
import { importFile, type Reporting } from './importing.ts'
import { referenceCheck } from './referring.ts'

const maxTold = 20

type DryRun = Reporting & { err: Output; isStrict: boolean | undefined }

export async function dryRunOf(path: string, { isStrict, ...reporting }: DryRun) {
  const references = referenceCheck()
  const check = ({ number, change }: Pick<Line, 'number' | 'change'>): ChangeResult => {
    const parsed = parse(change)
    if ('problems' in parsed) return { outcome: 'refused', ...parsed }
    const { leftOut } = parsed
    if (isStrict && leftOut) return { outcome: 'refused', problems: leftOut }
    const reason = references.take(parsed, number)
    return reason === undefined
      ? { outcome: 'applied', leftOut }
      : { outcome: 'refused', problems: [{ pointer: '', reason }] }
  }
  const counts = await importFile(async (lines) => lines.map(check), path, reporting)
  const missing = references.missing()
  const say = linesTo(reporting.err)
  for (const { first, count } of missing.slice(0, maxTold)) {
    const times = count > 1 ? ` (${count} references)` : ''
    say(`line ${first.number}: ${printable(first.what)}${times}`)
  }
  if (missing.length > maxTold) say(`and ${missing.length - maxTold} more things are not there`)
  const referencesToNothing = missing.reduce((sum, { count }) => sum + count, 0)
  return { valid: counts.applied, notValid: counts.refused, referencesToNothing }
}
