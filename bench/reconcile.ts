import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { account, catalog } from './catalog.ts'
import { measured } from './command.ts'
import { filledEngine } from './filled-engine.ts'
import { sizeArgument } from './size-argument.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench:reconcile -- [WORKBOOKS]

Compares the tables of so many workbooks (100000), with their folders and shares, with a dump of the same. Memory is that of the command's process: when a quarter of its time was over, and the most at any time.
`

const count = sizeArgument(help, 100_000)
const directory = await mkdtemp(join(tmpdir(), 'embed-access-bench-'))

let things = 0
function* dump() {
  for (const changes of catalog(count, workbook)) {
    things += changes.length
    yield changes.map((change) => `${JSON.stringify(change)}\n`).join('')
  }
}

try {
  const path = join(directory, 'dump.ndjson')
  await pipeline(Readable.from(dump()), createWriteStream(path))
  console.log(`dump: ${things} things, ${Math.round((await stat(path)).size / 1e6)} MB`)
  const engine = await filledEngine(account, catalog(count, workbook))
  try {
    await measured('reconcile', engine.endpoint, engine.tables, 'reconcile', path)
  } finally {
    await engine.stop()
  }
} finally {
  await rm(directory, { recursive: true })
}
