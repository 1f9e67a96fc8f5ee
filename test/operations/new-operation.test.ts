import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'

const copy = temporaryDirectory()
const path = '/api/v1/deployments/{deploymentId}/notifications/{notificationId}/recipients'
const from = (noun: string, index: string) => ['--noun', noun, '--index', index]
const noun = from('notifications', 'byDeployment')
const right = ['list-notification-recipients', path, ...noun]

function newOperation(...args: readonly string[]) {
  const script = resolve('scripts/new-operation.ts')
  const options = { cwd: copy, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options)
  return { status, stdout, stderr }
}

/** The errors of TypeScript in the made files, and in the table of starts. */
function mistypes(made: readonly string[]): string {
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  const compilerOptions = { paths: { '@embed-access/core/*': ['./core/*'] } }
  const files = [...made, 'test/starts/starts.test.ts', 'test/support/engine.ts']
  const settings = { extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = resolve('node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler], { cwd: copy, encoding: 'utf8' })
  return stdout
}

const contents = () =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: copy }).map((file) => [
      file,
      readFileSync(join(copy, file), 'utf8'),
    ]),
  )

test('npm run new-operation writes all of a list, or says why not and nothing', slow, () => {
  const folders = ['core', 'functions', 'openapi', 'bench', 'cli', 'local', 'stacks', 'test']
  for (const each of [...folders, 'package.json'])
    cpSync(each, join(copy, each), {
      recursive: true,
      filter: (file) => !/node_modules|dist/.test(file),
    })
  const before = contents()
  const [name = ''] = right
  for (const [args, said] of [
    [['list-Recipients', path, ...noun], /^The name must be like list-notification-recipients/],
    [[`list-${'x'.repeat(36)}`, path, ...noun], /of at most 40 characters\.\n$/],
    [['list-dbt-syncs', path, ...noun], /^There is an operation list-dbt-syncs already\.\n$/],
    [
      ['list-changes', path, ...from('catalog/..', 'byDeployment')],
      /^--noun must be a folder of core: access, /,
    ],
    [[name, '/api/v2/x', ...noun], /^The path must be like \/api\/v1\/deployments\//],
    [[name, `${path}/{deploymentId}`, ...noun], /^The path has a variable twice\.\n$/],
    [
      [name, '/api/v1/deployments/{deploymentId}/dbt-sync', ...noun],
      /^list-dbt-syncs has this path/,
    ],
    [
      [name, path, ...from('notifications', 'byNothing')],
      /^--index must be an index that is sorted by order: byDep/,
    ],
    [
      [name, path, ...from('notifications', 'byFolder')],
      /^--index must be an index that is sorted by order: byDep/,
    ],
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
  expect(mistypes(printed.filter((file) => !(file in before)))).toBe('')
  const others = path.replace('recipients', 'senders')
  newOperation('list-notification-senders', others, ...noun, '--admin')
  expect(readFileSync(join(copy, 'functions/operations/operations.ts'), 'utf8')).toMatch(
    /recipients',\n {4}access: 'read'[\s\S]*senders',\n {4}access: 'admin'/,
  )
  expect(readFileSync(join(copy, 'test/operations/isolation.ts'), 'utf8')).toMatch(
    /recipients': forReaders,\n.*senders': forAdmins,/,
  )
  // The names of tests are short, as test/readable.test.ts asks.
  const [, title = ''] =
    /test\('(.*)'/.exec(after['test/notifications/notification-recipients.test.ts'] ?? '') ?? []
  expect(title).toMatch(/^pages of every size have the same notification recipients/)
  expect(title.length + 40 - name.length).toBeLessThan(80)
})
