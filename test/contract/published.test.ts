import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { differingRows } from './published.ts'

const [, table = ''] = readFileSync('docs/versioning.md', 'utf8').split('| where | only there |')

const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => /^\| (.+) \| ([^|]+) \|$/.exec(line)?.slice(1) ?? [])

test('each difference from the published API is in the table, and no other one', () => {
  const documented = rows.map(([difference]) => difference)
  expect(documented.toSorted()).toEqual(differingRows().toSorted())
  expect(rows.length).toBeGreaterThan(30)
})

test('each difference from the published API has a reason', () => {
  const reasons = rows.map(([, reason]) => reason)
  expect(reasons.filter((reason) => !/^(Rule|Decided|Extension)\b/.test(reason ?? ''))).toEqual([])
})
