import type * as v from 'valibot'
import { nearest } from './nearest.ts'
import type { InputError } from './refusal.ts'

type FieldError = Extract<InputError, { readonly pointer: string }>

/** The JSON pointer (RFC 6901) of these keys. Without keys it means the whole document. */
export const pointerTo = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const keysOf = (path: readonly v.IssuePathItem[] = []): string[] =>
  path.map(({ key }) => String(key))

/**
 * The errors that issues stand for, as functions, because to word an error takes far longer than to
 * find it.
 */
export const errorsIn = (issues: readonly v.BaseIssue<unknown>[]): (() => FieldError)[] =>
  issues.flatMap((issue) =>
    isOfUnknownFields(issue)
      ? unknownFields(issue)
      : [() => ({ pointer: pointerTo(keysOf(issue.path)), message: issue.message })],
  )

/** Whether all that is wrong is that an object has fields which its schema doesn't know. */
export const isOfUnknownFields = ({ expected }: v.BaseIssue<unknown>): boolean =>
  expected === 'never'

/**
 * All unknown fields of the object that an issue is about; valibot's issue names only the first.
 */
function unknownFields({ path, requirement }: v.BaseIssue<unknown>): (() => FieldError)[] {
  const known = requirement as readonly string[]
  const object = path?.at(-1)?.input as Readonly<Record<string, unknown>>
  const parents = keysOf(path).slice(0, -1)
  return Object.keys(object)
    .filter((field) => !known.includes(field))
    .map((field) => () => ({
      pointer: pointerTo([...parents, field]),
      message: unknownField(field, known),
    }))
}

function unknownField(field: string, known: readonly string[]): string {
  const meant = nearest(field, known)
  return `is not a known field${meant === undefined ? '' : `; the nearest one is ${meant}`}`
}
