/** One change of a message: its text, and what that says, unless it is not JSON. */
export type Sent = { readonly text: string; readonly change?: unknown; readonly isJson: boolean }

/**
 * The changes of a message: one as JSON, a list, an object with such a list as its `changes` (the detail of an event can be
 * no list), or one a line.
 * @example changesIn('{"kind":"folder",…}\n{"kind":"workbook",…}') // two
 */
export function changesIn(body: string): Sent[] {
  const whole = parsed(body)
  if (!whole) return body.split('\n').flatMap((line) => (line.trim() === '' ? [] : [sent(line)]))
  const list = listIn(whole.value)
  if (!list) return [{ text: body, change: whole.value, isJson: true }]
  try {
    return list.map((change) => ({ text: JSON.stringify(change), change, isJson: true }))
  } catch {
    // It nests too deep to be written.
    return [{ text: body, change: whole.value, isJson: true }]
  }
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  const { changes } = (value ?? {}) as { changes?: unknown }
  return Array.isArray(changes) ? changes : undefined
}

function sent(text: string): Sent {
  const whole = parsed(text)
  return whole ? { text, change: whole.value, isJson: true } : { text, isJson: false }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
