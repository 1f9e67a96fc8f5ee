import type { ChangeResult } from '@embed-access/core/catalog/apply.ts'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { errorsIn } from '@embed-access/core/input-errors.ts'
import { parseJson } from '@embed-access/core/json.ts'
import * as v from 'valibot'
import { publishedRows } from '../../openapi/published.ts'
import type { Line } from './file.ts'
import { importFile, type Reporting } from './importing.ts'

const rows: Record<string, v.GenericSchema> = publishedRows

/**
 * Finds the lines of a catalog file that would be wrong in an answer: clients of the platform's
 * current API would refuse them. Says what these clients would take. It reads and writes no table.
 */
export async function publishedCheckOf(path: string, reporting: Reporting) {
  const counts = await importFile(async (lines) => lines.map(check), path, reporting)
  return { readable: counts.applied, refused: counts.refused }
}

function check({ change }: Pick<Line, 'change'>): ChangeResult {
  const parsed = parse(change)
  if ('problems' in parsed) return { outcome: 'refused', problems: parsed.problems }
  const { op, data } = parsed.change
  const row = rows[parsed.kind.name]
  if (op === 'delete' || !row) return { outcome: 'applied' }
  const { issues = [] } = v.safeParse(row, parseJson(JSON.stringify(data)))
  const problems = errorsIn(issues).map((makeError) => {
    const { pointer, message } = makeError()
    return { pointer: `/data${pointer}`, reason: message }
  })
  return problems.length > 0 ? { outcome: 'refused', problems } : { outcome: 'applied' }
}
