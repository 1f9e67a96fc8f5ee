import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const files = readdirSync('.github', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml') && file !== 'dependabot.yml')
  .map((file) => [file, readFileSync(join('.github', file), 'utf8')] as const)

test('there are workflows for previews and for main', () => {
  const names = files.map(([file]) => file)
  for (const name of ['preview.yml', 'deploy.yml']) expect(names).toContain(`workflows/${name}`)
})

test.each(files)('%s takes its actions by commit, with their version, and stores no AWS keys', (_, text) => {
  for (const [, action] of text.matchAll(/uses: (.*)/g)) {
    expect(action).toMatch(/^(\.\/[\w/.-]+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
  }
  expect(text).not.toMatch(/aws-access-key-id|aws-secret-access-key|pull_request_target/)
})

test.each(files)('%s puts nothing of an event into a script but through its environment', (_, text) => {
  for (const [, script] of text.matchAll(/^ *(?:- )?run: ?(.*(?:\n {10,}\S.*)*)/gm)) expect(script).not.toContain('${{')
})

test('every pull request is tried in a browser, by a job without secrets', () => {
  const [, preview = ''] = files.find(([file]) => file === 'workflows/preview.yml') ?? []
  const [job = '', ...others] = preview
    .split(/^(?= {2}[\w-]+:$)/m)
    .filter((job) => job.includes('npm run prove -- browser'))
  expect(others).toEqual([])
  expect(job).toContain('\n      - run: npm ci\n')
  expect(job).toMatch(/^ {4}permissions:\n {6}contents: read\n {4}\S/m)
  expect(job).toContain("\n    if: github.event.action != 'closed'\n")
  expect(job).not.toMatch(/secrets\.|github\.token|id-token|environment:/)
})

/** The jobs of all workflows, and the actions of our own, each as its text. */
const jobs = files.flatMap(([file, text]) => (file.startsWith('actions/') ? [text] : text.split(/^(?= {2}[\w-]+:$)/m)))

test('no package runs an install script where credentials of AWS can be had', () => {
  const privileged = jobs.filter((job) => /id-token: write|role-to-assume:/.test(job))
  expect(privileged.length).toBeGreaterThan(3)
  for (const job of privileged) {
    expect(job.match(/npm (ci|install|i|rebuild)\b(?! --ignore-scripts$).*/gm) ?? []).toEqual([])
    for (const [step] of job.matchAll(/npx sst (?:deploy|remove)[\s\S]*?(?=\n {4,6}- |$)/g)) {
      expect(step).toContain("NPM_CONFIG_IGNORE_SCRIPTS: 'true'")
    }
  }
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

/** @example expression('vars.DOMAIN') // GitHub puts the value there */
const expression = (of: string): string => `\${{ ${of} }}`

// biome-ignore lint/suspicious/noExplicitAny: a workflow as it is written
const workflow = (name: string): any => parse(readFileSync(join('.github/workflows', `${name}.yml`), 'utf8'))

describe('the deployment of main', () => {
  const { on, jobs, concurrency } = workflow('deploy')

  test('begins with every commit, or by hand with a stage and a commit', () => {
    expect(on.push).toEqual({ branches: ['main'] })
    const { stage, ref, redeploy } = on.workflow_dispatch.inputs
    expect([stage.options, stage.required]).toEqual([['staging', 'production'], true])
    expect([ref.type, redeploy.type, redeploy.default]).toEqual(['string', 'boolean', false])
    for (const { steps } of Object.values<{ steps: { uses?: string; with?: object }[] }>(jobs)) {
      expect(steps[0]).toEqual({
        uses: expect.stringMatching(/^actions\/checkout@/),
        with: { ref: expression('inputs.ref'), 'persist-credentials': false },
      })
    }
  })

  test('goes from tests and browser to staging to production, and stops where one fails', () => {
    expect(jobs.staging.needs).toEqual(['test', 'browser'])
    expect(jobs.production.needs).toEqual(['test', 'browser', 'staging'])
    expect(jobs.staging.if).toBe(expression("!cancelled() && !failure() && inputs.stage != 'production'"))
    expect(jobs.production.if).toBe(expression("!cancelled() && !failure() && inputs.stage != 'staging'"))
    expect([jobs.test.if, jobs.browser.if]).toEqual([expression('!inputs.redeploy'), expression('!inputs.redeploy')])
    expect(jobs.test.steps.at(-1).run).toBe('.ci/run')
    expect(jobs.browser.steps.at(-1).run).toBe('npm run prove -- browser')
  })

  test('waits in a line for each stage, so production holds up nothing', () => {
    expect(concurrency).toBeUndefined()
    expect(jobs.staging.concurrency).toEqual({ group: 'deploy-staging' })
    expect(jobs.production.concurrency).toEqual({ group: 'deploy-production' })
  })

  test('gives both stages the same settings', () => {
    const names = [
      'AWS_ACCOUNT',
      'DOMAIN',
      'DOMAIN_CERTIFICATE_ARN',
      'CORS_ORIGINS',
      'ALARM_EMAIL',
      'CATALOG_EVENT_BUS',
      'CATALOG_SENDERS',
      'AUDIENCE',
      'TOKEN_LIFETIME_SECONDS',
      'MAX_TOKEN_BYTES',
      'RATE_LIMIT',
      'EXCHANGE_RATE_LIMIT',
      'PUBLIC_RATE_LIMIT',
      'SESSIONS_WARM_THROUGHPUT',
    ]
    const expected = {
      ...Object.fromEntries(names.map((name) => [name, expression(`vars.${name}`)])),
      RUNBOOK_URL: `${expression('github.server_url')}/${expression('github.repository')}/blob/main/docs/operations.md`,
    }
    expect(jobs.staging.env).toEqual(expected)
    expect(jobs.production.env).toEqual(expected)
    for (const stage of ['staging', 'production'] as const) {
      expect(jobs[stage].environment).toEqual({ name: stage, url: expression('steps.deploy.outputs.url') })
      expect(jobs[stage].steps[1].with).toMatchObject({
        stage,
        role: expression('vars.AWS_ROLE_ARN'),
        region: expression('vars.AWS_REGION'),
      })
    }
    expect(jobs.production.steps[1].with).not.toHaveProperty('demo-catalog')
  })

  test('tries production without a key, and deploys the last good commit if that fails', () => {
    type Step = { id?: string; if?: string; run?: string; uses?: string; with?: Record<string, string>; env?: object }
    const steps: Step[] = jobs.production.steps
    const step = (id: string) => steps.find((step) => step.id === id)
    expect(step('keyless')).toEqual({
      id: 'keyless',
      run: 'npm run --silent smoke -- "$URL" --keyless',
      env: { URL: expression('steps.deploy.outputs.url') },
    })
    expect(step('good')).toMatchObject({
      if: "failure() && (steps.keyless.outcome == 'failure' || steps.smoke.outcome == 'failure')",
      run: 'echo "sha=$(.ci/last-good-commit production)" >> "$GITHUB_OUTPUT"',
    })
    const [checkout, again] = steps.slice(steps.indexOf(step('good') as Step) + 1)
    const ifFound = "failure() && steps.good.outputs.sha != ''"
    expect(checkout).toMatchObject({ if: ifFound, with: { ref: expression('steps.good.outputs.sha') } })
    expect(again).toMatchObject({ if: ifFound, uses: './.github/actions/deploy', with: step('deploy')?.with })
  })
})

describe('previews', () => {
  const { jobs, concurrency } = workflow('preview')
  const ofThisRepository = 'github.event.pull_request.head.repo.full_name == github.repository'

  test('are deployed after tests and browser, for pull requests of this repository alone', () => {
    expect(jobs.deploy.needs).toEqual(['test', 'browser'])
    expect(jobs.deploy.if).toBe(ofThisRepository)
    expect([jobs.test.if, jobs.browser.if]).toEqual(Array(2).fill("github.event.action != 'closed'"))
    expect(concurrency).toEqual({ group: `preview-${expression('github.event.number')}` })
    expect(jobs.deploy.steps[1].with).toEqual({
      stage: `pr-${expression('github.event.number')}`,
      role: expression('vars.AWS_ROLE_ARN'),
      region: expression('vars.AWS_REGION'),
      'new-signing-keys': 'true',
      unlock: 'true',
      'demo-catalog': 'true',
    })
  })

  test('are removed when their pull request closes, and by night if that failed', () => {
    expect(jobs.remove.if).toBe(`github.event.action == 'closed' && ${ofThisRepository}`)
    expect(jobs.remove.steps.at(-1)).toMatchObject({
      run: '.ci/remove-stage "$STAGE"',
      env: { STAGE: `pr-${expression('github.event.number')}` },
    })
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
  const [, , ...steps] = all
  expect(steps).toHaveLength(3)
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
    for (const [name, job] of Object.entries<{ 'timeout-minutes'?: number }>(parse(text).jobs)) {
      expect(job['timeout-minutes'], `${file} ${name}`).toBeGreaterThan(0)
    }
  }
})

test('actions and packages are kept up to date', () => {
  const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8'))
  expect(updates.map((update: Record<string, unknown>) => update['package-ecosystem'])).toEqual([
    'github-actions',
    'npm',
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

describe('.ci/remove-stage', () => {
  test('unlocks, removes, and takes the keys away', () => {
    const { status, changes } = scripted('.ci/remove-stage', ['pr-7'], bootstrap)
    expect([status, changes]).toEqual([
      0,
      ['npx sst unlock --stage pr-7', 'npx sst remove --stage pr-7', 'npm run --silent keys -- remove --stage pr-7'],
    ])
  })

  test('is content where there never was such a stage', () => {
    const { status, changes } = scripted('.ci/remove-stage', ['pr-7'], {
      ...bootstrap,
      'aws s3api head-object': 'exit 1',
    })
    expect([status, changes]).toEqual([0, ['npm run --silent keys -- remove --stage pr-7']])
  })

  test.each(['production', 'staging', 'pr-', '../x'])('does not remove %s', (stage) => {
    const { status, changes } = scripted('.ci/remove-stage', [stage], bootstrap)
    expect([status, changes]).toEqual([1, []])
  })
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

test('.ci/last-good-commit prints the newest commit whose deployment succeeded', () => {
  const { stdout } = scripted('.ci/last-good-commit', ['production'], {
    'gh api repos/org/repo/deployments?': "printf '3\n2\n1\n'",
    'gh api repos/org/repo/deployments/3/statuses': "printf 'failure\nin_progress\n'",
    'gh api repos/org/repo/deployments/2/statuses': "printf 'inactive\nsuccess\n'",
    'gh api repos/org/repo/deployments/2 ': 'echo 2222222',
  })
  expect(stdout).toBe('2222222\n')
})
