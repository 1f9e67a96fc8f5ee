import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { commanded, environmentOf } from './environment.ts'

const file = 'cli/catalog/example/catalog.ndjson'

test('Progress is shown to a person at a terminal, unless it is not wanted', async () => {
  const env = environmentOf(tablesWithPrefix(`progress-${process.pid}`))
  for (const command of [
    `import ${file}`,
    'check --deployment 1',
    'purge',
    'explain --tenant blue-river --workbook 100',
    `reconcile ${file}`,
  ]) {
    const shown = await commanded('catalog', command, { env, typed: '' })
    expect([command, shown.said]).toEqual([command, expect.stringMatching(/\d+ (lines|items)/)])
    const quiet = await commanded('catalog', `${command} --quiet`, { env, typed: '' })
    expect([command, quiet.said]).toEqual([command, expect.not.stringMatching(/\d+ (lines|items)/)])
  }
})

test('An import draws its progress once for each batch, and not for each line', async () => {
  const env = environmentOf(tablesWithPrefix(`batches-${process.pid}`))
  const { said } = await commanded('catalog', ['import', file], { env, typed: '' })
  expect(said.split('\r\x1b[K')).toEqual(['', expect.stringContaining(' lines, '), ''])
})
