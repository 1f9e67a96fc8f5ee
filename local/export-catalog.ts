import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { stdout } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { progressLine } from './progress-line.ts'

/**
 * Writes the catalog to a file, gzipped if its name ends so, or to stdout. A file is there once it is whole; only its owner
 * may read it, since it has users' addresses and the hashes of keys.
 * @returns how many changes there are
 */
export async function exportToFile(storage: Storage, path: string | undefined, accountId: string | undefined) {
  let count = 0
  const bar = progressLine(process.stderr)
  const started = performance.now()
  async function* lines() {
    for await (const line of exportCatalog(storage, accountId)) {
      count += 1
      if (count % 1000 === 0) bar.show(count, count / ((performance.now() - started) / 1000))
      yield `${line}\n`
    }
    bar.end()
  }
  const content = Readable.from(lines())
  if (path === undefined) {
    await pipeline(content, stdout, { end: false })
    return count
  }
  const file = createWriteStream(`${path}.part`, { mode: 0o600 })
  if (path.endsWith('.gz')) await pipeline(content, createGzip(), file)
  else await pipeline(content, file)
  await rename(`${path}.part`, path)
  return count
}
