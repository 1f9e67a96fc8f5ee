import { nearest } from '@embed-access/core/nearest.ts'
import type { InputError } from '@embed-access/core/refusal.ts'
import type * as v from 'valibot'

/** The parameters of a query. One that is given twice has the list of its values. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads the query from its raw text, because API Gateway joins the values of a repeated parameter with commas. Here a
 * repeated parameter has the list of its values, which no schema accepts.
 * @example readQuery('first=1&first=2&after=x') // { first: ['1', '2'], after: 'x' }
 */
export function readQuery(rawQueryString: string): Query {
  // `URLSearchParams` drops a leading `?`, even if it belongs to the first name.
  const query = new URLSearchParams(`&${rawQueryString}`)
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}

/** The entries of an object schema. */
export const entriesOf = (schema: v.GenericSchema): Readonly<Record<string, v.GenericSchema>> =>
  (schema as v.GenericSchema & { readonly entries?: v.ObjectEntries }).entries ?? {}

/** A misspelt name differs in at most this many letters. Other unknown parameters are for somebody else, and ignored. */
const mostEdits = 2

/** What parameters that ask for the other direction mean in lists, whose pages go forward only. */
const forward = new Map([
  ['last', 'first'],
  ['before', 'after'],
])

/** Yields the unknown parameters that were meant to be known ones: a filter that got lost must not list everything. */
export function* misspeltParameters(schema: v.GenericSchema, query: Query): Generator<InputError> {
  const known = Object.keys(entriesOf(schema))
  for (const parameter of Object.keys(query).filter((name) => !known.includes(name))) {
    const instead = known.find((name) => name === forward.get(parameter))
    const meant = instead ?? nearest(parameter, known, mostEdits)
    if (instead) yield { parameter, message: `is not known, since pages go forward only; use ${instead}` }
    else if (meant) yield { parameter, message: `is not a known parameter; the nearest one is ${meant}` }
  }
}
