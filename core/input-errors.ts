import type * as v from 'valibot'
import { nearest } from './nearest.ts'
import type { InputError } from './refusal.ts'

/** The parts of a schema: objects, lists, variants of objects, and wrappers of values that may be null or left out. */
type Walkable = {
  readonly wrapped?: Walkable
  readonly entries?: Readonly<Record<string, Walkable>>
  readonly item?: Walkable
  /** The variants, which differ in the literal of the field `key`. */
  readonly options?: readonly Walkable[]
  readonly key?: string
  readonly literal?: unknown
}

type FieldError = Extract<InputError, { readonly pointer: string }>

/**
 * The JSON pointer (RFC 6901) of these keys. Without keys it means the whole document.
 * @example pointerTo(['groups', '0']) // '/groups/0'
 */
export const pointerTo = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const keysOf = (path: readonly v.IssuePathItem[] = []): string[] => path.map(({ key }) => String(key))

/**
 * The errors that issues of a schema stand for. Each result is a function that makes the error, because to word an error takes
 * far longer than to find it.
 */
export const errorsIn = (schema: v.GenericSchema, issues: readonly v.BaseIssue<unknown>[]): (() => FieldError)[] =>
  issues.flatMap((issue) => {
    if (!isOfUnknownFields(issue)) return [() => ({ pointer: pointerTo(keysOf(issue.path)), message: issue.message })]
    const { known, unknown, pointerOf } = unknownFields(schema, issue)
    return unknown.map((field) => () => ({ pointer: pointerOf(field), message: unknownField(field, known) }))
  })

function unknownField(field: string, known: readonly string[]): string {
  const meant = nearest(field, known)
  return `is not a known field${meant === undefined ? '' : `; the nearest one is ${meant}`}`
}

/** Whether all that is wrong is that an object has fields which its schema doesn't know. */
export const isOfUnknownFields = ({ expected }: v.BaseIssue<unknown>): boolean => expected === 'never'

/** All unknown fields of the object that an issue is about; valibot's issue names only the first. */
function unknownFields(schema: v.GenericSchema, { path = [] as never }: v.BaseIssue<unknown>) {
  const parents = keysOf(path).slice(0, -1)
  const object = path.at(-1)?.input as Readonly<Record<string, unknown>>
  const parent = path.slice(0, -1).reduce(within, schema as Walkable | undefined)
  const known = Object.keys(shapeOf(parent, object)?.entries ?? {})
  return {
    known,
    unknown: Object.keys(object).filter((field) => !known.includes(field)),
    pointerOf: (field: string) => pointerTo([...parents, field]),
  }
}

function within(schema: Walkable | undefined, { input, key }: v.IssuePathItem): Walkable | undefined {
  const { entries, item } = shapeOf(schema, input) ?? {}
  return entries ? entries[String(key)] : item
}

/** The object or list that a schema means for a value. */
function shapeOf(schema: Walkable | undefined, value: unknown): Walkable | undefined {
  if (schema?.wrapped) return shapeOf(schema.wrapped, value)
  const { options, key = '' } = schema ?? {}
  const chosen = (value as Readonly<Record<string, unknown>>)[key]
  return options ? options.find(({ entries }) => entries?.[key]?.literal === chosen) : schema
}
