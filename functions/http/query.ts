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
      const [value, ...more] = query.getAll(name) as [string, ...string[]]
      return [name, more.length === 0 ? value : [value, ...more]]
    }),
  )
}

/** The entries of an object schema, or of an intersection of several. */
export function entriesOf(schema: v.GenericSchema): Readonly<Record<string, v.GenericSchema>> {
  const { entries, options = [] } = schema as { entries?: object; options?: readonly v.GenericSchema[] }
  return Object.assign({}, ...options.map(entriesOf), entries)
}

/** A misspelt name differs in at most this many letters. Other unknown parameters are for somebody else, and ignored. */
const mostEdits = 2

/** What parameters that ask for the other direction mean in lists, whose pages go forward only. */
const forward: Readonly<Record<string, string>> = { last: 'first', before: 'after' }

/** Yields the unknown parameters that were meant to be known ones: a filter that got lost must not list everything. */
export function* misspeltParameters(schema: v.GenericSchema, query: Query): Generator<InputError> {
  const known = Object.keys(entriesOf(schema))
  for (const parameter of Object.keys(query).filter((name) => !known.includes(name))) {
    const instead = Object.hasOwn(forward, parameter) ? forward[parameter] : undefined
    if (instead !== undefined && known.includes(instead)) {
      yield { parameter, message: `is not known, since pages go forward only; use ${instead}` }
      continue
    }
    const meant = nearest(parameter, known, mostEdits)
    if (meant !== undefined) yield { parameter, message: `is not a known parameter; the nearest one is ${meant}` }
  }
}
