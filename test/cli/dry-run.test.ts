import { parse } from '@embed-access/core/catalog/parse.ts'
import { expect, test, vi } from 'vitest'
import { dryRunOf } from '../../cli/catalog/dry-run.ts'
import { demoCatalogFile } from '../../local/demo/catalog.ts'
import { demoChanges } from '../support/catalog.ts'

vi.mock('@embed-access/core/catalog/parse.ts', { spy: true })

test.each([true, false])('A dry run parses each line once, strict or not: %s', async (isStrict) => {
  vi.mocked(parse).mockClear()
  const err = { write: () => true }
  const { valid } = await dryRunOf(demoCatalogFile, { err, isStrict, isQuiet: true })
  expect([valid, vi.mocked(parse).mock.calls.length]).toEqual(Array(2).fill(demoChanges().length))
})
