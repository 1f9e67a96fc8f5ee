import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll } from 'vitest'

/** A directory that is there until the tests of a file end. */
export function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'embed-access-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  return directory
}

/**
 * Writes a file of a directory, gzipped if its name ends so. Lines may be texts or changes.
 * @returns its path
 */
export async function fileIn(directory: string, name: string, content: Buffer | readonly (string | object)[]) {
  const path = join(directory, name)
  const text = Buffer.isBuffer(content) ? content : content.map(lineOf).join('\n')
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

const lineOf = (line: string | object): string => (typeof line === 'string' ? line : JSON.stringify(line))
