import { readFileSync } from 'node:fs'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { expect, test } from 'vitest'
import { demoCatalogFile } from '../../local/catalog-data.ts'
import { world } from '../world.ts'

const service = world([])

test('the demo catalog is accepted line by line', async () => {
  const lines = readFileSync(demoCatalogFile, 'utf8').trim().split('\n')
  const results = await applyChanges(
    service.storage,
    lines.map((line) => JSON.parse(line)),
    { now: () => service.now },
  )
  expect(results).toHaveLength(lines.length)
  expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([])
})
