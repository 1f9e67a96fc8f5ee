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

/** Applies the changes of messages. What is not applied when the signal aborts has failed. */
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
 * Returns the changes of a message. Its text is one change as JSON, a list of changes, an object
 * whose `changes` is such a list, or lines with one change each. In an event of EventBridge, one of
 * these is the detail, which cannot be a list. An object with a `kind` is always a change.
 * @example changesIn('{"kind":"folder",…}\n{"kind":"workbook",…}') // two
 */
function changesIn(body: string): SentChange[] {
  const whole = sent(body)
  if (!('change' in whole))
    return body.split('\n').flatMap((line) => (line.trim() === '' ? [] : [sent(line)]))
  try {
    return listIn(whole.change).map((change) => ({ text: JSON.stringify(change), change }))
  } catch {
    // It nests too deep to be written as JSON.
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
