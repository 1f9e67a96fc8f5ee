import { readFileSync } from 'node:fs'
import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { importFile, type Work } from '../../cli/catalog/importing.ts'
import { atStart } from '../../cli/catalog/state.ts'
import { progressLine } from '../../cli/progress-line.ts'
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
    expect([command, shown.said]).toEqual([
      command,
      expect.stringMatching(/(K|\] )\d+ (lines|items)/),
    ])
    const quiet = await commanded('catalog', `${command} --quiet`, { env, typed: '' })
    expect([command, quiet.said]).toEqual([command, expect.not.stringMatching(/\d+ (lines|items)/)])
  }
})

test('An import draws its progress once for each batch, and not for each line', async () => {
  const env = environmentOf(tablesWithPrefix(`batches-${process.pid}`))
  const { said } = await commanded('catalog', ['import', file], { env, typed: '' })
  expect(said.split('\r\x1b[K')).toEqual(['', expect.stringContaining(' lines, '), ''])
})

function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** What a progress line writes, of lines that are done at times in milliseconds. */
function drawn(
  isTTY: boolean,
  shows: readonly [at: number, lines: number, share?: number, before?: number][],
) {
  stopTime()
  const written: string[] = []
  const bar = progressLine({ isTTY, write: (text: string) => written.push(text) })
  let now = 0
  for (const [at, ...shown] of shows) {
    vi.advanceTimersByTime(at - now)
    now = at
    bar.show(...shown)
  }
  bar.interrupt('one\ntwo')
  bar.end()
  return written.map((text) => text.replaceAll('\r\x1b[K', '~'))
}

test('The progress at a terminal is a bar, the speed, and the time that is left', () => {
  const bar = (filled: number) => `~[${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] `
  expect(
    drawn(true, [
      [1000, 1],
      [1000, 10, 0.01],
      [65_000, 1300, 0.5],
      [70_000, 1400, 0.999],
      [70_000, 1400],
    ]),
  ).toEqual([
    '~1 line, 1/s',
    `${bar(0)}10 lines, 10/s, 1:39 left`,
    `${bar(15)}1300 lines, 20/s, 1:05 left`,
    `${bar(30)}1400 lines, 20/s`,
    '~1400 lines, 20/s',
    '~',
    'one\ntwo\n',
    '~',
  ])
})

test('The progress is no wider than the terminal, or it could not be drawn again', () => {
  stopTime()
  let said = ''
  const at = (columns: number) => {
    said = ''
    const bar = progressLine({ isTTY: true, columns, write: (text: string) => (said += text) })
    vi.advanceTimersByTime(1000)
    bar.show(1234, 0.5)
    return said.replace('\r\x1b[K', '')
  }
  const whole = at(80)
  expect(whole).toMatch(/^\[#+\.+\] 1234 lines, 1234\/s, 0:01 left$/)
  expect([at(30), at(0)]).toEqual([whole.slice(0, 29), whole])
})

test('The time that is left for a resumed import is that of its own share', () => {
  const resumed = drawn(false, [
    [1000, 50, 0.5, 40],
    [11_000, 60, 0.6, 40],
  ])
  expect(resumed[1]).toBe('60 lines, 2/s, 0:44 left\n')
})

test('The progress elsewhere is a line per second, and nothing is cleared', () => {
  expect(
    drawn(false, [
      [999, 10],
      [1000, 20],
      [1999, 30],
      [2000, 40, 0.25],
    ]),
  ).toEqual(['20 lines, 20/s\n', '40 lines, 20/s, 0:06 left\n', 'one\ntwo\n'])
})

test('The usage shows how far it is every 10,000 lines', async () => {
  const { said } = await commanded('usage', '--month 2026-10', { typed: '\n'.repeat(20_000) })
  expect(said).toMatch(/^Reading standard input …\n/)
  const shown = said.match(/\d+(?= lines, )/g)
  expect(shown).toEqual(['10000', '20000'])
  expect(said).toContain('\r\x1b[KNo audit line ')
  const ofFile = await commanded('usage', `--month 2026-10 ${file}`, { typed: '' })
  expect(ofFile.said).not.toContain('Reading')
})

test('The speed of a resumed import is that of its own lines', async () => {
  stopTime()
  const oneSecond: Work = async (lines) => {
    vi.advanceTimersByTime(1000)
    return lines.map(() => ({ outcome: 'applied' }))
  }
  const all = readFileSync(file, 'utf8').trim().split('\n').length
  const from = { ...atStart, line: all - 2 }
  const nothing = async () => {}
  const state = { from, keep: nothing, end: nothing, isKept: () => true, requireSame: () => {} }
  let shown = ''
  const err = { isTTY: true, write: (text: string) => (shown += text) }
  await importFile(oneSecond, file, { err, state })
  expect(shown).toContain(`${all} lines, 2/s`)
})
