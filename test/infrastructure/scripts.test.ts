import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'
import { type Answers, standIns } from './commands.ts'

const home = temporaryDirectory()

/**
 * Runs a script with commands that only note how they were called, and answer by `answers`.
 */
function scripted(call: string, answers: Answers, GITHUB_REF = 'refs/heads/main') {
  const taken = standIns(home, [answers])
  const [script, ...args] = call.split(' ')
  const { status, stdout, stderr } = spawnSync(`scripts/${script}`, args, {
    env: { PATH: `${home}:${process.env.PATH}`, GITHUB_REPOSITORY: 'org/repo', GITHUB_REF },
    encoding: 'utf8',
  })
  const calls = taken()
  return { status, stdout, stderr, calls, changes: calls.filter((call) => /^np[xm]/.test(call)) }
}

/** The call that asks whether a stage has a state. */
const stateOf = (stage: string) =>
  `aws s3api list-objects-v2 --bucket sst-state-x --prefix app/embed-access/${stage}.json` +
  ' --no-paginate'

const bootstrap = {
  'aws ssm get-parameter': `echo '{"state":"sst-state-x"}'`,
  [stateOf('pr-7')]: 'echo 1',
  [stateOf('pr-8')]: 'echo 1',
}

const removing = (stage: string) => [
  `npx sst unlock --stage ${stage}`,
  `npx sst remove --stage ${stage}`,
  `npx embed-access keys remove --stage ${stage}`,
]

test.each([
  [
    'is content where there never was',
    'pr-7',
    { [stateOf('pr-7')]: 'echo 0' },
    removing('pr-7').slice(-1),
  ],
  ['is content where nothing has locked', 'pr-7', { 'npx sst unlock': 'exit 1' }, removing('pr-7')],
  ['takes no keys away where nobody can tell of', 'pr-7', { [stateOf('pr-7')]: 'exit 1' }, []],
  [
    'is content where SST has never deployed',
    'pr-7',
    { 'aws ssm get-parameter': 'echo ParameterNotFound >&2; exit 254' },
    removing('pr-7').slice(-1),
  ],
  [
    'takes no keys away where it may not ask for',
    'pr-7',
    { 'aws ssm get-parameter': 'echo AccessDenied >&2; exit 254' },
    [],
  ],
  ['does not remove', 'production', {}, []],
  ['does not remove', 'staging', {}, []],
  ['does not remove a preview without a number,', 'pr-', {}, []],
  ['does not remove what is elsewhere,', '../x', {}, []],
])('scripts/remove-stage %s %s', (_, stage, answers, expected) => {
  const { status, stderr, changes } = scripted(`remove-stage ${stage}`, {
    ...bootstrap,
    ...answers,
  })
  expect([status, changes]).toEqual([expected.length > 0 ? 0 : 1, expected])
  if (stage !== 'pr-7') expect(stderr).toBe(`${stage} is not a preview.\n`)
})

test('scripts/remove-closed-previews removes those of closed pull requests alone', () => {
  const tagged = (stage: string) => ({
    ResourceARN: `arn:of:${stage}`,
    Tags: [
      { Key: 'sst:app', Value: 'embed-access' },
      { Key: 'sst:stage', Value: stage },
    ],
  })
  const resources = { ResourceTagMappingList: ['pr-7', 'pr-8', 'staging'].map(tagged) }
  const asking = (states: Readonly<Record<string, string>>) =>
    scripted('remove-closed-previews', {
      ...bootstrap,
      'aws s3api list-objects-v2':
        "printf 'app/embed-access/pr-7.json\tapp/embed-access/pr-8.json\n'",
      ...states,
      'aws resourcegroupstaggingapi': `echo '${JSON.stringify(resources)}'`,
    })
  const { status, stdout, changes } = asking({
    'gh pr view 7': 'echo OPEN',
    'gh pr view 8': 'echo MERGED',
  })
  expect([status, changes]).toEqual([0, removing('pr-8')])
  expect(stdout.trim().split('\n').at(-1)).toBe('pr-8 arn:of:pr-8')
  const none = asking({ 'aws ssm get-parameter': 'echo ParameterNotFound >&2; exit 254' })
  expect([none.status, none.stdout, none.changes]).toEqual([0, 'There is no preview.\n', []])
  const closed = asking({ 'gh pr view 7': 'echo OPEN', 'gh pr view 8': 'echo CLOSED' })
  expect(closed.changes).toEqual(removing('pr-8'))
  const unknown = asking({ 'gh pr view 7': 'exit 1', 'gh pr view 8': 'echo' })
  expect([unknown.status, unknown.changes]).toEqual([1, []])
  const noSuch = 'GraphQL: Could not resolve to a PullRequest with the number of 7. (repository)'
  const own = asking({
    'gh pr view 7': `echo '${noSuch}' >&2; exit 1`,
    'gh pr view 8': 'echo OPEN',
  })
  expect([own.status, own.stderr, own.changes]).toEqual([0, `${noSuch}\n`, []])
})

test('scripts/remove-closed-previews takes no stage without a number for a preview', () => {
  const named = (key: string, value: string) => ({ Key: `sst:${key}`, Value: value })
  const Tags = [named('app', 'embed-access'), named('stage', 'pr-ada')]
  const ResourceTagMappingList = [{ ResourceARN: 'arn:of:pr-ada', Tags }]
  const { status, stdout, calls, changes } = scripted('remove-closed-previews', {
    ...bootstrap,
    'aws s3api list-objects-v2': "printf 'app/embed-access/%s.json\\t' pr- pr-ada pr-7-ada",
    'gh pr view': 'echo MERGED',
    'aws resourcegroupstaggingapi': `echo '${JSON.stringify({ ResourceTagMappingList })}'`,
  })
  expect([status, changes]).toEqual([0, []])
  expect(stdout).toBe('Still tagged with a removed preview:\n')
  expect(calls.filter((call) => call.startsWith('gh'))).toEqual([])
})

const deployments = 'gh api repos/org/repo/deployments'
const title = '### What a deployment changes in staging\n\n'
const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
const head = git('rev-parse', 'HEAD')
// A machine that only builds has no name for Git.
const someone = ['-c', 'user.name=ada', '-c', 'user.email=ada@acme.example']
const besideMain = git(...someone, 'commit-tree', 'HEAD^{tree}', '-m', 'beside')

test('scripts/commit-to-deploy is only for deployments that were started on main', () => {
  const stderr = 'Start it on main, not on refs/heads/other.\n'
  expect(scripted(`commit-to-deploy ${head}`, {}, 'refs/heads/other')).toMatchObject({
    status: 1,
    stderr,
  })
})

test.each([
  [
    'last-good-commit fails for any other',
    'last-good-commit production --is 2222222',
    { [deployments]: 'echo 0' },
    { status: 1, stderr: '2222222 was never noted as good in production.\n' },
  ],
  [
    'last-good-commit does nothing else',
    'last-good-commit production --other',
    {},
    { status: 1, stderr: '--other is unknown.\n', calls: [] },
  ],
  [
    'commit-to-deploy takes no other commit',
    `commit-to-deploy ${besideMain}`,
    {},
    { status: 1, stderr: `${besideMain} is not a commit of main.\n` },
  ],
  [
    'commit-to-deploy takes nothing that is no commit',
    'commit-to-deploy --all',
    {},
    { status: 128 },
  ],
  [
    'commit-to-deploy takes no other one without tests',
    `commit-to-deploy ${head} --again`,
    { [deployments]: 'echo 0' },
    { status: 1, stdout: '' },
  ],
  [
    'plan writes what a deployment changes',
    'plan staging',
    { 'npx sst diff': "echo '+ Table'" },
    { status: 0, stdout: `${title}\`\`\`\n+ Table\n\`\`\`\n` },
  ],
  [
    'plan fails if that should be nothing and is not, after it has written it',
    'plan staging --empty',
    { 'npx sst diff': "echo '+ Table'" },
    { status: 1, stdout: expect.stringContaining('+ Table') },
  ],
  [
    'plan writes no more than GitHub shows',
    'plan staging',
    { 'npx sst diff': "head -c 1100000 /dev/zero | tr '\\0' x" },
    { status: 0, stdout: `${title}\`\`\`\n${'x'.repeat(1_000_000)}\`\`\`\n` },
  ],
])('scripts/%s', (_, call, answers, expected) => {
  expect(scripted(call, answers)).toMatchObject(expected)
})

test('scripts/last-good-commit names only a commit of main', () => {
  const asking = (from: string) =>
    scripted('last-good-commit production', {
      [deployments]: 'echo 2222222',
      'gh api repos/org/repo/git/ref/heads/main': 'echo 1111111',
      'gh api repos/org/repo/compare/2222222...1111111': `echo ${from}`,
    })
  for (const from of ['ahead', 'identical'])
    expect(asking(from)).toMatchObject({ status: 0, stdout: '2222222\n' })
  const stderr = '2222222 is not a commit of main.\n'
  for (const from of ['behind', 'diverged'])
    expect(asking(from)).toMatchObject({ status: 1, stdout: '', stderr })
})

const [, row = ''] =
  /^\| `\.ci\/run` \| (.*?):/m.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? []
const steps = row.split(', ').map((step) => step.replaceAll('`', ''))

test('.ci/run does what CONTRIBUTING says', () => {
  const { status, calls } = scripted('../.ci/run', {})
  expect({ status, calls: calls.toSorted() }).toEqual({ status: 0, calls: steps.toSorted() })
})

test.each(steps)('.ci/run fails if %s does, and says why', (step) => {
  const { status, stdout } = scripted('../.ci/run', { [step]: 'echo the reason; exit 3' })
  expect(status).not.toBe(0)
  expect(stdout).toContain('the reason\n')
})

/** The calls of SST with which the platform is installed where another version of it is. */
function installedOver(found: string | undefined, isWhole = true): string[] {
  const project = join(home, `over-${found}`)
  const write = (path: string, text: string) => {
    mkdirSync(join(project, path, '..'), { recursive: true })
    writeFileSync(join(project, path), text, { mode: 0o755 })
  }
  write('package.json', '{ "type": "module" }')
  write('node_modules/sst/package.json', '{ "version": "2.0.0" }')
  if (isWhole) write('.sst/platform/node_modules/@pulumi/aws/package.json', '{}')
  if (found) write('.sst/platform/version', `${found}\n`)
  write('bin/sst', '#!/bin/sh\necho "sst $*"\nenv | grep -E "^(SST|NPM)_" | sort\n')
  cpSync('scripts/install.ts', join(project, 'scripts/install.ts'), { recursive: true })
  const { status, stdout } = spawnSync(process.execPath, [join(project, 'scripts/install.ts')], {
    env: { PATH: `${join(project, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  return stdout.split('\n').filter((line) => /^(sst|SST|NPM)/.test(line))
}

test('scripts/install.ts installs the platform of this SST, and asks for nothing else', () => {
  const calls = [
    'sst install --stage infra',
    'NPM_CONFIG_IGNORE_SCRIPTS=true',
    'SST_NO_BUN=1',
    'SST_SKIP_DEPENDENCY_CHECK=1',
    'SST_TELEMETRY_DISABLED=1',
  ]
  expect(installedOver(undefined)).toEqual(calls)
  expect(installedOver('1.9.9')).toEqual(calls)
  expect(installedOver('2.0.0', false)).toEqual(calls)
  expect(installedOver('2.0.0')).toEqual([])
})
