import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { startEngine } from '../local/engine.ts'
import { catalog } from './catalog.ts'
import { measured } from './command.ts'
import { sizeArgument } from './size-argument.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench:import -- [WORKBOOKS]

Imports a file of so many workbooks (100000), with their folders and shares, through the command and into an engine that
keeps its data on disk; exports it, imports the export elsewhere and exports that. Ends with 1 unless both exports
have the same lines.
Memory is that of the command's process: when a quarter of its time was over, and the most at any time.
`

const count = sizeArgument(help, 100_000)
const directory = await mkdtemp(join(tmpdir(), 'embed-access-bench-'))
const engine = await startEngine({ dataDirectory: directory })

function* lines() {
  for (const changes of catalog(count, workbook)) {
    yield changes.map((change) => `${JSON.stringify(change)}\n`).join('')
  }
}

try {
  const path = join(directory, 'catalog.ndjson')
  await pipeline(Readable.from(lines()), createWriteStream(path))
  console.log(`file: ${count} workbooks, ${Math.round((await stat(path)).size / 1e6)} MB`)
  await measured('import --dry-run', engine.endpoint, tablesWithPrefix('original'), 'import', path, '--dry-run')
  const { seconds, summary } = await measured('import', engine.endpoint, tablesWithPrefix('original'), 'import', path)
  const changes = Number(/applied (\d+)/.exec(summary)?.[1])
  console.log(`  ${Math.round(changes / seconds)} changes/s, ${Math.round(count / seconds)} workbooks/s`)
  const first = join(directory, 'first.ndjson')
  const second = join(directory, 'second.ndjson')
  await measured('export', engine.endpoint, tablesWithPrefix('original'), 'export', first)
  await measured('import of the export', engine.endpoint, tablesWithPrefix('copy'), 'import', first)
  await measured('export of that', engine.endpoint, tablesWithPrefix('copy'), 'export', second)
  const isEqual = (await linesOf(first)).equals(await linesOf(second))
  console.log(`  the same lines: ${isEqual}`)
  if (!isEqual) process.exitCode = 1
} finally {
  await engine.stop()
  await rm(directory, { recursive: true })
}

/** Digests of the lines of a file, in an order of their own. */
async function linesOf(path: string): Promise<Buffer> {
  const digests: string[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) digests.push(hash('sha256', line))
  return Buffer.from(digests.sort().join())
}
