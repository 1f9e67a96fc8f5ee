import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { commanded, environmentOf } from './environment.ts'

const verbs = {
  catalog: ['init', 'import', 'export', 'purge', 'check', 'explain', 'reconcile', 'send', 'dead', 'redrive'],
  keys: ['create', 'list', 'revoke', 'init', 'rotate', 'public', 'remove'],
  sessions: ['revoke', 'trace'],
} as const
const all = Object.entries(verbs).flatMap(([name, of]) => of.map((verb) => [name as keyof typeof verbs, verb] as const))

/** Those that delete, or make that something works no longer. */
const deleting = new Set(['import', 'purge', 'reconcile', 'revoke', 'init', 'rotate', 'remove'])

test.each(all)('npm run %s -- %s --help has examples, exit codes and what it deletes', async (name, verb) => {
  const { code, output, said } = await commanded(name, [verb, '--help'])
  expect([code, said]).toEqual([0, ''])
  expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- ${verb} `))
  expect(output).toContain(`\nExamples:\n  npm run ${name} -- ${verb}`)
  expect(output).toMatch(/\nExit codes: 0 done; 1 .+; 2 the arguments are not right, and nothing was done\./)
  const [, deletes = ''] = /\nDeletes: (.+)\./.exec(output) ?? []
  const deletesSomething = deleting.has(verb) && !(name === 'catalog' && verb === 'init')
  expect([verb, deletes === 'nothing']).toEqual([verb, !deletesSomething])
})

test.each(Object.keys(verbs) as (keyof typeof verbs)[])('npm run %s --help names its verbs', async (name) => {
  const { code, output } = await commanded(name, ['--help'])
  const [, commands = ''] = /\nCommands:\n([\s\S]+?)\n\n/.exec(output) ?? []
  const named = commands.match(/^ {2}\w+/gm) ?? []
  expect([code, named.map((each) => each.trim())]).toEqual([0, verbs[name]])
})

test('Progress is shown to a person at a terminal, unless it is not wanted', async () => {
  const env = environmentOf(tablesWithPrefix(`progress-${process.pid}`))
  const file = 'cli/catalog/example/catalog.ndjson'
  for (const [verb, ...args] of [
    ['import', file],
    ['check', '--deployment', '1'],
    ['purge'],
    ['explain', '--tenant', 'blue-river', '--workbook', '100'],
    ['reconcile', file],
  ] as const) {
    const shown = await commanded('catalog', [verb, ...args], { env, typed: '' })
    expect([verb, shown.said]).toEqual([verb, expect.stringMatching(/\d+ (lines|items)/)])
    const quiet = await commanded('catalog', [verb, ...args, '--quiet'], { env, typed: '' })
    expect([verb, quiet.said]).toEqual([verb, expect.not.stringMatching(/\d+ (lines|items)/)])
  }
})

test('An import draws its progress once for each batch, and not for each line', async () => {
  const env = environmentOf(tablesWithPrefix(`batches-${process.pid}`))
  const { said } = await commanded('catalog', ['import', 'cli/catalog/example/catalog.ndjson'], { env, typed: '' })
  expect(said.split('\r\x1b[K')).toEqual(['', expect.stringContaining(' lines, '), ''])
})
