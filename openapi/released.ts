import { readdir, readFile } from 'node:fs/promises'
import { breakingChanges } from './breaking-changes.ts'
import { openApiDocument } from './document.ts'
import type { JsonObject } from './json-schema.ts'
import { nextVersion } from './next-version.ts'

const folder = new URL('../docs/released/', import.meta.url)

/** The document of the last release: `docs/released/openapi-<version>.json` with the highest version. */
async function lastReleased(): Promise<JsonObject> {
  const versions = (await readdir(folder)).flatMap((name) => /^openapi-(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [])
  const last = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  if (last === undefined) throw new Error('Nothing has been released yet: docs/released has no document.')
  return JSON.parse(await readFile(new URL(`openapi-${last}.json`, folder), 'utf8')) as JsonObject
}

/**
 * Changes that break clients, made because security was weak without them (docs/versioning.md). The changelog has each.
 */
const changesForSecurity: readonly string[] = [
  'POST /api/v1/embed/generate-session body/embedTenantProfile/displayName: maxLength was not there and is 200',
  'POST /api/v1/embed/generate-session body/tenantGroupDefinitions[]/description: maxLength was not there and is 500',
  'POST /api/v1/embed/generate-session body/userAttributeDefinitions[]/description: maxLength was not there and is 500',
  'POST /api/v1/embed/generate-session body/userAttributeDefinitions[]/displayName: maxLength was not there and is 200',
]

/**
 * The changes in the current document that break clients of the last release, without {@link changesForSecurity}, and
 * those of the latter that are none.
 */
export async function changesSinceRelease(): Promise<string[]> {
  const changes = breakingChanges(await lastReleased(), await openApiDocument())
  const notFound = changesForSecurity.filter((change) => !changes.includes(change))
  return [
    ...changes.filter((change) => !changesForSecurity.includes(change)),
    ...notFound.map((change) => `${change}: this is listed as a change for security, and is not one`),
  ]
}

/** The version that the current document must have. */
export const versionSinceRelease = async (): Promise<string> =>
  nextVersion(await lastReleased(), await openApiDocument())
