import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isolationTable } from './isolation.ts'

const [begin, end] = ['<!-- Made by npm run isolation -->\n', '<!-- End -->']

/** The page with this table between its markers. */
export function documented(page: string, table: string): string {
  const [before, after] = [page.split(begin)[0] as string, page.split(end)[1] as string]
  return `${before}${begin}${table}${end}${after}`
}

const help = `Usage: npm run isolation

Writes the table of who may do what into docs/threats.md.
`

if (import.meta.main) {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  const path = 'docs/threats.md'
  if (values.help) process.stdout.write(help)
  else writeFileSync(path, documented(readFileSync(path, 'utf8'), isolationTable()))
}
