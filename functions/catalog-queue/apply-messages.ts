import type { ApplyChanges, ChangeResult } from '@embed-access/core/catalog/apply.ts'
import { parseJson } from '@embed-access/core/json.ts'
import type { SQSRecord } from 'aws-lambda'

/** A change as sent: its text, and its value if the text is JSON. */
type SentChange = { readonly text: string; readonly change?: unknown }

/** A change, the message that brought the change, and the result. */
export type Processed = SentChange & { readonly record: SQSRecord; readonly result: ChangeResult }

const notJson: ChangeResult = {
  outcome: 'refused',
  problems: [{ pointer: '', reason: 'is not JSON, or nests too deep' }],
}

/** Applies the changes of messages. Changes not yet applied when the signal aborts have failed. */
export async function applyMessages(
  apply: ApplyChanges,
  records: readonly SQSRecord[],
  signal: AbortSignal,
): Promise<Processed[]> {
  const all = records.flatMap((record) =>
    changesIn(record.body).map((each) => ({ ...each, record })),
  )
  const readable = all.filter((each) => 'change' in each)
  const changes = readable.map(({ change }) => change)
  const results = await apply(changes, signal)
  const resultOf = new Map(readable.map((each, index) => [each, results[index]]))
  return all.map((each) => ({ ...each, result: resultOf.get(each) ?? notJson }))
}

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
 * with a mistake, written on many lines.
 * @example changesIn('{"kind":"folder",…}\n{"kind":"workbook",…}') // two
 */
function changesIn(body: string): SentChange[] {
  const whole = sent(body)
  if (!('change' in whole)) {
    const lines = body.split('\n').flatMap((line) => (line.trim() === '' ? [] : [sent(line)]))
    return lines.some(({ change }) => 'kind' in Object(change)) ? lines : [whole]
  }
  try {
    return listIn(whole.change).map((change) => ({ text: JSON.stringify(change), change }))
  } catch {
    // The value nests too deep for JSON.stringify.
    return [whole]
  }
}

function listIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || 'kind' in value) return [value]
  if ('detail-type' in value && 'detail' in value) return listIn(value.detail)
  if ('changes' in value && Array.isArray(value.changes)) return value.changes
  return Array.isArray(value) ? value : [value]
}

function sent(text: string): SentChange {
  try {
    return { text, change: parseJson(text) }
  } catch {
    return { text }
  }
}
