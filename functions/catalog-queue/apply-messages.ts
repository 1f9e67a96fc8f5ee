import type { ApplyChanges, ChangeResult } from '@embed-access/core/catalog/apply.ts'
import { parseJson } from '@embed-access/core/json.ts'
import { isObject } from '@embed-access/core/schema.ts'
import type { SQSRecord } from 'aws-lambda'

/** A change as sent: its text, and its value or why it has none. */
type SentChange = { readonly text: string; readonly change?: unknown; readonly problem?: string }

/** A change, the message that brought the change, and the result. */
export type Processed = SentChange & { readonly record: SQSRecord; readonly result: ChangeResult }

/** The most changes of a message. Each takes memory, and if it is refused, a dead letter. */
const maxChanges = 10_000

/** Applies the changes of messages. Changes not yet applied when the signal aborts have failed. */
export async function applyMessages(
  apply: ApplyChanges,
  records: readonly SQSRecord[],
  signal: AbortSignal,
): Promise<Processed[]> {
  const all = records.flatMap((record) =>
    changesIn(record.body).map((each) => ({ ...each, record })),
  )
  const readable = all.filter(({ problem }) => problem === undefined)
  const changes = readable.map(({ change }) => change)
  const results = await apply(changes, signal)
  const resultOf = new Map(readable.map((each, index) => [each, results[index]]))
  return all.map((each) => ({ ...each, result: resultOf.get(each) ?? refusedFor(each.problem) }))
}

const refusedFor = (reason = ''): ChangeResult => ({
  outcome: 'refused',
  problems: [{ pointer: '', reason }],
})

/**
 * Returns the changes of a message. Its text has one of these forms:
 *
 *   {"kind":…}                            one change: every object with a `kind` is a change
 *   [{"kind":…},…]                        a list of changes
 *   {"changes":[…]}                       such a list in an object
 *   {"detail-type":…,"detail":{…}}        an event of EventBridge: `detail` is a change, or an
 *                                         object with `changes`, because it can't be a list
 *   {"kind":…} and other lines like it    one change in each line
 *
 * A text that is no JSON and has no line with a `kind` is refused as a whole: it may be one change
 * with a mistake, written on many lines. A text with more than {@link maxChanges} changes or lines
 * is refused as a whole, too.
 * @example changesIn('{"kind":"folder",…}\n{"kind":"workbook",…}') // two
 */
function changesIn(body: string): SentChange[] {
  const whole = readChange(body)
  if (whole.problem !== undefined) {
    const lines = body.split('\n').filter((line) => line.trim() !== '')
    if (lines.length > maxChanges)
      return [{ text: body, problem: `is not JSON, and has more than ${maxChanges} lines` }]
    const changes = lines.map(readChange)
    return changes.some(({ change }) => 'kind' in Object(change)) ? changes : [whole]
  }
  const changes = listIn(whole.change)
  if (changes.length > maxChanges)
    return [{ text: body, problem: `has more than ${maxChanges} changes` }]
  try {
    return changes.map((change) => ({ text: JSON.stringify(change), change }))
  } catch {
    // The value nests too deep for JSON.stringify.
    return [whole]
  }
}

function listIn(message: unknown): readonly unknown[] {
  let value = message
  // This is a loop, because a recursion into deeply nested events would fill the stack.
  while (isObject(value) && !('kind' in value) && 'detail-type' in value && 'detail' in value)
    value = value.detail
  const list = isObject(value) && !('kind' in value) ? value.changes : value
  return Array.isArray(list) ? list : [value]
}

function readChange(text: string): SentChange {
  try {
    // A byte order mark may come first, as in a file.
    return { text, change: parseJson(text.replace(/^\ufeff/, '')) }
  } catch {
    return { text, problem: 'is not JSON, or nests too deep' }
  }
}
