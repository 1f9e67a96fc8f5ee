import type * as v from 'valibot'
import { nearest } from './nearest.ts'
import type { InputError } from './refusal.ts'
import { isObject, isOfUnknownFields } from './schema.ts'

type FieldError = Extract<InputError, { readonly pointer: string }>

/** The JSON pointer (RFC 6901) of these keys. */
export const pointerTo = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const keysOf = (path: readonly v.IssuePathItem[] = []): string[] =>
  path.map(({ key }) => String(key))

/** Errors as functions, because wording an error takes far longer than finding it. */
export const errorsIn = (issues: readonly v.BaseIssue<unknown>[]): (() => FieldError)[] =>
  issues.flatMap((issue) =>
    isOfUnknownFields(issue)
      ? unknownFields(issue)
      : [() => ({ pointer: pointerTo(keysOf(issue.path)), message: issue.message })],
  )

/** An error for each unknown field. valibot's issue names only the first. */
function unknownFields({ path, requirement }: v.BaseIssue<unknown>): (() => FieldError)[] {
  const known = Array.isArray(requirement) ? requirement.map(String) : []
  const object = path?.at(-1)?.input
  const parents = keysOf(path).slice(0, -1)
  return Object.keys(isObject(object) ? object : {})
    .filter((field) => !known.includes(field))
    .map((field) => () => ({
      pointer: pointerTo([...parents, field]),
      message: unknownField(field, known),
    }))
}

/** Names of the platform's current API, and those of this one (docs/versioning.md). */
const otherNames: Readonly<Record<string, string>> = {
  showGroupByCube: 'showGroupByModel',
  tenantId: 'embedTenantName',
  tenantName: 'embedTenantName',
}

function unknownField(field: string, known: readonly string[]): string {
  const ours = Object.hasOwn(otherNames, field) ? otherNames[field] : undefined
  if (ours !== undefined && known.includes(ours)) return `is not a known field; here it is ${ours}`
  const meant = nearest(field, known)
  return `is not a known field${meant === undefined ? '' : `; the nearest one is ${meant}`}`
}
