import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCatalogFile } from '../../cli/catalog/file.ts'

describe('the progress of a catalog file', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'embed-access-file-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  async function progressOf(name: string, content: string | Buffer): Promise<(number | undefined)[]> {
    const path = join(directory, name)
    await writeFile(path, content)
    const file = await openCatalogFile(path)
    const progress: (number | undefined)[] = []
    for await (const _ of file.lines()) progress.push(file.progress())
    return progress
  }

  test('is how much of it was read, and is not known once all of it was', async () => {
    const lines = Array.from({ length: 2000 }, () => randomBytes(200).toString('hex')).join('\n')
    for (const [name, content] of [
      ['plain.ndjson', lines],
      ['long.ndjson.gz', gzipSync(lines)],
    ] as const) {
      const progress = await progressOf(name, content)
      expect(progress[0]).toBeLessThan(1)
      expect(progress.at(-1)).toBeUndefined()
    }
  })
})
