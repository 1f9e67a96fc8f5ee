export type Entry = Record<string, unknown>

/**
 * Returns the entries in a line of a function's log. It ignores text before the JSON, such as the
 * time that `aws logs tail` or an export to S3 writes. It unwraps `message`, which Lambda's own
 * JSON format adds, and `logEvents`, which a subscription adds.
 * @returns undefined if the line is not JSON
 */
export function entriesIn(line: string): Entry[] | undefined {
  const entry = entryIn(line)
  if (entry === undefined) return undefined
  const { logEvents } = entry
  return Array.isArray(logEvents) ? logEvents.map(unwrapped) : [unwrapped(entry)]
}

function entryIn(text: string): Entry | undefined {
  try {
    return Object(JSON.parse(text.slice(text.indexOf('{'))))
  } catch {
    return undefined
  }
}

function unwrapped(value: unknown): Entry {
  const entry: Entry = Object(value)
  const { message } = entry
  return typeof message === 'string' ? (entryIn(message) ?? entry) : Object(message ?? entry)
}
