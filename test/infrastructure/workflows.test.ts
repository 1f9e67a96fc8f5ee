import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { folders } from '../mutants/folders.ts'

// biome-ignore lint/suspicious/noExplicitAny: a workflow, or a part of one, as it is written
type Written = any

const files = readdirSync('.github', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml') && file !== 'dependabot.yml')
  .map((file) => [file, readFileSync(join('.github', file), 'utf8')] as const)

const workflows: [name: string, Written][] = files.flatMap(([file, text]) => {
  return file.startsWith('workflows/')
    ? [[file.slice('workflows/'.length, -'.yml'.length), parse(text)]]
    : []
})

const jobs: [name: string, Written][] = workflows.flatMap(([workflow, { env, jobs }]) =>
  Object.entries<Written>(jobs).map(([name, job]): [string, Written] => [
    `${workflow} ${name}`,
    { steps: [], ...job, env: { ...env, ...job.env } },
  ]),
)

const workflow = (name: string): Written => workflows.find(([each]) => each === name)?.[1]

const deployAction = parse(readFileSync('.github/actions/deploy/action.yml', 'utf8')).runs
  .steps as Written[]

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

testAll(files, 'puts nothing of an event into a script but through its environment', (text) => {
  for (const [, script] of text.matchAll(/^ *(?:- )?run: ?(.*(?:\n {10,}\S.*)*)/gm))
    expect(script).not.toContain('${{')
})

testAll(workflows, 'may only read the repository, unless a job says so', ({ permissions }) => {
  expect(permissions).toEqual({ contents: 'read' })
})

testAll(
  jobs,
  'ends in time, keeps no checkout token, and has secrets in environments alone',
  (job) => {
    // A called workflow's own jobs have their limits, and get no secrets.
    if (job.uses) return expect(job.secrets).toBeUndefined()
    expect(job['timeout-minutes']).toBeGreaterThan(0)
    for (const step of job.steps) {
      if (step.uses?.startsWith('actions/checkout@'))
        expect(step.with?.['persist-credentials']).toBe(false)
    }
    if (/\bsecrets\./.test(JSON.stringify(job))) expect(job.environment).toBeDefined()
  },
)

test('no package runs an install script where credentials of AWS or npm can be had', () => {
  const privileged = jobs.filter(([, { permissions = {} }]) => 'id-token' in permissions)
  expect(privileged.length).toBeGreaterThan(5)
  for (const [name, { env, environment }] of privileged) {
    expect([env.NPM_CONFIG_IGNORE_SCRIPTS, environment], name).toEqual(['true', expect.anything()])
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

test('what is deployed has passed the tests and a browser, in jobs without secrets', () => {
  const checks = Object.values<Written>(workflow('checks').jobs)
  expect(checks.map(({ steps }) => steps.at(-1).run)).toEqual([
    '.ci/run',
    'npm run prove -- browser',
  ])
  for (const job of checks) {
    expect([job.permissions, job.environment]).toEqual([undefined, undefined])
    expect(JSON.stringify(job.steps)).not.toMatch(/secrets\.|github\.token/)
  }
  for (const name of ['preview', 'deploy']) {
    expect(workflow(name).jobs.checks.uses).toBe('./.github/workflows/checks.yml')
  }
})

test('no stage has the API keys of the demo catalog, which are in the repository', () => {
  const demo = deployAction.find(({ id }) => id === 'demo')?.run
  expect(demo).toContain('if .kind == "apiKey" then {kind, op: "delete", revision: 2,')
  expect(demo).toContain('embed-access keys create')
  const all = files.map(([, text]) => text).join('\n')
  expect(all.match(/local\/demo\/catalog\.ndjson/g)).toHaveLength(1)
  expect(all).not.toContain('import local/demo/catalog.ndjson')
  // Without a key of its own the smoke test would use that of the demo catalog.
  const smoke = jobs.flatMap(([, { steps }]) =>
    steps.filter(({ run }: Written) => run?.endsWith('smoke "$URL"')),
  )
  expect(smoke).toHaveLength(3)
  const keys = [expression('steps.deploy.outputs.smoke-key'), expression('secrets.SMOKE_KEY')]
  const catalog = readFileSync('local/demo/catalog.ndjson', 'utf8')
  for (const { env } of smoke) {
    expect(keys).toContain(env?.SMOKE_KEY)
    if (env.SMOKE_KEY === keys[1]) continue
    // It is a key of the demo catalog's account, so it asks for what is there.
    expect(catalog).toContain(`"deploymentId":${env.SMOKE_DEPLOYMENT},`)
    expect(catalog).toContain(`"${env.SMOKE_TENANT}"`)
  }
})

// Of a pull request, `github.sha` is a merge that nobody has. Of a deployment it is the newest
// commit, which need not be what is deployed.
testAll(jobs, 'names the commit that it works on', ({ concurrency: _, ...job }) => {
  const named = [...JSON.stringify(job).matchAll(/\$\{\{ ([\w.-]*sha) \}\}/g)].map(([, of]) => of)
  const right =
    /^(needs\.commit|steps\.(commit|good))\.outputs\.sha$|^github\.event\.pull_request\.head\.sha$/
  expect(named.filter((each) => !right.test(each as string))).toEqual([])
})

testAll(workflows, 'that can run SST sends nothing about it', ({ env }, name) => {
  const text = JSON.stringify(workflow(name))
  const runs = /actions\/deploy"|npx sst|scripts\/(plan|remove-)/.test(text)
  expect(env?.SST_TELEMETRY_DISABLED).toBe(runs ? 1 : undefined)
})

testAll(files, 'runs a proof with the arguments that its help has', (text) => {
  for (const [command, name] of text.matchAll(/npm run prove -- ([\w-]+) --.*/g))
    expect(readFileSync(`test/${name}/${name}.ts`, 'utf8')).toContain(`  ${command}\n`)
})

test('a stage’s source maps are kept by the commit that is deployed', () => {
  const at = deployAction.findIndex(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
  const name = `source-maps-${expression('steps.commit.outputs.sha')}`
  expect(deployAction[at]?.with).toMatchObject({ name, path: 'dist/*.mjs.map' })
  expect(deployAction[at - 1]?.run).toMatch(/^sha=\$\(git rev-parse HEAD\)\necho "sha=\$sha" >>/)
})

const shellScripts = ['.ci', 'scripts']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => !file.endsWith('.ts'))
  .map((file) => readFileSync(file, 'utf8'))

/** Lines of shell scripts and of steps. */
const lines = [...shellScripts, ...files.map(([, text]) => text)].flatMap((text) =>
  text.split('\n').map((line) => line.trim()),
)

const stateOfRequest =
  `state=$(gh pr view "\${stage#pr-}" --repo "$GITHUB_REPOSITORY" ` +
  '--json state --jq .state) || failed=1'

/** The lines that go on where something fails, and why they may. */
const forgiven: Readonly<Record<string, string>> = {
  'npx embed-access keys public --stage "$STAGE" || npx embed-access keys init --stage "$STAGE"':
    'init refuses where there are keys',
  'npx sst unlock --stage "$STAGE" || echo "$STAGE was not locked."': 'most are not locked',
  'npx sst unlock --stage "$stage" || echo "$stage was not locked."': 'most are not locked',
  'continue-on-error: true': 'the plan and both steps that look for drift, which stop no rollback',
  [stateOfRequest]: 'the others are removed, and the script fails at its end',
  'CLOSED | MERGED) scripts/remove-stage "$stage" || failed=1 ;;': 'the same',
  'pr-*) [[ $kept == *" $stage "* ]] || echo "$stage $arn" ;;': 'a question',
  '[ "${2-}" != --empty ] || grep -q \'No changes\' <<< "$plan"': 'a question',
  '[ "${2-}" != --again ] || scripts/last-good-commit production --is "$commit"': 'a question',
}

test('nothing that fails is passed over, but for a reason', () => {
  const script = lines.filter((line) => !/^(#|(- )?if:|AGAIN:|group:)/.test(line))
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

test('every call of SST names its stage', () => {
  const calls = lines.flatMap((line) => line.match(/npx sst .*/g) ?? [])
  expect(calls.length).toBeGreaterThan(5)
  for (const call of calls) expect(call).toMatch(/^npx sst [a-z]+ --stage \S+/)
})

/** Each job with an environment, and the job that tests before it. */
const privileged: Readonly<Record<string, readonly [environment: string, tests?: string]>> = {
  'cleanup previews': ['pr'],
  'client publish': ['npm', 'test'],
  'deploy staging': ['staging', 'checks'],
  'deploy plan': ['plan-production', 'checks'],
  'deploy production': ['production', 'checks'],
  'preview deploy': ['pr', 'checks'],
  'preview remove': ['pr'],
  'rotate-keys rotate': [`keys-${expression('matrix.stage')}`],
}

test('what publishes or deploys needs the jobs that test, in the environment for it', () => {
  const found = jobs.flatMap(([name, { environment, needs = [] }]) =>
    environment === undefined
      ? []
      : [[name, environment.name ?? environment, [needs].flat()] as const],
  )
  expect(found.map(([name, environment]) => [name, environment])).toEqual(
    Object.entries(privileged).map(([name, [environment]]) => [name, environment]),
  )
  for (const [name, , needs] of found) {
    const tests = privileged[name]?.[1]
    if (tests) expect(needs, name).toContain(tests)
  }
  const { steps } = workflow('client').jobs.test
  expect(steps.at(-1).run).toMatch(/^npm test/)
})

/** How a job makes sure that a commit is one of main, where more than main can start it. */
const onMain: Readonly<Record<string, RegExp>> = {
  'deploy commit': /^sha=\$\(scripts\/commit-to-deploy /,
  'client commit': /^git merge-base --is-ancestor "\$GITHUB_SHA" origin\/main$/,
}

test('what a tag or a person starts is privileged only for a commit of main', () => {
  for (const [name, { on, jobs: all }] of workflows) {
    if (on.push === undefined && on.workflow_dispatch?.inputs === undefined) continue
    for (const [job, { environment, needs = [] }] of Object.entries<Written>(all))
      if (environment !== undefined) expect([needs].flat(), `${name} ${job}`).toContain('commit')
  }
  for (const [name, command] of Object.entries(onMain)) {
    const job = jobs.find(([each]) => each === name)?.[1]
    const [checkout, check, ...more] = job.steps
    expect([job.if, job['continue-on-error'], check.if, more], name).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ])
    expect(checkout.with, name).toEqual({ 'fetch-depth': 0, 'persist-credentials': false })
    expect(check.run).toMatch(command)
  }
})

/** Actions of ours that install the packages of the lockfile, and so do those that use them. */
const installing = ['./.github/actions/setup', './.github/actions/deploy']

test('whatever runs a program of a package has installed those of the lockfile before', () => {
  const action = (name: string): Written[] =>
    parse(readFileSync(`.github/actions/${name}/action.yml`, 'utf8')).runs.steps
  expect(action('setup').filter(({ run, if: when }) => run === 'npm ci' && !when)).toHaveLength(1)
  expect(deployAction[0]?.uses).toBe(installing[0])
  for (const [name, { steps }] of jobs) {
    const runs = (steps as Written[]).findIndex(({ run = '' }) =>
      /^ *(\w+=\$\()?(npx|npm (run|test|pack)|\.ci\/run|scripts\/(plan|remove)|node cli\/)/m.test(
        run,
      ),
    )
    if (runs === -1 || steps[runs].run === '.ci/run') continue
    const before = (steps as Written[]).slice(0, runs)
    expect(
      before.some(({ uses, run }) => run === 'npm ci' || installing.includes(uses)),
      name,
    ).toBe(true)
  }
})

/** What each step needs of the permissions of GitHub's token. */
const permitted = ({ uses = '', run = '', with: given = {} }: Written): object => ({
  ...(/checkout@|\/checks\.yml$/.test(uses) && { contents: 'read' }),
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
  if (!job.permissions) return
  expect(job.permissions).toEqual(Object.assign({}, ...job.steps.map(permitted)))
})

testAll(jobs, 'reads only of jobs that it needs, and of steps of its own', (job, name) => {
  const [file = ''] = name.split(' ')
  const text = JSON.stringify(job)
  const needed = [job.needs ?? []].flat()
  for (const [, of = '', output = ''] of text.matchAll(/\bneeds\.([\w-]+)\.outputs\.([\w-]+)/g)) {
    expect(needed).toContain(of)
    expect(workflow(file).jobs[of].outputs).toHaveProperty(output)
  }
  const ids = job.steps.map(({ id }: Written) => id)
  for (const [, id] of text.matchAll(/\bsteps\.([\w-]+)\./g)) expect(ids).toContain(id)
})

testAll(jobs, 'checks out what it may, and installs from the lockfile', (job, name) => {
  const [file] = name.split(' ')
  const refs: Readonly<Record<string, readonly unknown[]>> = {
    checks: [expression('inputs.ref')],
    deploy: ['needs.commit.outputs.sha', 'steps.good.outputs.sha'].map(expression),
    preview: [undefined, expression('github.event.pull_request.base.ref')],
  }
  const whole = name in onMain ? { 'fetch-depth': 0 } : {}
  for (const step of job.steps) {
    if (step.uses?.startsWith('actions/checkout@')) {
      const { ref, ...others } = step.with
      expect(others).toEqual({ 'persist-credentials': false, ...whole })
      expect(name === 'deploy commit' ? [undefined] : (refs[file ?? ''] ?? [undefined])).toContain(
        ref,
      )
    }
    for (const line of (step.run ?? '').split('\n'))
      if (/^(npm|npx|pipx)\b/.test(line))
        expect(
          allowedCommands.some((command) => command.test(line)),
          line,
        ).toBe(true)
  }
})

const allowedCommands = [
  /^npm (ci$|run |test |audit|pkg set |pack$|publish \.\/)/,
  /^npx (sst|embed-access|--no-install) /,
  /^pipx run (--spec )?[\w-]+==[\d.]+ /,
]

const ownActions = files.flatMap(([file, text]) =>
  file.startsWith('actions/')
    ? [[`./.github/${file.replace('/action.yml', '')}`, text] as const]
    : [],
)

testAll(ownActions, 'uses each of its inputs, and is given no others', (text, path) => {
  const declared = Object.keys(parse(text).inputs)
  const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name)
  expect([...new Set(used)].sort()).toEqual(declared.toSorted())
  const given = [...jobs.flatMap(([, { steps }]) => steps), ...deployAction].flatMap(
    ({ uses, with: inputs = {} }: Written) => (uses === path ? Object.keys(inputs) : []),
  )
  expect(given.filter((name) => !declared.includes(name))).toEqual([])
  // A step that takes an optional input runs only where somebody gives it.
  const optional = Object.entries<Written>(parse(text).inputs).filter(
    ([, { required, default: otherwise }]) => !required && otherwise !== '24',
  )
  for (const step of parse(text).runs.steps)
    for (const [name] of optional)
      if (
        JSON.stringify(step.with ?? step).includes(`inputs.${name} `) &&
        !installing.includes(step.uses)
      )
        expect(step.if, name).toMatch(/^inputs\.[\w-]+ [!=]= '(true)?'$/)
  // Nothing is done that nobody asks for.
  for (const { default: otherwise } of Object.values<Written>(parse(text).inputs))
    expect([undefined, '', '24', 'false']).toContain(otherwise)
})

/** What no two runs do at once, for each job that changes something. */
const oneAtATime: Readonly<Record<string, string>> = {
  'cleanup previews': 'cleanup',
  'deploy staging': 'deploy-staging',
  'deploy production': 'deploy-production',
  'preview deploy': `preview-${expression('github.event.number')}`,
  'preview remove': `preview-${expression('github.event.number')}`,
  'rotate-keys rotate': 'rotate-keys',
}

test('jobs of one group agree whether a newer one cancels them', () => {
  const all = jobs.flatMap(([, { concurrency }]) => concurrency ?? [])
  const byGroup = new Map(all.map((each) => [each.group, each]))
  for (const each of all) expect(each).toEqual(byGroup.get(each.group))
})

test('jobs that change the same never run at once, and none of them is cancelled', () => {
  for (const [name, group] of Object.entries(oneAtATime)) {
    const [file = ''] = name.split(' ')
    const job = jobs.find(([each]) => each === name)?.[1]
    const all = [job.concurrency, workflow(file).concurrency].filter((each) => each !== undefined)
    expect(all, name).toEqual([{ group }])
  }
})

testAll(jobs, 'runs on a system by its version, for all that a matrix names', (job, name) => {
  if (!job.uses) expect(job['runs-on']).toMatch(/^(ubuntu-24\.04|\$\{\{ matrix\.os \}\})$/)
  const { folder, node } = job.strategy?.matrix ?? {}
  if (folder) expect(folder).toEqual(Object.keys(folders))
  const asksNode = /matrix\.node/.test(JSON.stringify(job.steps))
  expect(node, name).toEqual(
    asksNode ? (name.startsWith('client') ? [22, 24] : [20, 22, 24]) : undefined,
  )
})

test('the client is published under the tag of its version', () => {
  const { steps } = workflow('client').jobs.publish
  const runs = steps.map(({ run = '' }: Written) => run).join('\n')
  expect(runs).toContain('test "$GITHUB_REF_NAME" = "client-v$version"')
})

/** When a step runs that does not always run. */
const conditions = [
  "vars.AWS_ROLE_ARN != ''",
  "vars.ROTATE_AFTER != ''",
  "vars.SMOKE_DEPLOYMENT != ''",
  "failure() && (steps.keyless.outcome == 'failure' || steps.smoke.outcome == 'failure')",
  "failure() && steps.good.outputs.sha != ''",
  "failure() && steps.again.outcome == 'success'",
]

test('steps run always, but on the conditions that are named', () => {
  const found = jobs.flatMap(([, { steps }]) => steps.flatMap(({ if: when = [] }: Written) => when))
  expect([...new Set(found)].sort()).toEqual(conditions.toSorted())
})

test('.ci/run does what CONTRIBUTING says', () => {
  const [, row = ''] =
    /^\| `\.ci\/run` \| (.*?):/m.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? []
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
  expect(commands).toEqual([
    'set -euo pipefail',
    'cd "$(dirname "$0")/.."',
    ...row.split(', ').map((command) => command.replaceAll('`', '')),
  ])
})

describe('the deployment of main', () => {
  const { on, jobs } = workflow('deploy')

  test('begins with every commit, or by hand with a stage and a commit', () => {
    expect(on.push).toEqual({ branches: ['main'] })
    expect(on.workflow_dispatch.inputs).toMatchObject({
      stage: { required: true },
      redeploy: { default: false },
    })
    const ref = expression('needs.commit.outputs.sha')
    expect(jobs.checks.with).toEqual({ ref })
    for (const { steps } of [jobs.staging, jobs.plan, jobs.production])
      expect(steps[0].with.ref).toBe(ref)
    expect(jobs.commit.outputs).toEqual({ sha: expression('steps.commit.outputs.sha') })
  })

  test('goes from checks to staging, a plan and production, and stops where one fails', () => {
    const notStaging = expression("!cancelled() && !failure() && inputs.stage != 'staging'")
    expect(jobs).toMatchObject({
      checks: { needs: 'commit', if: expression('!inputs.redeploy') },
      staging: {
        needs: ['commit', 'checks'],
        if: expression("!cancelled() && !failure() && inputs.stage != 'production'"),
      },
      // Without a plan a rollback must still go.
      plan: {
        needs: ['commit', 'checks', 'staging'],
        if: notStaging,
        environment: 'plan-production',
        'continue-on-error': true,
      },
      production: { needs: ['commit', 'checks', 'staging', 'plan'], if: notStaging },
    })
    expect(jobs.plan.steps.at(-1).run).toBe('scripts/plan production >> "$GITHUB_STEP_SUMMARY"')
  })

  test('gives both stages the same settings, and production no demo and no unlocking', () => {
    const code = readFileSync('stacks/settings.ts', 'utf8')
    const names = (code.match(/^ {2}[A-Z_]+(?=:)/gm) ?? []).map((name) => name.trim())
    const { EDGE_SECRET, RUNBOOK_URL, ...variables } = jobs.staging.env
    const own = [
      'AWS_ACCOUNT',
      ...names.filter((name) => !/^(AWS_REGION|EDGE_SECRET|RUNBOOK_URL)$/.test(name)),
    ]
    expect(variables).toEqual(
      Object.fromEntries(own.map((name) => [name, expression(`vars.${name}`)])),
    )
    expect(EDGE_SECRET).toBe(expression('secrets.EDGE_SECRET'))
    expect(RUNBOOK_URL).toMatch(/\/blob\/main\/docs\/operations\.md$/)
    expect([jobs.plan.env, jobs.production.env]).toEqual([jobs.staging.env, jobs.staging.env])
    const place = { role: expression('vars.AWS_ROLE_ARN'), region: expression('vars.AWS_REGION') }
    const url = expression('steps.deploy.outputs.url')
    for (const stage of ['staging', 'production']) {
      const demo = stage === 'staging' && { 'demo-catalog': 'true' }
      expect(jobs[stage].environment).toEqual({ name: stage, url })
      expect(jobs[stage].steps[1].with).toEqual({ stage, ...place, ...demo })
    }
  })

  test('notes the commit as good once its smoke tests have passed', () => {
    const runs: string[] = jobs.production.steps.map(({ run = '' }: Written) => run)
    const record = runs.findLastIndex((run) => run.endsWith('smoke "$URL"')) + 1
    expect(
      runs.flatMap((run, index) => (run.endsWith('production --record') ? [index] : [])),
    ).toEqual([record])
    expect(jobs.production.steps[record].if).toBeUndefined()
    expect(jobs.production.permissions.deployments).toBe('write')
  })

  test('tries production without a key, and deploys the last good commit if that fails', () => {
    const steps: Written[] = jobs.production.steps
    const at = (id: string) => steps.findIndex((step) => step.id === id)
    expect(steps[at('keyless')]?.run).toBe('npx embed-access smoke "$URL" --keyless')
    const ifFound = "failure() && steps.good.outputs.sha != ''"
    expect(steps.slice(at('good'), at('good') + 3)).toMatchObject([
      {
        if: "failure() && (steps.keyless.outcome == 'failure' || steps.smoke.outcome == 'failure')",
        run: 'sha=$(scripts/last-good-commit production)\necho "sha=$sha" >> "$GITHUB_OUTPUT"\n',
      },
      { if: ifFound, with: { ref: expression('steps.good.outputs.sha') } },
      { if: ifFound, uses: './.github/actions/deploy', with: steps[at('deploy')]?.with },
    ])
  })
})

describe('previews', () => {
  const { jobs } = workflow('preview')
  const number = expression('github.event.number')

  test('are deployed for pull requests of this repository alone, and unlocked before', () => {
    const ofThisRepository = 'github.event.pull_request.head.repo.full_name == github.repository'
    expect([jobs.deploy.if, jobs.remove.if]).toEqual([ofThisRepository, ofThisRepository])
    const asked = {
      stage: `pr-${number}`,
      'new-signing-keys': 'true',
      unlock: 'true',
      'demo-catalog': 'true',
    }
    expect(jobs.deploy.steps[1].with).toMatchObject(asked)
    const at = (command: string) => deployAction.findIndex(({ run }) => run?.startsWith(command))
    expect(at('npx sst unlock')).toBeLessThan(at('npx sst deploy'))
    expect(deployAction[at('npx sst unlock')]?.if).toBe("inputs.unlock == 'true'")
  })

  test('are removed when their pull request closes, and by night if that failed', () => {
    expect(jobs.remove.steps.at(-1)).toMatchObject({
      run: 'scripts/remove-stage "$STAGE"',
      env: { STAGE: `pr-${number}` },
    })
    const { on, jobs: ofCleanup } = workflow('cleanup')
    expect(on.schedule).toHaveLength(1)
    expect(ofCleanup.previews.environment).toBe('pr')
    expect(ofCleanup.previews.steps.at(-1).run).toBe('scripts/remove-closed-previews')
  })
})

test('keys of production and staging rotate by night, if a setting says so', () => {
  const { on, jobs } = workflow('rotate-keys')
  expect(on.schedule).toHaveLength(1)
  const { strategy, environment, steps } = jobs.rotate
  expect(strategy).toEqual({ 'fail-fast': false, matrix: { stage: ['production', 'staging'] } })
  expect(environment).toBe(`keys-${expression('matrix.stage')}`)
  for (const step of steps.slice(1)) expect(step.if).toBe("vars.ROTATE_AFTER != ''")
  expect(steps.at(-1)).toMatchObject({
    run: 'node cli/embed-access.ts keys rotate --stage "$STAGE" --older-than "$ROTATE_AFTER"',
    env: { STAGE: expression('matrix.stage'), ROTATE_AFTER: expression('vars.ROTATE_AFTER') },
  })
})

test('whatever has a schedule runs every night, each at a time of its own', () => {
  const crons = workflows.flatMap(
    ([, { on }]) => on.schedule?.map(({ cron }: Written) => cron) ?? [],
  )
  expect(crons.filter((cron) => !/^\d+ [2-4] \* \* \*$/.test(cron))).toEqual([])
  expect(new Set(crons).size).toBe(crons.length)
})
