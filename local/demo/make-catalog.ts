import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { demoCatalog } from './catalog.ts'

const help = `Makes the demo catalog, local/demo/catalog.ndjson: one catalog change per line.

  node local/demo/make-catalog.ts           write it
  node local/demo/make-catalog.ts --check   exit 1 if the file differs from what would be written
  node local/demo/make-catalog.ts --help    this text
`

const file = new URL('./catalog.ndjson', import.meta.url)

function run(options: { check?: boolean; help?: boolean }): number {
  if (options.help) {
    process.stdout.write(help)
    return 0
  }
  const changes = [...demoCatalog()]
  const text = changes.map((change) => `${JSON.stringify(change)}\n`).join('')
  if (options.check) {
    const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === text
    if (!isCurrent) console.error('local/demo/catalog.ndjson is not current: run node local/demo/make-catalog.ts')
    return isCurrent ? 0 : 1
  }
  writeFileSync(file, text)
  console.log(`local/demo/catalog.ndjson: ${changes.length} changes, ${Math.round(text.length / 1024)} KiB`)
  return 0
}

function main(): number {
  let options: { check?: boolean; help?: boolean }
  try {
    options = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`)
    return 2
  }
  return run(options)
}

process.exitCode = main()
