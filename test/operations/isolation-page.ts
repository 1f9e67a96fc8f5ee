import { readFileSync, writeFileSync } from 'node:fs'
import { isolationTable } from './isolation.ts'

const [begin, end] = ['<!-- Made by npm run isolation -->\n', '<!-- End -->']

/** The page with this table between its markers. */
export function documented(page: string, table: string): string {
  const [before, after] = [page.split(begin)[0] as string, page.split(end)[1] as string]
  return `${before}${begin}${table}${end}${after}`
}

/** `npm run isolation`: writes the table into the page. */
if (import.meta.main) {
  const path = 'docs/threats.md'
  writeFileSync(path, documented(readFileSync(path, 'utf8'), isolationTable()))
}
