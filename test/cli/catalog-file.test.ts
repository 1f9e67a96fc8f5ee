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

  test('is how much of it the lines so far are, however much has been read', async () => {
    expect(await progressOf('plain.ndjson', `${'x'.repeat(24)}\n\n${'x'.repeat(49)}\n${'x'.repeat(23)}\n`)).toEqual([
      0.25,
      expect.closeTo(0.76),
      1,
    ])
    expect(await progressOf('unended.ndjson', 'x\nx')).toEqual([expect.closeTo(2 / 3), 1])
  })

  test('is not known for what is left of a gzipped file that has been read to its end', async () => {
    expect(await progressOf('short.ndjson.gz', gzipSync('x\n'.repeat(3)))).toEqual(Array(3).fill(undefined))
    const lines = Array.from({ length: 2000 }, () => randomBytes(200).toString('hex'))
    const progress = await progressOf('long.ndjson.gz', gzipSync(lines.join('\n')))
    expect(progress[0]).toBeLessThan(1)
    expect(progress.at(-1)).toBeUndefined()
  })
})
