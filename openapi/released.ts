import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { breakingChanges } from './breaking-changes.ts'
import { openApiDocument } from './document.ts'
import type { JsonObject } from './json-schema.ts'

const folder = new URL('../docs/released/', import.meta.url)

async function lastReleased(): Promise<JsonObject> {
  const versions = (await readdir(folder)).flatMap(
    (name) => /^openapi-(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [],
  )
  const last = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return JSON.parse(await readFile(new URL(`openapi-${last}.json`, folder), 'utf8')) as JsonObject
}

/**
 * Changes since the last release that break clients, because security was weak without them
 * (docs/versioning.md). The changelog has each. A release empties the list.
 */
const changesForSecurity: readonly string[] = []

/**
 * Returns what breaks clients of the last release, without {@link changesForSecurity}, and what is
 * in that list by mistake.
 */
export async function changesSinceRelease(): Promise<string[]> {
  const changes = breakingChanges(await lastReleased(), await openApiDocument())
  const notFound = changesForSecurity.filter((change) => !changes.includes(change))
  return [
    ...changes.filter((change) => !changesForSecurity.includes(change)),
    ...notFound.map((each) => `${each}: this is listed as a change for security, and is not one`),
  ]
}

export const versionSinceRelease = async (): Promise<string> =>
  nextVersion(await lastReleased(), await openApiDocument())

/** What a patch may correct: words for people, and examples. */
const words = new Set(['title', 'summary', 'description', 'example', 'examples'])

/**
 * The version of a document that comes after a released one: the same if nothing differs, a patch
 * if words do, else a minor version (docs/versioning.md). Changes that would take a major version
 * are found by `breakingChanges`.
 * @example nextVersion(released, { ...released, tags: [] }) // '1.1.0' after 1.0.0
 */
export function nextVersion(released: JsonObject, current: JsonObject): string {
  const { version } = released.info as { version: string }
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const sameVersion = { ...current, info: { ...(current.info as object), version } }
  if (isDeepStrictEqual(sameVersion, released)) return version
  if (isDeepStrictEqual(withoutWords(sameVersion), withoutWords(released)))
    return `${major}.${minor}.${patch + 1}`
  return `${major}.${minor + 1}.0`
}

/** Keeps the fields of the API that have such names: these are in `properties`. */
function withoutWords(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => areNames || !words.has(key))
  return Object.fromEntries(
    kept.map(([key, each]) => [key, withoutWords(each, !areNames && key === 'properties')]),
  )
}
