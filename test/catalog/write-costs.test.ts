import { expect, test } from 'vitest'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { world } from '../support/service.ts'
import { writeCosts } from './write-costs.ts'

// The tables are empty.
const service = world([])

/**
 * The change | the first | a newer one | without a revision | a deletion, each as calls: write +
 * read units.
 */
const expected = `
| account | 1: 1 + 0 | 1: 1 + 0 | 2: 1 + 1 | 1: 5 + 0 |
| deployment | 3: 2 + 2 | 3: 1 + 2 | 3: 1 + 2 | 4: 6 + 3 |
| user | 1: 2 + 0 | 1: 1 + 0 | 2: 1 + 1 | 1: 6 + 0 |
| API key | 2: 2 + 1 | 2: 1 + 1 | 2: 1 + 1 | 2: 2 + 1 |
| embed tenant | 2: 2 + 1 | 2: 1 + 1 | 2: 1 + 1 | 2: 6 + 1 |
| group; folder at the top | 1: 1 + 0 | 1: 1 + 0 | 2: 1 + 1 | 1: 1 + 0 |
| tenant group; attribute definition | 2: 4 + 2 | 2: 4 + 2 | 2: 4 + 2 | 2: 4 + 2 |
| folder in a folder | 1: 2 + 0 | 1: 1 + 0 | 2: 1 + 1 | 1: 2 + 0 |
| workbook of 1.8 KB at the top | 1: 2 + 0 | 1: 2 + 0 | 2: 2 + 1 | 1: 2 + 0 |
| workbook of 1.8 KB in a folder | 1: 3 + 0 | 1: 2 + 0 | 2: 2 + 1 | 1: 3 + 0 |
| share with an embed tenant | 5: 3 + 4 | 1: 1 + 0 | 2: 1 + 1 | 1: 2 + 0 |
| dbt sync | 1: 5 + 0 | 1: 1 + 0 | 2: 1 + 1 | 1: 5 + 0 |
| notification | 3: 3 + 2 | 3: 1 + 2 | 3: 1 + 2 | 4: 3 + 3 |
| recipient | 5: 4 + 3 | 4: 1 + 3 | 4: 1 + 3 | 3: 3 + 2 |
| notification with one recipient | 5: 6 + 3 | 4: 1 + 3 | 4: 1 + 3 | 5: 6 + 3 |
| move of a folder, whatever lies below |  | 1: 2 + 0 |  |  |
| unshare of a folder, whatever lies below |  |  |  | 1: 2 + 0 |
`.trim()

test('A change of each kind costs these calls and units', async ({ skip }) => {
  skip(!countsUnits, withoutUnits)
  const rows = await writeCosts(service.storage, { now: () => service.now }, 20)
  // Changes of equal costs share a row.
  const grouped = Map.groupBy(rows, ([, ...costs]) => costs.join(' | '))
  const lines = [...grouped].map(
    ([costs, equal]) => `| ${equal.map(([what]) => what).join('; ')} | ${costs} |`,
  )
  expect(lines.join('\n')).toBe(expected)
})
