import { createWriteStream } from 'node:fs'
import { stdout } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/**
 * Writes the catalog to a file, gzipped if its name ends so, or to stdout.
 * @returns how many changes there are
 */
export async function exportToFile(storage: Storage, path: string | undefined, accountId: string | undefined) {
  let count = 0
  async function* lines() {
    for await (const line of exportCatalog(storage, accountId)) {
      count += 1
      yield `${line}\n`
    }
  }
  const content = Readable.from(lines())
  if (path === undefined) await pipeline(content, stdout, { end: false })
  else if (path.endsWith('.gz')) await pipeline(content, createGzip(), createWriteStream(path))
  else await pipeline(content, createWriteStream(path))
  return count
}
