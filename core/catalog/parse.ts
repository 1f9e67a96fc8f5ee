import * as v from 'valibot'
import { errorsIn } from '../input-errors.ts'
import { exactly, integer, isOfUnknownFields, object, oneOf, optional } from '../schema.ts'
import { maxPartitionKeyBytes, maxSortKeyBytes } from '../storage/keys.ts'
import { type TableName, tableDefinitions } from '../storage/tables.ts'
import { time } from '../time.ts'
import {
  type Content,
  type Kind,
  NotApplicable,
  type Parsed,
  type Problem,
  requireAtMost,
} from './kind.ts'
import { kinds } from './kinds.ts'

const Envelope = exactly({
  kind: oneOf(Object.keys(kinds)),
  op: v.optional(oneOf(['put', 'delete'])),
  revision: optional(integer),
  // Says how far behind a change is applied, and nothing else.
  sentAt: optional(time),
  data: object,
})

/** Validates a change and makes what it stores, or says what is wrong with it. */
export function parse(input: unknown): Parsed | { readonly problems: readonly Problem[] } {
  const envelope = v.safeParse(Envelope, input)
  if (!envelope.success) return { problems: problemsOf(envelope.issues) }
  const { op = 'put', revision } = envelope.output
  const kind: Kind = kinds[envelope.output.kind as keyof typeof kinds]
  try {
    requireSize(kind, envelope.output.data)
    // The output lacks unknown fields. Each object that has some gives an issue.
    const { issues, output: data } = v.safeParse(
      op === 'put' ? kind.data : kind.identity,
      envelope.output.data,
    )
    const leftOut = issues && problemsOf(issues, '/data')
    // A document is only shown. It is better to show it without a new field than not at all. All
    // other kinds decide who sees what, so there a field that is not understood refuses the change.
    const mayLeaveOut = kind.maxDocumentBytes !== undefined && issues?.every(isOfUnknownFields)
    if (leftOut && !mayLeaveOut) return { problems: leftOut }
    const key = kind.key(data)
    const content = op === 'put' ? kind.item(data) : {}
    requireShortKeys(kind.table, { ...content, ...key })
    return { kind, key, change: { op, revision, data }, content, leftOut }
  } catch (error) {
    if (error instanceof NotApplicable) return { problems: [error.problem] }
    throw error
  }
}

/** A key of an item, or of its entry in an index, may be longer than DynamoDB takes. */
function requireShortKeys(table: TableName, item: Content): void {
  const isLonger = (attribute: string | undefined, most: number) =>
    attribute !== undefined && Buffer.byteLength(String(item[attribute] ?? '')) > most
  const isTooLong = [tableDefinitions[table], ...tableDefinitions[table].indexes].some(
    ({ partitionKey, sortKey }) =>
      isLonger(partitionKey, maxPartitionKeyBytes) || isLonger(sortKey, maxSortKeyBytes),
  )
  if (isTooLong) throw new NotApplicable('/data', 'names a thing by more than a key can hold')
}

/** An item of DynamoDB has at most 400 KB, and some fields are in it more than once. */
const maxDataBytes = 64 * 1024

/** Comes before the shape, which takes far longer to judge. */
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

/** @param within the pointer of what was parsed */
function problemsOf(issues: readonly v.BaseIssue<unknown>[], within = ''): Problem[] {
  const found = errorsIn(issues)
  // To word problems takes time.
  const told = found.slice(0, 100).map((word) => word())
  const problems = told.map(({ pointer, message }) => ({
    pointer: `${within}${pointer}`,
    reason: message,
  }))
  const untold = found.length - told.length
  return untold > 0
    ? [...problems, { pointer: within, reason: `has ${untold} more problems` }]
    : problems
}
