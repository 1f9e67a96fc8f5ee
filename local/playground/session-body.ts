import { type InputError, isObject, type Json, type JsonObject } from './api.ts'
import { linesIn } from './fields.tsx'
import type { Values } from './link.ts'
import { allFields } from './session-fields.ts'

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
  for (const { name, holds = 'text' } of allFields) {
    const text = values[name] ?? ''
    if (text.trim() !== '') tryAt(`/${name}`, () => put(body, name.split('/'), contents[holds](text)))
  }
  tryAt('', () => {
    const more = values.more?.trim() ? parsed(values.more) : {}
    if (!isObject(more)) throw new Error('must be a JSON object')
    Object.assign(body, more)
  })
  return { body, errors }
}

/** What the text of a field is in the body. What isn't of its type is sent as it is, for the service to refuse. */
const contents = {
  text: (text: string): Json => text,
  lines: linesIn,
  flag: (text: string) => text === 'true' || (text === 'false' ? false : text),
  json: parsed,
  integer: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  number: (text: string) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
  texts: (text: string) => (text === '' ? [] : text.split(',').map((item) => item.trim())),
  numbers: (text: string): Json => contents.texts(text).map(contents.number),
  attributes: (text: string): Json =>
    attributesIn(text).map(({ name, kind, value }) => ({ name, value: contents[kind](value) })),
}
export type Content = keyof typeof contents

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

export type Attribute = { readonly name: string; readonly kind: Content; readonly value: string }

/** The rows of attributes, which a link carries as JSON. */
export function attributesIn(text = '[]'): Attribute[] {
  try {
    const rows = JSON.parse(text) as [string, Content, string][]
    return rows.map(([name, kind, value]) => ({ name, kind: kind in contents ? kind : 'text', value }))
  } catch {
    return []
  }
}
