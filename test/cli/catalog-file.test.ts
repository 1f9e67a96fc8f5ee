import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openCatalogFile } from '../../cli/catalog/file.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'

const directory = temporaryDirectory()

test.each(['plain.ndjson', 'gzipped.ndjson.gz'])(
  'The progress of %s is what was read, and unknown at the end',
  async (name) => {
    const lines = Array.from({ length: 2000 }, () => randomBytes(200).toString('hex'))
    const file = await openCatalogFile(await fileIn(directory, name, lines))
    const progress: (number | undefined)[] = []
    for await (const _ of file.lines()) progress.push(file.progress())
    expect(progress).toHaveLength(2000)
    expect(progress[0]).toBeLessThan(1)
    expect(progress.at(-1)).toBeUndefined()
  },
)
