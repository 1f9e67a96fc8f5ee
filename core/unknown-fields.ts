import type * as v from 'valibot'
import { nearest } from './nearest.ts'
import { pointerTo } from './pointer.ts'
import type { InputError } from './refusal.ts'

/** The parts of a schema: objects, lists, and wrappers of values that may be null or left out. */
type Walkable = {
  readonly wrapped?: Walkable
  readonly entries?: Readonly<Record<string, Walkable>>
  readonly item?: Walkable
}

/**
 * Finds all unknown fields of the object that an issue is about; valibot's issue names only the first. Each result is a
 * function that makes the error, because to word an error takes far longer than to find the field.
 */
export function unknownFields(
  schema: v.GenericSchema,
  { path = [] as never }: v.BaseIssue<unknown>,
): (() => Extract<InputError, { readonly pointer: string }>)[] {
  const keys = path.map(({ key }) => String(key))
  const parents = keys.slice(0, -1)
  const known = Object.keys(parents.reduce(within, schema as Walkable | undefined)?.entries ?? {})
  return Object.keys(path.at(-1)?.input as object)
    .filter((field) => !known.includes(field))
    .map((field) => () => {
      const meant = nearest(field, known)
      const message = `is not a known field${meant === undefined ? '' : `; the nearest one is ${meant}`}`
      return { pointer: pointerTo([...parents, field]), message }
    })
}

function within(schema: Walkable | undefined, key: string): Walkable | undefined {
  const { entries, item } = unwrapped(schema) ?? {}
  return unwrapped(entries ? entries[key] : item)
}

const unwrapped = (schema: Walkable | undefined): Walkable | undefined =>
  schema?.wrapped ? unwrapped(schema.wrapped) : schema
