import type { InputError } from './api.ts'
import { linesIn } from './fields.tsx'
import { isObject, type Json, type JsonObject } from './json.ts'
import type { Values } from './link.ts'
import { allFields } from './session-fields.ts'

/** The pointers at which the form can show an error. The empty one is that of all other fields. */
export const pointersOf = (values: Values): string[] => [
  ...allFields.map(({ name }) => `/${name}`),
  ...attributesIn(values.userAttributes).flatMap((_, row) =>
    ['name', 'value'].map((part) => `/userAttributes/${row}/${part}`),
  ),
  '',
]

/** The body of a session request as the form has it, and what in the form can't be sent at all. */
export function bodyOf(values: Values): { body: JsonObject; errors: readonly InputError[] } {
  const body: JsonObject = {}
  const errors: InputError[] = []
  const tryAt = (pointer: string, read: () => void) => {
    try {
      read()
    } catch (error) {
      errors.push({ pointer, message: (error as Error).message })
    }
  }
  for (const { name, as, holds } of allFields) {
    const text = values[name] ?? ''
    const kind = holds ?? (as === 'lines' || as === 'check' ? as : 'text')
    if (text.trim() !== '') tryAt(`/${name}`, () => put(body, name.split('/'), contents[kind](text)))
  }
  tryAt('', () => {
    const more = values.more?.trim() ? parsed(values.more) : {}
    if (!isObject(more)) throw new Error('must be a JSON object')
    Object.assign(body, more)
  })
  return { body, errors }
}

const contents = {
  text: (text: string): Json => text,
  lines: linesIn,
  check: (text: string) => text === 'true',
  switch: (text: string) => text === 'true',
  json: parsed,
  // What is no number stays text: the service has to refuse it.
  integer: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  attributes: (text: string) =>
    attributesIn(text).map(({ name, kind, value }) => ({ name, value: typed(value, kind) })),
}

function put(body: JsonObject, [first = '', ...rest]: readonly string[], value: Json): void {
  const inner = rest.length > 0 ? ((body[first] ?? {}) as JsonObject) : value
  body[first] = inner
  if (rest.length > 0) put(inner as JsonObject, rest, value)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`)
  }
}

export type Attribute = { readonly name: string; readonly kind: string; readonly value: string }

/** The rows of attributes, which a link carries as JSON. */
export function attributesIn(text = '[]'): Attribute[] {
  try {
    return (JSON.parse(text) as string[][]).map(([name = '', kind = 'text', value = '']) => ({ name, kind, value }))
  } catch {
    return []
  }
}

/** What isn't of the chosen type is sent as the text it is, for the service to refuse. */
function typed(text: string, kind: string): Json {
  const items = text === '' ? [] : text.split(',').map((item) => item.trim())
  if (kind === 'number') return number(text)
  if (kind === 'flag') return text === 'true' || (text === 'false' ? false : text)
  if (kind === 'texts') return items
  return kind === 'numbers' ? items.map(number) : text
}

const number = (text: string): Json => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
