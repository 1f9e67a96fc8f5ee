import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { commanded } from './environment.ts'

const directory = temporaryDirectory()

test.each([
  'catalog import changes.ndjson',
  'catalog export',
  'catalog purge',
  'catalog check --deployment 1',
  'catalog explain --tenant x --workbook 1',
  'catalog reconcile dump.ndjson',
  'keys list --account acme',
  'keys create --account acme --user 1',
  'keys revoke abcdef01',
  'keys init',
  'keys rotate',
  'keys public',
  'sessions revoke --account acme --user 1',
])('%s takes one of --url, --data and DYNAMODB_ENDPOINT', async (command) => {
  const [name, ...args] = command.split(' ') as ['catalog', ...string[]]
  const nowhere = join(directory, 'nowhere')
  const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }
  const url = ['--url', 'http://127.0.0.1:1']
  const twice = 'both say where the database is. Give one of them.'
  for (const [options, around, code, said] of [
    [[...url, '--data', directory], {}, 2, `--url and --data ${twice}`],
    [url, { env }, 2, `--url and DYNAMODB_ENDPOINT ${twice}`],
    [['--data', directory], { env }, 2, `--data and DYNAMODB_ENDPOINT ${twice}`],
    [['--data', nowhere], {}, 2, `There is no directory ${nowhere}.`],
    [url, {}, 1, 'Nothing answers at http://127.0.0.1:1. Start the service with npm start.'],
  ] as const) {
    expect(await commanded(name, [...args, ...options], around)).toMatchObject({
      code,
      said: `${said}\n`,
    })
  }
  expect(await readdir(directory)).toEqual([])
})

test('npm start takes --data or DYNAMODB_ENDPOINT', async () => {
  const data = join(directory, 'nowhere')
  const options = ['--port', '0', '--data', data]
  const { ended } = run(['cli/embed-access.ts', 'start', ...options], {
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
  })
  expect(await ended).toEqual({
    code: 1,
    printed: '--data and DYNAMODB_ENDPOINT both say where the database is. Give one of them.\n',
  })
  expect(await readdir(directory)).toEqual([])
})
