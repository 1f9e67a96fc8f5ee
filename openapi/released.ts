import { readdir, readFile } from 'node:fs/promises'
import { breakingChanges } from './breaking-changes.ts'
import { openApiDocument } from './document.ts'
import type { JsonObject } from './json-schema.ts'

const folder = new URL('../docs/released/', import.meta.url)

/** The document of the last release: `docs/released/openapi-<version>.json` with the highest version. */
async function lastReleased(): Promise<JsonObject> {
  const versions = (await readdir(folder)).flatMap((name) => /^openapi-(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [])
  const last = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  if (last === undefined) throw new Error('Nothing has been released yet: docs/released has no document.')
  return JSON.parse(await readFile(new URL(`openapi-${last}.json`, folder), 'utf8')) as JsonObject
}

/** The changes in the current document that break clients of the last release. */
export const changesSinceRelease = async (): Promise<string[]> =>
  breakingChanges(await lastReleased(), await openApiDocument())
