import * as v from 'valibot'
import { errorsIn, firstOf } from '../input-errors.ts'
import { exactly, integer, isOfUnknownFields, object, oneOf, optional } from '../schema.ts'
import { maxPartitionKeyBytes, maxSortKeyBytes } from '../storage/keys.ts'
import { type TableName, tableDefinitions } from '../storage/tables.ts'
import { time } from '../time.ts'
import {
  type Content,
  fieldsIn,
  type Kind,
  kindNames,
  NotApplicable,
  type Parsed,
  type Problem,
  requireAtMost,
} from './kind.ts'
import { kinds } from './kinds.ts'

const Envelope = exactly({
  kind: oneOf(kindNames),
  op: v.optional(oneOf(['put', 'delete'])),
  revision: optional(integer),
  // Only shows how late a change is applied.
  sentAt: optional(time),
  data: object,
})

/** Validates a change and makes the content of its item, or says what is wrong with it. */
export function parse(input: unknown): Parsed | { readonly problems: readonly Problem[] } {
  const envelope = v.safeParse(Envelope, input)
  if (!envelope.success) return { problems: problemsOf(envelope.issues) }
  const { op = 'put', revision } = envelope.output
  const kind: Kind = kinds[envelope.output.kind]
  try {
    requireSize(kind, envelope.output.data)
    // The output lacks unknown fields. Each object that has some gives an issue.
    const { issues, output } = v.safeParse(
      op === 'put' ? kind.data : kind.deletion,
      envelope.output.data,
    )
    const leftOut = issues && problemsOf(issues, '/data')
    // A document is only shown. To show it without a new field is better than not to show it. Other
    // kinds decide who sees what, so a change with an unknown field is refused.
    const mayLeaveOut = kind.maxDocumentBytes !== undefined && issues?.every(isOfUnknownFields)
    if (leftOut && !mayLeaveOut) return { problems: leftOut }
    const data = op === 'put' ? Object(output) : fieldsIn(Object(output), kind.identity)
    const key = kind.key(data)
    const content = op === 'put' ? kind.item(data) : {}
    requireShortKeys(kind.table, { ...content, ...key })
    return { kind, key, change: { op, revision, data }, content, leftOut }
  } catch (error) {
    if (error instanceof NotApplicable) return { problems: [error.problem] }
    throw error
  }
}

/** Parses a change that has been parsed before, and so is valid. */
export function parseValid(input: unknown): Parsed {
  const parsed = parse(input)
  if ('problems' in parsed) throw new Error(`No valid change: ${JSON.stringify(parsed.problems)}`)
  return parsed
}

/** @throws NotApplicable if a key of the item, or of an index, is longer than DynamoDB takes */
function requireShortKeys(table: TableName, item: Content): void {
  const isLonger = (attribute: string | undefined, most: number) =>
    attribute !== undefined && Buffer.byteLength(String(item[attribute] ?? '')) > most
  const isTooLong = [tableDefinitions[table], ...tableDefinitions[table].indexes].some(
    ({ partitionKey, sortKey }) =>
      isLonger(partitionKey, maxPartitionKeyBytes) || isLonger(sortKey, maxSortKeyBytes),
  )
  if (isTooLong)
    throw new NotApplicable('/data', 'has identifying fields that are too long for a key')
}

/** An item of DynamoDB has at most 400 KB, and some fields are in it more than once. */
const maxDataBytes = 64 * 1024

/** Comes before the schema, which takes far longer. */
function requireSize({ maxDocumentBytes }: Kind, data: object): void {
  let json: string
  try {
    json = JSON.stringify(data)
  } catch {
    throw new NotApplicable('/data', 'is no JSON, or nests too deep')
  }
  const what = maxDocumentBytes === undefined ? 'the data has' : 'the document has'
  requireAtMost(maxDocumentBytes ?? maxDataBytes, what, Buffer.byteLength(json))
}

const mostProblems = 100

/**
 * The pointers of a change's problems together may have this many characters. The name of a field
 * may be long, and one call of the queue's function keeps the problems of thousands of changes.
 */
const mostCharacters = 16 * 1024

/** @param within the pointer of what was parsed */
function problemsOf(issues: readonly v.BaseIssue<unknown>[], within = ''): Problem[] {
  const errors = errorsIn(issues)
  const problems = firstOf(errors, mostProblems, mostCharacters).map(({ pointer, message }) => ({
    pointer: `${within}${pointer}`,
    reason: message,
  }))
  const missing = errors.length - problems.length
  if (missing > 0) problems.push({ pointer: within, reason: `has ${missing} more problems` })
  return problems
}
