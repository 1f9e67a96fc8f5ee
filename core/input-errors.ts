import type * as v from 'valibot'
import { nearest } from './nearest.ts'
import type { InputError } from './refusal.ts'
import { isObject, isOfUnknownFields } from './schema.ts'

type FieldError = Extract<InputError, { readonly pointer: string }>

/** The JSON pointer (RFC 6901) of these keys. A key may have lone surrogates. */
const pointerTo = (keys: readonly string[]): string =>
  keys
    .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
    .toWellFormed()

const keysOf = (path: readonly v.IssuePathItem[] = []): string[] =>
  path.map(({ key }) => String(key))

/**
 * Returns a function for each issue of valibot. The function makes the error. Making an error takes
 * far longer than finding an issue, and not every error is shown.
 */
export const errorsIn = (issues: readonly v.BaseIssue<unknown>[]): (() => FieldError)[] =>
  issues.flatMap((issue) =>
    isOfUnknownFields(issue)
      ? unknownFields(issue)
      : [() => ({ pointer: pointerTo(keysOf(issue.path)), message: issue.message })],
  )

/**
 * Returns the first errors: at most `most`, and fewer if their pointers have more characters than
 * `maxCharacters`. A pointer may have the long name of a field.
 */
export function firstOf<Mistake extends InputError>(
  errors: readonly (() => Mistake)[],
  most: number,
  maxCharacters: number,
): Mistake[] {
  const first: Mistake[] = []
  let characters = 0
  for (const makeError of errors.slice(0, most)) {
    const error = makeError()
    if ('pointer' in error) characters += error.pointer.length
    if (first.length > 0 && characters > maxCharacters) break
    first.push(error)
  }
  return first
}

/** An error for each unknown field of an object. valibot's issue names only the first one. */
function unknownFields({ path, requirement }: v.BaseIssue<unknown>): (() => FieldError)[] {
  const known = Array.isArray(requirement) ? requirement.map(String) : []
  // The path ends with this first field. The `input` of each part is the object that has its key.
  const object = path?.at(-1)?.input
  const pathOfObject = keysOf(path).slice(0, -1)
  return Object.keys(isObject(object) ? object : {})
    .filter((field) => !known.includes(field))
    .map((field) => () => ({
      pointer: pointerTo([...pathOfObject, field]),
      message: unknownFieldMessage(field, known),
    }))
}

/** Maps names of the platform's current API to ours. */
const ourNames: Readonly<Record<string, string>> = {
  showGroupByCube: 'showGroupByModel',
  tenantId: 'embedTenantName',
  tenantName: 'embedTenantName',
}

/** Our name for what the platform's current API calls this, if known (docs/versioning.md). */
export const ourNameOf = (name: string, known: readonly string[]): string | undefined =>
  known.find((each) => each === ourNames[name])

function unknownFieldMessage(field: string, known: readonly string[]): string {
  const ours = ourNameOf(field, known)
  if (ours !== undefined) return `is not a known field; here it is ${ours}`
  const meant = nearest(field, known)
  return `is not a known field${meant === undefined ? '' : `; the nearest one is ${meant}`}`
}
