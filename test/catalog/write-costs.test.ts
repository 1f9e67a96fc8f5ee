import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { world } from '../support/service.ts'
import { writeCosts } from './write-costs.ts'

// The tables are empty.
const service = world([])

test('A change of each kind costs the calls and units that the documentation says', async ({
  skip,
}) => {
  skip(!countsUnits, withoutUnits)
  const rows = await writeCosts(service.storage, { now: () => service.now }, 20)
  const [, table = ''] = readFileSync('docs/costs.md', 'utf8').split(
    /^\| calls: write units .*\n\|[-|]+\n/m,
  )
  // Changes of equal costs share a row.
  const grouped = Map.groupBy(rows, ([, ...costs]) => costs.join(' | '))
  const lines = [...grouped].map(
    ([costs, equal]) => `| ${equal.map(([what]) => what).join('; ')} | ${costs} |`,
  )
  expect(table.split('\n\n')[0]?.split('\n')).toEqual(lines)
})
