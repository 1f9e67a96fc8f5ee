import { readFileSync } from 'node:fs'
import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { importFile, type Work } from '../../cli/catalog/importing.ts'
import { atStart } from '../../cli/catalog/state.ts'
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

test('The speed of a resumed import is that of its own lines', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const oneSecond: Work = async (lines) => {
    vi.advanceTimersByTime(1000)
    return lines.map(() => ({ outcome: 'applied' }))
  }
  const all = readFileSync(file, 'utf8').trim().split('\n').length
  const from = { ...atStart, line: all - 2 }
  const state = { from, keep: async () => {}, end: async () => {}, isKept: () => true }
  let shown = ''
  const err = { isTTY: true, write: (text: string) => (shown += text) }
  await importFile(oneSecond, file, { err, state })
  expect(shown).toContain(`${all} lines, 2/s`)
})
