import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folders } from '../mutants/folders.ts'
import { actionOf, type Written, workflowNames, workflowOf } from './runner.ts'

const files = readdirSync('.github', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml') && file !== 'dependabot.yml')
  .map((file) => [file, readFileSync(join('.github', file), 'utf8')] as const)

const workflows = workflowNames.map((name): [string, Written] => [name, workflowOf(name)])

const jobs: [name: string, Written][] = workflows.flatMap(
  ([workflow, { env, permissions, jobs }]) =>
    Object.entries<Written>(jobs).map(([name, job]): [string, Written] => [
      `${workflow} ${name}`,
      { permissions, steps: [], ...job, env: { ...env, ...job.env } },
    ]),
)

const deployAction = actionOf('deploy').runs.steps as Written[]

const actions = readdirSync('.github/actions').map((name): [string, Written] => [
  name,
  actionOf(name).runs,
])

/** @example expression('vars.DOMAIN') // GitHub puts the value there */
const expression = (of: string): string => `\${{ ${of} }}`

/** Tests each by its name, and lists what is wrong with any of them. */
function testAll<Each>(
  all: readonly (readonly [name: string, Each])[],
  does: string,
  check: (each: Each, name: string) => void,
) {
  test(`Each ${does}`, () => {
    expect(all.length).toBeGreaterThan(1)
    const wrong = all.flatMap(([name, each]) => {
      try {
        check(each, name)
        return []
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    })
    expect(wrong).toEqual([])
  })
}

testAll(
  files,
  'takes actions by commit, stores no AWS keys, and names scripts that exist',
  (text) => {
    for (const [, action] of text.matchAll(/uses: (.*)/g)) {
      expect(action).toMatch(
        /^(\.\/[\w/.-]+|[\w-]+\/[\w-]+(?:\/\w+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      )
    }
    expect(text).not.toMatch(/aws-access-key-id|aws-secret-access-key|pull_request_target/)
    for (const [script] of text.matchAll(/(?<![\w/])(\.ci|scripts)\/[\w-]+(?![\w.-])/g))
      expect(statSync(script).mode & 0o111, script).not.toBe(0)
  },
)

test('all jobs take one version of an action', () => {
  const all = files.flatMap(([, text]) => text.match(/(?<=uses: )[\w-]+\/.*/g) ?? [])
  const versions = new Map(all.map((each) => [each.replace(/^([\w-]+\/[\w-]+).*@/, '$1@'), each]))
  const actions = [...versions.keys()].map((each) => each.replace(/@.*/, ''))
  expect(actions.length).toBeGreaterThan(5)
  expect(actions.filter((each, index) => actions.indexOf(each) < index)).toEqual([])
})

testAll(
  [...jobs, ...actions],
  'puts nothing of an event into a script but through its environment',
  ({ steps }) => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  },
)

testAll(workflows, 'may only read the repository, unless a job says so', ({ permissions }) => {
  expect(permissions).toEqual({ contents: 'read' })
})

testAll(jobs, 'has secrets in environments alone', (job) => {
  // A called workflow's own jobs get no secrets.
  expect(job.secrets).toBeUndefined()
  if (/\bsecrets\./.test(JSON.stringify(job))) expect(job.environment).toBeDefined()
})

testAll(jobs, 'runs install scripts of packages only where it tests', ({ steps, env }, name) => {
  const uses = JSON.stringify(steps)
  if (!/npm |npx |actions\/(setup|deploy)"/.test(uses)) return
  const tests = /npm (test|run prove)|\.ci\/run/.test(uses)
  expect(env.NPM_CONFIG_IGNORE_SCRIPTS, name).toBe(tests ? undefined : 'true')
})

test('jobs get credentials by one action, which first forbids bun install scripts', () => {
  const getting = files.filter(([, text]) => text.includes('configure-aws-credentials'))
  expect(getting.map(([file]) => file)).toEqual([join('actions', 'setup', 'action.yml')])
  const steps: Written[] = actionOf('setup').runs.steps
  const withRole = steps.filter((step) => step.if === "inputs.role != ''")
  expect(withRole.map(({ run, uses = run }) => uses)).toEqual([
    expect.stringMatching(/^npm config set ignore-scripts=true .*XDG_CONFIG_HOME/),
    expect.stringContaining('configure-aws-credentials'),
  ])
})

// What the action does with a role is in runs.yml.
testAll(jobs, 'that can get credentials takes nothing from a cache', ({ permissions, steps }) => {
  if (!('id-token' in permissions)) return
  for (const { uses = '', with: given = {} } of steps) {
    expect(uses).not.toContain('actions/cache')
    if (uses === './.github/actions/setup') expect(given.role).toBeDefined()
    if (uses.includes('setup-node'))
      expect([given.cache, given['package-manager-cache']]).toEqual([undefined, false])
  }
})

test('an install runs the scripts of exactly those packages that package.json allows', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m)
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const withScripts = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  expect(withScripts.map((path) => path.replace(/^.*node_modules\//, '')).sort()).toEqual(
    Object.keys(allowScripts).sort(),
  )
})

testAll(workflows, 'that can run SST sends nothing about it', ({ env }, name) => {
  const text = JSON.stringify(workflowOf(name))
  const runs = /actions\/deploy"|npx sst|scripts\/(plan|remove-)/.test(text)
  expect(env?.SST_TELEMETRY_DISABLED).toBe(runs ? 1 : undefined)
})

const proofs = readFileSync('scripts/prove.ts', 'utf8')

testAll(files, 'runs proofs that there are, with the arguments that their help has', (text) => {
  for (const [, name] of text.matchAll(/npm run prove -- ([\w-]+)/g))
    expect(proofs).toMatch(new RegExp(`^ {2}'?${name}'?: \\[`, 'm'))
  for (const [command, name] of text.matchAll(/npm run prove -- ([\w-]+) --.*/g))
    expect(readFileSync(`test/${name}/${name}.ts`, 'utf8')).toContain(`  ${command}\n`)
})

const shellScripts = ['.ci', 'scripts']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => !file.endsWith('.ts'))
  .map((file) => readFileSync(file, 'utf8'))

const lines = [...shellScripts, ...files.map(([, text]) => text)].flatMap((text) =>
  text.split('\n').map((line) => line.trim()),
)

const noSuchRequest = 'grep -q \'Could not resolve to a PullRequest\' "$said" || failed=1'

/** The lines that go on where something fails, and why they may. */
const forgiven: Readonly<Record<string, string>> = {
  'npx embed-access keys public --stage "$STAGE" || npx embed-access keys init --stage "$STAGE"':
    'init refuses where there are keys',
  'npx sst unlock --stage "$STAGE" || echo "$STAGE was not locked."': 'most are not locked',
  'npx sst unlock --stage "$stage" || echo "$stage was not locked."': 'most are not locked',
  'continue-on-error: true': 'the plan and both steps that look for drift, which stop no rollback',
  '2> "$errors") || failed=1': 'the script looks what failed',
  '2> "$said") || state=unknown': 'the next lines show and judge it',
  [noSuchRequest]: 'the others are removed, and the script fails at its end',
  'CLOSED | MERGED) scripts/remove-stage "$stage" || failed=1 ;;': 'the same',
  'pr-*) [[ $kept == *" $stage "* ]] || echo "$stage $arn" ;;': 'a question',
  '[ "${2-}" != --empty ] || grep -q \'No changes\' <<< "$plan"': 'a question',
  '[ "${2-}" != --again ] || scripts/last-good-commit production --is "$commit"': 'a question',
}

test('nothing that fails is passed over, but for a reason', () => {
  const script = lines.filter((line) => !/^(#|(- )?if:|AGAIN:|cache:|group:)/.test(line))
  const passing = script
    .map((line) => line.replace(/^(- )?(run: )?/, ''))
    .filter((line) => /\|\||continue-on-error|set \+|; *true|\bexit 0|always\(\)|2>/.test(line))
    .filter((line) => !/\|\| \{ echo ".*" >&2; exit 1; \}$/.test(line))
  expect([...new Set(passing)].sort()).toEqual(Object.keys(forgiven).sort())
  expect(passing.filter((line) => line.startsWith('continue'))).toHaveLength(3)
  // Nobody sees that a command inside another one fails. In an assignment it ends the script.
  const hidden = script.filter((line) => /\$\(/.test(line) && !/^(- run: )?\w+=\$\(/.test(line))
  expect(hidden).toEqual(Array(3).fill('cd "$(dirname "$0")/.."'))
  // Without -e, jq gives `null` for what is missing, and the script goes on.
  expect(script.filter((line) => /=\$\(jq (?!-er )/.test(line))).toEqual([])
  for (const script of shellScripts) expect(script).toMatch(/^set -euo pipefail$/m)
  for (const { run, shell } of deployAction) if (run) expect(shell).toBe('bash')
})

/** What each step needs of the permissions of GitHub's token. */
const permitted = ({ uses = '', run = '', with: given = {} }: Written): object => ({
  ...(/checkout@|dependency-review/.test(uses) && { contents: 'read' }),
  ...((uses.endsWith('/deploy') || given.role || run.startsWith('npm publish')) && {
    'id-token': 'write',
  }),
  ...(run.includes('commit-to-deploy') && { deployments: 'read' }),
  ...(run.includes('--record') && { deployments: 'write' }),
  ...(run.startsWith('gh pr comment') && { 'pull-requests': 'write' }),
  ...(run.endsWith('remove-closed-previews') && { 'pull-requests': 'read' }),
  ...(uses.includes('codeql') && { actions: 'read', 'security-events': 'write' }),
})

testAll(jobs, 'has the permissions that its steps need, and no others', (job) => {
  const { steps } = job.uses ? { steps: [{ uses: 'checkout@' }] } : job
  expect(job.permissions).toEqual(Object.assign({}, ...steps.map(permitted)))
})

/** What jobs run with several values of, though one of them fails. */
const matrices: Readonly<Record<string, object>> = {
  'client test': { node: [22, 24] },
  'nightly newcomer': { os: ['ubuntu-24.04', 'macos-15', 'windows-2025'], node: [20, 22, 24] },
  'nightly mutants': { folder: Object.keys(folders) },
  'rotate-keys rotate': { stage: ['production', 'staging'] },
}

testAll(jobs, 'runs on a system by its version, for all that it should', (job, name) => {
  const matrix = matrices[name] ?? {}
  if (!job.uses)
    expect(job['runs-on']).toBe('os' in matrix ? expression('matrix.os') : 'ubuntu-24.04')
  const { matrix: found = {}, ...others } = job.strategy ?? {}
  expect(found).toEqual(matrix)
  // A client that one Node refuses is published for none.
  expect(others).toEqual(name in matrices && name !== 'client test' ? { 'fail-fast': false } : {})
})

const scheduled = { schedule: [{ cron: expect.stringMatching(/^\d+ [2-4] \* \* \*$/) }] }
const text = { type: 'string' }

const begins: Readonly<Record<string, object>> = {
  checks: { workflow_call: { inputs: { ref: text } } },
  cleanup: { ...scheduled, workflow_dispatch: null },
  client: { push: { tags: ['client-v*'] } },
  deploy: {
    push: { branches: ['main'] },
    workflow_dispatch: {
      inputs: {
        stage: { type: 'choice', options: ['staging', 'production'], required: true },
        ref: text,
        redeploy: { type: 'boolean', default: false },
      },
    },
  },
  nightly: { ...scheduled, workflow_dispatch: null },
  preview: { pull_request: { types: ['opened', 'synchronize', 'reopened', 'closed'] } },
  'rotate-keys': { ...scheduled, workflow_dispatch: null },
  security: { ...scheduled, pull_request: null, push: { branches: ['main'] } },
}

testAll(workflows, 'has its name, and begins when it should', ({ name, on }, file) => {
  expect(name.toLowerCase().replaceAll(' ', '')).toBe(file.replaceAll('-', ''))
  const found = JSON.parse(JSON.stringify(on), (key, value) =>
    key === 'description' ? undefined : value,
  )
  expect(found).toEqual(begins[file])
})

test('no two schedules have the same time', () => {
  const crons = workflows.flatMap(([, { on }]) => on.schedule ?? []).map(({ cron }) => cron)
  expect(new Set(crons).size).toBe(crons.length)
})

test('each stage gets every setting from the variables and secrets of its environment', () => {
  const { jobs } = workflowOf('deploy')
  const code = readFileSync('stacks/settings.ts', 'utf8')
  const names = (code.match(/^ {2}[A-Z_]+(?=:)/gm) ?? []).map((name) => name.trim())
  const own = names.filter((name) => !/^(AWS_REGION|EDGE_SECRET|RUNBOOK_URL)$/.test(name))
  const repository = `${expression('github.server_url')}/${expression('github.repository')}`
  const settings = {
    ...Object.fromEntries(
      ['AWS_ACCOUNT', ...own].map((name) => [name, expression(`vars.${name}`)]),
    ),
    EDGE_SECRET: expression('secrets.EDGE_SECRET'),
    RUNBOOK_URL: `${repository}/blob/main/docs/operations.md`,
  }
  for (const { env } of [jobs.staging, jobs.plan, jobs.production]) expect(env).toEqual(settings)
})
