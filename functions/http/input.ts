import { errorsIn, firstOf, ourNameOf } from '@embed-access/core/input-errors.ts'
import { nearest } from '@embed-access/core/nearest.ts'
import { type InputError, inputRefusal } from '@embed-access/core/refusal.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import * as v from 'valibot'

export type InputSchemas = Readonly<Partial<Record<'path' | 'query' | 'body', v.GenericSchema>>>

export type Parsed<Schemas extends InputSchemas> = {
  readonly [Part in keyof Schemas & keyof InputSchemas]: v.InferOutput<NonNullable<Schemas[Part]>>
}

type InputContext<Schemas extends InputSchemas> = Context & { input: Parsed<Schemas> }

export const input = <Schemas extends InputSchemas>(
  schemas: Schemas,
): middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, InputContext<Schemas>> => ({
  before({ event, context }) {
    const query = readQuery(event.rawQueryString)
    const given = { path: event.pathParameters, query, body: event.body }
    context.input = parseInput(schemas, given) as Parsed<Schemas>
  },
})

/** The text of a parameter. If it is given twice, it has a list of values, which is refused. */
export const onlyOnce = v.string('must be given only once')

type GivenInput = {
  readonly path?: object | undefined
  readonly query?: Query
  readonly body?: unknown
}

/**
 * @throws Refusal `invalid_parameter`, or `invalid_body` if no parameter is wrong, with the first
 * mistakes of parameters and body. Its message counts them all
 */
export function parseInput(schemas: InputSchemas, given: GivenInput) {
  const querySchema = schemas.query ?? v.object({})
  const sentQuery = given.query ?? {}
  const path = v.safeParse(schemas.path ?? v.object({}), given.path ?? {})
  const query = v.safeParse(querySchema, sentQuery)
  const body = v.safeParse(schemas.body ?? v.unknown(), given.body)
  const wrong = [...(path.issues ?? []), ...(query.issues ?? [])]
  const ofParameters: readonly InputError[] = [
    ...wrong.map(({ path, message }) => ({ parameter: String(path?.[0]?.key), message })),
    ...misspeltParameters(querySchema, sentQuery),
  ]
  const found = [...ofParameters.map((error) => () => error), ...errorsIn(body.issues ?? [])]
  if (found.length === 0) return { path: path.output, query: query.output, body: body.output }
  const errors = firstOf(found, maxErrors, maxCharacters)
  const code = ofParameters.length > 0 ? 'invalid_parameter' : 'invalid_body'
  throw inputRefusal(code, errors, found.length)
}

type Query = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads the query from its raw text, because API Gateway joins the values of a repeated parameter
 * with commas. Here a repeated parameter has the list of its values, which no schema accepts.
 * @example readQuery('first=1&first=2&after=x') // { first: ['1', '2'], after: 'x' }
 */
function readQuery(rawQueryString: string): Query {
  // `URLSearchParams` drops a leading `?`, even if it belongs to the first name.
  const given = Map.groupBy(new URLSearchParams(`&${rawQueryString}`), ([name]) => name)
  return Object.fromEntries(
    [...given].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value)
      return [name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}

export const entriesOf = (schema: v.GenericSchema): Readonly<Record<string, v.GenericSchema>> =>
  (schema as v.GenericSchema & { readonly entries?: v.ObjectEntries }).entries ?? {}

/** The most letters in which a misspelt name differs from the known one. */
const mostEdits = 2

const lettersOf = (word: string): string => word.toLowerCase().replaceAll(/[-_[\].]/g, '')

/**
 * Returns a known name that is the word's beginning or end, that contains the word, or of which the
 * word is at least half of the letters. `syncStatus` ends with `status`, `recipientUserId` contains
 * `user_id`, and `recipientId` is most of `recipientUserId`.
 */
function nameWith(word: string, known: readonly string[]): string | undefined {
  const given = lettersOf(word)
  if (given.length < 3) return undefined
  return known.find((name) => {
    const letters = name.toLowerCase()
    const isMost = 2 * given.length >= letters.length && hasInOrder(letters, given)
    return isMost || letters.includes(given) || given.startsWith(letters) || given.endsWith(letters)
  })
}

/** Whether a name has these letters in this order. Others may be between them. */
function hasInOrder(name: string, letters: string): boolean {
  let found = 0
  for (const letter of name) if (letter === letters[found]) found += 1
  return found === letters.length
}

const meantBy = (word: string, known: readonly string[]): string | undefined =>
  ourNameOf(word, known) ?? nearest(word, known, mostEdits) ?? nameWith(word, known)

/**
 * Names by which other APIs page, in any spelling: `pageSize` is `page_size` too. If a cursor with
 * such a name were ignored, each request would get the same page.
 */
const namesElsewhere: Readonly<Record<string, string>> = {
  last: 'first',
  limit: 'first',
  maxresults: 'first',
  pagesize: 'first',
  perpage: 'first',
  take: 'first',
  before: 'after',
  cursor: 'after',
  endcursor: 'after',
  endingbefore: 'after',
  nextcursor: 'after',
  nexttoken: 'after',
  offset: 'after',
  page: 'after',
  pagenumber: 'after',
  pagetoken: 'after',
  skip: 'after',
  startingafter: 'after',
}

/**
 * Yields the unknown parameters that were meant to be known ones: a filter that got lost must not
 * list everything. The service ignores all others, because they are for somebody else.
 */
function* misspeltParameters(schema: v.GenericSchema, query: Query): Generator<InputError> {
  const known = Object.keys(entriesOf(schema))
  for (const parameter of Object.keys(query).filter((name) => !known.includes(name))) {
    // Some APIs write `filter[status]` and `page[size]`. A query that was escaped twice has a
    // parameter with the name `amp;status`, or one with the name `status=FAILED&first=2`.
    const words = [parameter, ...parameter.split(/[^\w-]/)]
    const others = words.map((word) => namesElsewhere[lettersOf(word)])
    const instead = known.find((name) => others.includes(name))
    const meant = words.map((word) => meantBy(word, known)).find(Boolean)
    const message = instead
      ? `is not known; pages go forward, by first and after: use ${instead}`
      : `is not a known parameter; the nearest one is ${meant}`
    if (instead ?? meant) yield { parameter, message }
  }
}

/** The most mistakes to list. A body of 256 KiB can have more than fit in an answer of Lambda. */
export const maxErrors = 1000

/** The pointers of all listed mistakes together may have this many characters. */
const maxCharacters = 256 * 1024
