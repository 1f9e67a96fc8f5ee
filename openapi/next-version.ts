import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from './json-schema.ts'

/** What may be corrected in a patch: words for people, and examples. */
const words = new Set(['title', 'summary', 'description', 'example', 'examples'])

/**
 * The version of a document that comes after a released one: the same if nothing differs, a patch if words do, else a
 * minor version (docs/versioning.md). Changes that would take a major version are found by `breakingChanges`.
 * @example nextVersion(released, { ...released, tags: [] }) // '1.1.0' after 1.0.0
 */
export function nextVersion(released: JsonObject, current: JsonObject): string {
  const { version } = released.info as { version: string }
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const sameVersion = { ...current, info: { ...(current.info as object), version } }
  if (isDeepStrictEqual(sameVersion, released)) return version
  if (isDeepStrictEqual(withoutWords(sameVersion), withoutWords(released))) return `${major}.${minor}.${patch + 1}`
  return `${major}.${minor + 1}.0`
}

/** Fields of the API may have such names too: they stand in `properties`. */
function withoutWords(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => areNames || !words.has(key))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutWords(each, !areNames && key === 'properties')]))
}
