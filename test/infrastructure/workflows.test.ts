import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const files = readdirSync('.github', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml') && file !== 'dependabot.yml')
  .map((file) => [file, readFileSync(join('.github', file), 'utf8')] as const)

test.each(files)('%s takes its actions by commit, with their version, and stores no AWS keys', (_, text) => {
  for (const [, action] of text.matchAll(/uses: (.*)/g)) {
    expect(action).toMatch(/^(\.\/[\w/.-]+|[\w-]+\/[\w-]+(?:\/\w+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
  }
  expect(text).not.toMatch(/aws-access-key-id|aws-secret-access-key|pull_request_target/)
})

test.each(files)('%s puts nothing of an event into a script but through its environment', (_, text) => {
  for (const [, script] of text.matchAll(/^ *(?:- )?run: ?(.*(?:\n {10,}\S.*)*)/gm)) expect(script).not.toContain('${{')
})

/** @example expression('vars.DOMAIN') // GitHub puts the value there */
const expression = (of: string): string => `\${{ ${of} }}`

// biome-ignore lint/suspicious/noExplicitAny: a workflow as it is written
const workflow = (name: string): any => parse(readFileSync(join('.github/workflows', `${name}.yml`), 'utf8'))

/** The jobs of all workflows, and the actions of our own, each as its text. */
const jobs = files.flatMap(([file, text]) => (file.startsWith('actions/') ? [text] : text.split(/^(?= {2}[\w-]+:$)/m)))

test('what is deployed has passed the tests and a browser, in jobs without secrets', () => {
  const checks = workflow('checks')
  expect(checks.permissions).toEqual({ contents: 'read' })
  expect(Object.values<{ steps: { run: string }[] }>(checks.jobs).map(({ steps }) => steps.at(-1)?.run)).toEqual([
    '.ci/run',
    'npm run prove -- browser',
  ])
  for (const { steps, permissions, environment } of Object.values<Record<string, unknown>[][0]>(checks.jobs)) {
    expect([permissions, environment]).toEqual([undefined, undefined])
    expect(JSON.stringify(steps)).not.toMatch(/secrets\.|github\.token/)
  }
  for (const name of ['preview', 'deploy']) {
    expect(workflow(name).jobs.checks.uses).toBe('./.github/workflows/checks.yml')
    expect(workflow(name).jobs.checks.secrets).toBeUndefined()
  }
})

test('no package runs an install script where credentials of AWS or npm can be had', () => {
  const privileged = files.flatMap(([file, text]) => {
    if (!file.startsWith('workflows/')) return []
    const { env, jobs } = parse(text)
    return Object.entries<{ permissions?: object; env?: object }>(jobs)
      .filter(([, job]) => 'id-token' in (job.permissions ?? {}))
      .map(([name, job]) => [`${file} ${name}`, { ...env, ...job.env }.NPM_CONFIG_IGNORE_SCRIPTS])
  })
  expect(privileged.length).toBeGreaterThan(5)
  expect(privileged.filter(([, ignoreScripts]) => ignoreScripts !== 'true')).toEqual([])
})

test('no stage has the API keys of the demo catalog, which are in the repository', () => {
  for (const job of jobs.filter((job) => job.includes('local/demo/catalog.ndjson'))) {
    expect(job).not.toContain('import local/demo/catalog.ndjson')
    expect(job).toContain('if .kind == "apiKey" then {kind, op: "delete", revision: 2,')
    expect(job).toContain('keys -- create')
  }
  // Without a key of its own the smoke test would use that of the demo catalog.
  for (const [step] of files.flatMap(([, text]) => [
    ...text.matchAll(/run: npm run --silent smoke -- "\$URL"\n[\s\S]*?(?=\n {6}- |$)/g),
  ])) {
    expect(step).toMatch(/SMOKE_KEY: \$\{\{ (steps\.deploy\.outputs\.smoke-key|secrets\.SMOKE_KEY) \}\}/)
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

describe('the deployment of main', () => {
  const { on, jobs, concurrency } = workflow('deploy')

  test('begins with every commit, or by hand with a stage and a commit', () => {
    expect(on.push).toEqual({ branches: ['main'] })
    expect(on.workflow_dispatch.inputs).toMatchObject({
      stage: { options: ['staging', 'production'], required: true },
      ref: { type: 'string' },
      redeploy: { type: 'boolean', default: false },
    })
    expect(jobs.checks.with).toEqual({ ref: expression('inputs.ref') })
    const ofChecks = Object.values<typeof jobs>(workflow('checks').jobs)
    for (const { steps } of [jobs.staging, jobs.plan, jobs.production, ...ofChecks]) {
      expect(steps[0]).toEqual({
        uses: expect.stringMatching(/^actions\/checkout@/),
        with: { ref: expression('inputs.ref'), 'persist-credentials': false },
      })
    }
  })

  test('goes from checks to staging to a plan to production, and stops where one fails', () => {
    const notStaging = expression("!cancelled() && !failure() && inputs.stage != 'staging'")
    expect(jobs).toMatchObject({
      checks: { if: expression('!inputs.redeploy') },
      staging: { needs: 'checks', if: expression("!cancelled() && !failure() && inputs.stage != 'production'") },
      plan: { needs: ['checks', 'staging'], if: notStaging },
      production: { needs: ['checks', 'staging', 'plan'], if: notStaging },
    })
  })

  test('shows reviewers what production will become, by a job that needs no approval', () => {
    // Without a plan a rollback must still go.
    expect(jobs.plan).toMatchObject({
      environment: 'plan-production',
      env: jobs.production.env,
      'continue-on-error': true,
    })
    expect(jobs.plan.steps.at(-1).run).toBe('.ci/plan production >> "$GITHUB_STEP_SUMMARY"')
  })

  test('says if another deployment would still change staging, and goes on', () => {
    expect(jobs.staging.steps.at(-1)).toEqual({
      id: 'settled',
      'continue-on-error': true,
      run: 'npx sst refresh --stage staging\n.ci/plan staging --empty >> "$GITHUB_STEP_SUMMARY"\n',
    })
    expect(jobs.staging.outputs.settled).toBe(expression('steps.settled.outcome'))
    expect(jobs.settled.if).toBe(expression("!cancelled() && needs.staging.outputs.settled == 'failure'"))
    expect(jobs.settled.steps.at(-1).run).toContain('exit 1')
  })

  test('waits in a line for each stage, so production holds up nothing', () => {
    expect(concurrency).toBeUndefined()
    expect(jobs.staging.concurrency).toEqual({ group: 'deploy-staging' })
    expect(jobs.production.concurrency).toEqual({ group: 'deploy-production' })
  })

  test('gives both stages the same settings, and production no demo catalog', () => {
    const code = readFileSync('stacks/settings.ts', 'utf8')
    const others = ['AWS_REGION', 'EDGE_SECRET', 'RUNBOOK_URL']
    const names = (code.match(/^ {2}[A-Z_]+(?=:)/gm) ?? []).map((name) => name.trim())
    const variables = ['AWS_ACCOUNT', ...names.filter((name) => !others.includes(name))]
    const env = {
      ...Object.fromEntries(variables.map((name) => [name, expression(`vars.${name}`)])),
      EDGE_SECRET: expression('secrets.EDGE_SECRET'),
      RUNBOOK_URL: `${expression('github.server_url')}/${expression('github.repository')}/blob/main/docs/operations.md`,
    }
    const place = { role: expression('vars.AWS_ROLE_ARN'), region: expression('vars.AWS_REGION') }
    for (const stage of ['staging', 'production'] as const) {
      expect(jobs[stage].env).toEqual(env)
      expect(jobs[stage].environment).toEqual({ name: stage, url: expression('steps.deploy.outputs.url') })
      expect(jobs[stage].steps[1].with).toMatchObject({ stage, ...place })
    }
    expect(jobs.production.steps[1].with).not.toHaveProperty('demo-catalog')
  })

  test('notes the commit as good once its smoke tests have passed', () => {
    const runs: (string | undefined)[] = jobs.production.steps.map(({ run }: { run?: string }) => run)
    const [record, ...others] = runs.flatMap((run, index) => (run?.endsWith('production --record') ? [index] : []))
    expect([record, others]).toEqual([runs.findLastIndex((run) => run?.endsWith('smoke -- "$URL"')) + 1, []])
    expect(jobs.production.steps[record as number].if).toBeUndefined()
    expect(jobs.production.permissions.deployments).toBe('write')
  })

  test('tries production without a key, and deploys the last good commit if that fails', () => {
    const steps: { id?: string; with?: object }[] = jobs.production.steps
    const at = (id: string) => steps.findIndex((step) => step.id === id)
    expect(steps[at('keyless')]).toEqual({
      id: 'keyless',
      run: 'npm run --silent smoke -- "$URL" --keyless',
      env: { URL: expression('steps.deploy.outputs.url') },
    })
    const ifFound = "failure() && steps.good.outputs.sha != ''"
    expect(steps.slice(at('good'), at('good') + 3)).toMatchObject([
      {
        if: "failure() && (steps.keyless.outcome == 'failure' || steps.smoke.outcome == 'failure')",
        run: 'echo "sha=$(.ci/last-good-commit production)" >> "$GITHUB_OUTPUT"',
      },
      { if: ifFound, with: { ref: expression('steps.good.outputs.sha') } },
      { if: ifFound, uses: './.github/actions/deploy', with: steps[at('deploy')]?.with },
    ])
  })
})

describe('previews', () => {
  const { jobs, concurrency } = workflow('preview')
  const number = expression('github.event.number')

  test('end checks of an earlier push or a closed pull request, but no deployment', () => {
    const checks = { group: `checks-${number}`, 'cancel-in-progress': true }
    const stage = { group: `preview-${number}` }
    expect(concurrency).toBeUndefined()
    expect(jobs).toMatchObject({
      checks: { if: "github.event.action != 'closed'", concurrency: checks },
      stop: { if: "github.event.action == 'closed'", concurrency: checks },
      deploy: { needs: 'checks' },
      remove: { needs: 'stop' },
    })
    expect([jobs.deploy.concurrency, jobs.remove.concurrency]).toEqual([stage, stage])
  })

  test('are deployed for pull requests of this repository alone', () => {
    const ofThisRepository = 'github.event.pull_request.head.repo.full_name == github.repository'
    expect([jobs.deploy.if, jobs.remove.if]).toEqual([ofThisRepository, ofThisRepository])
    expect(jobs.deploy.steps[1].with).toEqual({
      stage: `pr-${number}`,
      role: expression('vars.AWS_ROLE_ARN'),
      region: expression('vars.AWS_REGION'),
      'new-signing-keys': 'true',
      unlock: 'true',
      'demo-catalog': 'true',
    })
  })

  test('keep the source maps of what they deploy by its commit, as all stages do', () => {
    const { runs } = parse(readFileSync('.github/actions/deploy/action.yml', 'utf8'))
    const at = runs.steps.findIndex(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))
    expect(runs.steps[at].with).toMatchObject({
      name: `source-maps-${expression('steps.commit.outputs.sha')}`,
      path: 'dist/*.mjs.map',
    })
    expect(runs.steps[at - 1].run).toBe('echo "sha=$(git rev-parse HEAD)" >> "$GITHUB_OUTPUT"')
  })

  test('are removed when their pull request closes, and by night if that failed', () => {
    expect(jobs.remove.steps.at(-1)).toMatchObject({ run: '.ci/remove-stage "$STAGE"', env: { STAGE: `pr-${number}` } })
    const cleanup = workflow('cleanup')
    expect(cleanup.on.schedule).toEqual([{ cron: '11 4 * * *' }])
    expect(cleanup.jobs.previews.environment).toBe('pr')
    expect(cleanup.jobs.previews.steps.at(-1).run).toBe('.ci/remove-closed-previews')
  })

  test('lose their lock before they are deployed, unlike staging and production', () => {
    const { runs } = parse(readFileSync('.github/actions/deploy/action.yml', 'utf8'))
    const lines: string[] = runs.steps.map(({ run = '' }) => run)
    const unlock = lines.findIndex((line) => line.startsWith('npx sst unlock'))
    expect(unlock).toBeLessThan(lines.findIndex((line) => line.startsWith('npx sst deploy')))
    expect(runs.steps[unlock].if).toBe("inputs.unlock == 'true'")
    for (const stage of ['staging', 'production']) {
      expect(workflow('deploy').jobs[stage].steps[1].with).not.toHaveProperty('unlock')
    }
  })
})

test('keys of production and staging rotate by night, if a setting says so', () => {
  const { on, jobs } = workflow('rotate-keys')
  expect(on.schedule).toEqual([{ cron: '43 2 * * *' }])
  const { strategy, environment, steps: all } = jobs.rotate
  expect(strategy).toEqual({ 'fail-fast': false, matrix: { stage: ['production', 'staging'] } })
  expect(environment).toBe(`keys-${expression('matrix.stage')}`)
  const [, ...steps] = all
  expect(steps).toHaveLength(2)
  for (const step of steps) expect(step.if).toBe("vars.ROTATE_AFTER != ''")
  expect(steps.at(-1)).toMatchObject({
    run: 'node cli/keys.ts rotate --stage "$STAGE" --older-than "$ROTATE_AFTER"',
    env: { STAGE: expression('matrix.stage'), ROTATE_AFTER: expression('vars.ROTATE_AFTER') },
  })
})

test('every script that a workflow names is there, and every job ends in time', () => {
  for (const [file, text] of files) {
    for (const [script] of text.matchAll(/\.ci\/[\w-]+/g)) expect(statSync(script).mode & 0o111, script).not.toBe(0)
    if (!file.startsWith('workflows/')) continue
    for (const [name, job] of Object.entries<{ 'timeout-minutes'?: number; uses?: string }>(parse(text).jobs)) {
      // A called workflow's own jobs have their limits.
      if (job.uses === undefined) expect(job['timeout-minutes'], `${file} ${name}`).toBeGreaterThan(0)
    }
  }
})

test('actions and packages are kept up to date, a week after they came out', () => {
  const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8'))
  type Update = { 'package-ecosystem': string; cooldown: object }
  expect(updates.map((update: Update) => [update['package-ecosystem'], update.cooldown])).toEqual([
    ['github-actions', { 'default-days': 7 }],
    ['npm', { 'default-days': 7 }],
  ])
})

/** Runs a script of .ci with commands that only note how they were called, and answer by `answers`. */
function scripted(script: string, args: readonly string[], answers: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), 'script-'))
  for (const command of ['aws', 'npx', 'npm', 'gh']) {
    const lines = Object.entries(answers).map(([call, answer]) => `  '${call}'*) ${answer} ;;`)
    writeFileSync(
      join(home, command),
      `#!/bin/sh\ncall="${command} $*"\necho "$call" >> "${home}/calls"\ncase $call in\n${lines.join('\n')}\nesac\n`,
      { mode: 0o755 },
    )
  }
  const { status, stdout, stderr } = spawnSync(script, args, {
    env: { PATH: `${home}:${process.env.PATH}`, GITHUB_REPOSITORY: 'org/repo' },
    encoding: 'utf8',
  })
  const calls = readFileSync(join(home, 'calls'), { encoding: 'utf8', flag: 'a+' }).trim().split('\n')
  rmSync(home, { recursive: true })
  return { status, stdout, stderr, calls, changes: calls.filter((call) => /^np[xm]/.test(call)) }
}

const bootstrap = { 'aws ssm get-parameter': `echo '{"state":"sst-state-x"}'` }

const removed = 'npm run --silent keys -- remove --stage pr-7'

test.each([
  [
    'unlocks, removes, and takes the keys away',
    'pr-7',
    {},
    ['npx sst unlock --stage pr-7', 'npx sst remove --stage pr-7', removed],
  ],
  ['is content where there never was such a stage', 'pr-7', { 'aws s3api head-object': 'exit 1' }, [removed]],
  ['does not remove production', 'production', {}, []],
  ['does not remove staging', 'staging', {}, []],
  ['does not remove a preview without a number', 'pr-', {}, []],
  ['does not remove what is elsewhere', '../x', {}, []],
])('.ci/remove-stage %s', (_, stage, answers, expected) => {
  const { status, changes } = scripted('.ci/remove-stage', [stage], { ...bootstrap, ...answers })
  expect([status, changes]).toEqual([expected.length > 0 ? 0 : 1, expected])
})

test('.ci/remove-closed-previews removes those of closed pull requests', () => {
  const tagged = (stage: string) =>
    `{"ResourceARN":"arn:of:${stage}","Tags":[{"Key":"sst:app","Value":"embed-access"},{"Key":"sst:stage","Value":"${stage}"}]}`
  const { status, stdout, changes } = scripted('.ci/remove-closed-previews', [], {
    ...bootstrap,
    'aws s3api list-objects-v2': "printf 'app/embed-access/pr-7.json\tapp/embed-access/pr-8.json\n'",
    'gh pr view 7': 'echo OPEN',
    'gh pr view 8': 'echo MERGED',
    'aws resourcegroupstaggingapi': `echo '{"ResourceTagMappingList":[${['pr-7', 'pr-8', 'staging'].map(tagged)}]}'`,
  })
  expect(changes).toEqual([
    'npx sst unlock --stage pr-8',
    'npx sst remove --stage pr-8',
    'npm run --silent keys -- remove --stage pr-8',
  ])
  expect(stdout.trim().split('\n').slice(-1)).toEqual(['pr-8 arn:of:pr-8'])
  expect(status).toBe(0)
})

describe('.ci/last-good-commit', () => {
  const deployments = 'gh api repos/org/repo/deployments'

  test('prints the commit of the newest record', () => {
    const { stdout, calls } = scripted('.ci/last-good-commit', ['production'], { [deployments]: 'echo 2222222' })
    expect(stdout).toBe('2222222\n')
    expect(calls).toEqual([`${deployments}?environment=production-good&per_page=1 --jq .[0].sha // empty`])
  })

  test('records the commit that is checked out, whatever branch the job was started for', () => {
    const head = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
    const { status, calls } = scripted('.ci/last-good-commit', ['production', '--record'], {})
    expect([status, calls]).toEqual([
      0,
      [
        `${deployments} -f ref=${head} -f environment=production-good -F auto_merge=false -F required_contexts[] --silent`,
      ],
    ])
  })
})

describe('.ci/plan', () => {
  const plan = (diff: string, ...args: readonly string[]) =>
    scripted('.ci/plan', ['staging', ...args], { 'npx sst diff': diff })

  test('writes what a deployment changes', () => {
    const { status, stdout, calls } = plan("echo '+ Table'")
    expect([status, calls]).toEqual([0, ['npx sst diff --stage staging']])
    expect(stdout).toBe('### What a deployment changes in staging\n\n```\n+ Table\n```\n')
  })

  test('fails if that should be nothing and is not, after it has written it', () => {
    expect(plan("echo '+ Table'", '--empty')).toMatchObject({ status: 1, stdout: expect.stringContaining('+ Table') })
    expect(plan("echo '➜  No changes'", '--empty').status).toBe(0)
  })

  test('fails if SST does', () => {
    expect(plan('exit 1').status).not.toBe(0)
  })
})
