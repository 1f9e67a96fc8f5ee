import { parseJson } from '@embed-access/core/json.ts'

/** One change of a message: its text, and its value if the text is JSON. */
export type Sent = { readonly text: string; readonly change?: unknown; readonly isJson: boolean }

/**
 * The changes of a message: one as JSON, a list, an object with such a list as its `changes`, or one a line. An event of
 * EventBridge has them as its detail, which can be no list. What has a `kind` is a change and nothing else.
 * @example changesIn('{"kind":"folder",…}\n{"kind":"workbook",…}') // two
 */
export function changesIn(body: string): Sent[] {
  const whole = parsed(body)
  if (!whole) return body.split('\n').flatMap((line) => (line.trim() === '' ? [] : [sent(line)]))
  try {
    return listIn(whole.value).map((change) => ({ text: JSON.stringify(change), change, isJson: true }))
  } catch {
    // It nests too deep to be written as JSON.
    return [{ text: body, change: whole.value, isJson: true }]
  }
}

function listIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || 'kind' in value) return [value]
  if ('detail-type' in value && 'detail' in value) return listIn(value.detail)
  if ('changes' in value && Array.isArray(value.changes)) return value.changes
  return Array.isArray(value) ? value : [value]
}

function sent(text: string): Sent {
  const whole = parsed(text)
  return whole ? { text, change: whole.value, isJson: true } : { text, isJson: false }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) }
  } catch {
    return undefined
  }
}
