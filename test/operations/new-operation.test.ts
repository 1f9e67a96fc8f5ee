import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'

const copy = temporaryDirectory()
const path = '/api/v1/deployments/{deploymentId}/notifications/{notificationId}/recipients'
const right = ['list-notification-recipients', path, '--noun', 'notifications']

function newOperation(...args: readonly string[]) {
  const script = resolve('scripts/new-operation.ts')
  const options = { cwd: copy, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options)
  return { status, stdout, stderr }
}

const contents = () =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: copy }).map((file) => [
      file,
      readFileSync(join(copy, file), 'utf8'),
    ]),
  )

test('npm run new-operation writes all of a list, or says why not and nothing', slow, () => {
  for (const folder of ['core', 'functions', 'openapi', 'bench', 'test'])
    cpSync(folder, join(copy, folder), {
      recursive: true,
      filter: (file) => !/node_modules|dist/.test(file),
    })
  const before = contents()
  const [name, , ...noun] = right as [string, string, string, string]
  for (const [args, said] of [
    [['list-Recipients', path, ...noun], /^The name must be like list-notification-recipients/],
    [[`list-${'x'.repeat(36)}`, path, ...noun], /of at most 40 characters\.\n$/],
    [['list-dbt-syncs', path, ...noun], /^There is an operation list-dbt-syncs already\.\n$/],
    [['list-changes', path, '--noun', 'catalog/..'], /^--noun must be a folder of core: access, /],
    [[name, '/api/v2/x', ...noun], /^The path must be like \/api\/v1\/deployments\//],
    [[name, `${path}/{deploymentId}`, ...noun], /^The path has a variable twice\.\n$/],
    [
      [name, '/api/v1/deployments/{deploymentId}/dbt-sync', ...noun],
      /^list-dbt-syncs has this path/,
    ],
    [
      [...right, '--index', 'byNothing'],
      /^--index must be an index that is sorted by order: byDep/,
    ],
    [[...right, '--index', 'byFolder'], /^--index must be an index that is sorted by order: byDep/],
    [
      ['list-notification', path, ...noun],
      /^There is core\/notifications\/notification\.ts already/,
    ],
  ] as const) {
    const stderr = expect.stringMatching(said)
    expect(newOperation(...args)).toEqual({ status: 2, stdout: '', stderr })
  }
  expect(contents()).toEqual(before)

  const { status, stdout } = newOperation(...right)
  const after = contents()
  const changed = Object.keys(after).filter((file) => after[file] !== before[file])
  const printed = stdout.split('\n').filter((line) => line.endsWith('.ts'))
  expect([status, printed.sort()]).toEqual([0, changed.sort()])
  // The names of tests are short, as test/readable.test.ts asks.
  const [, title = ''] =
    /test\('(.*)'/.exec(after['test/notifications/notification-recipients.test.ts'] ?? '') ?? []
  expect(title).toMatch(/^pages of every size have the same notification recipients/)
  expect(title.length + 40 - name.length).toBeLessThan(80)
})
