import { readFileSync } from 'node:fs'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { describe, expect, test } from 'vitest'
import { demoCatalog } from '../../local/demo/catalog.ts'
import { world } from '../world.ts'

const committed = readFileSync(new URL('../../local/demo/catalog.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')

describe('the demo catalog', () => {
  const service = world([])

  test('is what its script makes, the same each time', () => {
    expect([...demoCatalog()].map((change) => JSON.stringify(change))).toEqual(committed)
  })

  test('is accepted line by line', async () => {
    const results = await applyChanges(
      service.storage,
      committed.map((line) => JSON.parse(line)),
    )
    expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([])
  })
})
