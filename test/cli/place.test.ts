import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { commanded } from './environment.ts'

const directory = temporaryDirectory()

const verbs: [Parameters<typeof commanded>[0], ...string[]][] = [
  ['catalog', 'import', 'changes.ndjson'],
  ['catalog', 'export'],
  ['catalog', 'purge'],
  ['catalog', 'check', '--deployment', '1'],
  ['catalog', 'explain', '--tenant', 'x', '--workbook', '1'],
  ['catalog', 'reconcile', 'dump.ndjson'],
  ['keys', 'list', '--account', 'acme'],
  ['keys', 'create', '--account', 'acme', '--user', '1'],
  ['keys', 'revoke', 'abcdef01'],
  ['keys', 'init'],
  ['keys', 'rotate'],
  ['keys', 'public'],
  ['sessions', 'revoke', '--account', 'acme', '--user', '1'],
]

test.each(verbs)('npm run %s -- %s takes one of --url, --data and DYNAMODB_ENDPOINT', async (name, ...args) => {
  const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }
  const [url, data] = [
    ['--url', 'http://127.0.0.1:1'],
    ['--data', directory],
  ] as const
  for (const [options, around, both] of [
    [[...url, ...data], {}, '--url and --data'],
    [url, { env }, '--url and DYNAMODB_ENDPOINT'],
    [data, { env }, '--data and DYNAMODB_ENDPOINT'],
  ] as const) {
    const { code, said } = await commanded(name, [...args, ...options], around)
    expect([code, said]).toEqual([2, `${both} both say where the database is. Give one of them.\n`])
  }
  expect(await commanded(name, [...args, ...url])).toMatchObject({
    code: 1,
    said: 'Nothing answers at http://127.0.0.1:1. Start the service with npm start.\n',
  })
  const nowhere = join(directory, 'nowhere')
  expect(await commanded(name, [...args, '--data', nowhere])).toMatchObject({
    code: 2,
    said: `There is no directory ${nowhere}.\n`,
  })
  expect(await readdir(directory)).toEqual([])
})

test('npm start takes --data or DYNAMODB_ENDPOINT', async () => {
  const data = join(directory, 'nowhere')
  const options = ['--port', '0', '--data', data]
  const { ended } = run(['cli/start.ts', ...options], { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })
  expect(await ended).toEqual({
    code: 1,
    printed: '--data and DYNAMODB_ENDPOINT both say where the database is. Give one of them.\n',
  })
  expect(await readdir(directory)).toEqual([])
})
