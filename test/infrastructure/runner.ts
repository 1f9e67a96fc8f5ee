import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { type Answers, standIns } from './commands.ts'

/*
 * Runs workflows as GitHub does, as far as ours use it, over commands that only note how they were
 * called: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
 */

// biome-ignore lint/suspicious/noExplicitAny: a workflow, or a part of one, as it is written
export type Written = any

/** What starts a workflow, and what commands answer. Contexts have what is named here. */
export type Start = {
  readonly event?: object
  readonly github?: object
  readonly inputs?: object
  readonly vars?: object
  readonly secrets?: object
  readonly answers?: Answers
  readonly cancelled?: boolean
  /** A job that takes too long, or whose place in its group a job of a later run has taken. */
  readonly stopped?: string
}

type Outcome = 'success' | 'failure' | 'skipped'
type Status = { readonly failed: boolean; readonly skipped?: boolean; readonly cancelled?: boolean }

const read = (path: string): Written => parse(readFileSync(join('.github', path), 'utf8'))

export const workflowNames = readdirSync('.github/workflows').map((file) => file.slice(0, -4))
export const workflowOf = (name: string): Written => read(`workflows/${name}.yml`)
export const actionOf = (name: string): Written => read(`actions/${name}/action.yml`)

/** Whatever it is asked for, it has. */
const having = (value: (name: string) => unknown) =>
  new Proxy({}, { get: (_, name) => value(String(name)), has: () => true })

/** What is not known yet, or never will be, is empty. */
const nothing = { outcome: 'skipped', outputs: having(() => '') }

const contextsOf = ({
  event = {},
  github = {},
  inputs = {},
  vars = {},
  secrets = {},
}: Start): Written => ({
  github: {
    event: { action: '', number: '', ...event },
    event_name: 'push',
    ref_name: 'client-v1.2.3',
    repository: 'org/repo',
    server_url: 'https://github.com',
    sha: 'github.sha',
    token: 'github.token',
    ...github,
  },
  inputs: { redeploy: '', ref: '', stage: '', ...inputs },
  matrix: having((name) => `matrix.${name}`),
  secrets: having((name) => (secrets as Written)[name] ?? `secrets.${name}`),
  vars: having((name) => (vars as Written)[name] ?? `vars.${name}`),
})

function resultOf(expression: string, contexts: Written, status: Status): unknown {
  const at = (path: string) =>
    path.split('.').reduce((of, name) => {
      if (!(name in of)) throw new Error(`There is no ${path}.`)
      return of[name]
    }, contexts)
  const { failed, skipped = false, cancelled = false } = status
  const known = {
    at,
    failure: () => failed,
    cancelled: () => cancelled,
    success: () => !(failed || skipped || cancelled),
  }
  const javascript = expression
    .replaceAll(/[a-z_]+(?:\.[\w-]+)+/gi, (path) => `at('${path}')`)
    .replaceAll(/([!=]=)/g, '$1=')
  return new Function(...Object.keys(known), `return ${javascript}`)(...Object.values(known))
}

const filled = (text: unknown, contexts: Written): string =>
  String(text).replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression) =>
    String(resultOf(expression, contexts, { failed: false })),
  )

const filledAll = (all: object = {}, contexts: Written): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, filled(value, contexts)]))

/** A job or a step runs if all before it succeeded, unless it says more than that. */
function runs(condition: unknown, contexts: Written, status: Status): boolean {
  const written = String(condition ?? 'true').replace(/^\$\{\{ (.*) \}\}$/, '$1')
  const whole = /\b(success|failure|cancelled|always)\(/.test(written)
    ? written
    : `success() && (${written})`
  return Boolean(resultOf(whole, contexts, status))
}

function checkOut(folder: string): void {
  rmSync(join(folder, '.sst'), { recursive: true, force: true })
  if (existsSync(join(folder, 'client'))) return
  for (const path of ['.ci', 'scripts', 'local/demo/catalog.ndjson'])
    cpSync(path, join(folder, path), { recursive: true })
  mkdirSync(join(folder, 'client'))
  mkdirSync(join(folder, 'commands'))
  writeFileSync(join(folder, 'client/package.json'), '{ "version": "1.2.3" }')
  writeFileSync(join(folder, 'client/CHANGELOG.md'), '## 1.2.4\n\n## 1.2.3\n')
}

const usual: Answers = {
  'aws ssm get-parameter': `echo '{"state":"sst-state-x"}'`,
  'git rev-parse': 'echo SHA',
  'gh api repos/org/repo/deployments?environment=production-good&sha': 'echo 1',
  'gh api repos/org/repo/deployments?': 'echo GOOD',
  'gh api repos/org/repo/git/ref/heads/main': 'echo MAIN',
  'gh api repos/org/repo/compare/': 'echo ahead',
  'node -p': `exec ${process.execPath} "$@"`,
  'npx embed-access keys create': 'echo KEY',
  'npx embed-access keys public': 'exit 1',
  'npx sst deploy':
    'mkdir .sst; echo \'{"url":"URL","catalogTable":"C","sessionsTable":"S",\' \\\n' +
    '\'"credentialsTable":"K"}\' > .sst/outputs.json',
  'npx sst diff': "echo 'No changes'",
}

type Ran = {
  readonly outcome: Outcome
  /** Each with the variables of its step, and what a step says first. */
  readonly calls: readonly string[]
  readonly outputs: object
}

function runSteps(
  { steps, outputs: declared = {} }: { steps: readonly Written[]; outputs?: object },
  start: Start,
  folder: string,
  more: object = {},
): Ran & { contexts: Written } {
  checkOut(folder)
  const answers = [start.answers ?? {}, usual]
  const taken = standIns(join(folder, 'commands'), answers, ['git', 'node'])
  const done: Record<string, object> = {}
  for (const { id } of steps) if (id) done[id] = nothing
  const contexts = { ...contextsOf(start), ...more, steps: done }
  const calls: string[] = []
  let failed = false
  for (const step of steps) {
    if (!runs(step.if, contexts, { failed })) continue
    const { status, outputs, says } = step.uses
      ? used(step, contexts)
      : shell(step, contexts, folder)
    calls.push(...taken(), ...says)
    const succeeded = status === 0
    if (step.id)
      done[step.id] = succeeded
        ? { outcome: 'success', outputs }
        : { ...nothing, outcome: 'failure' }
    failed ||= !succeeded && !step['continue-on-error']
  }
  const outputs = filledAll(declared, contexts)
  return { outcome: failed ? 'failure' : 'success', calls, outputs, contexts }
}

/** Of an action, only its inputs are noted. Each output of ours says where it is from. */
function used({ id, uses, with: given = {} }: Written, contexts: Written) {
  const inputs = Object.entries(filledAll(given, contexts)).map((input) => input.join('='))
  const ours = uses.startsWith('./') ? actionOf(basename(uses)) : undefined
  const { inputs: declared = given, outputs = {} } = ours ?? {}
  for (const [name, { required }] of Object.entries<Written>(declared))
    if (required && !(name in given)) throw new Error(`${uses} lacks ${name}.`)
  for (const name in given) if (!(name in declared)) throw new Error(`${uses} has no ${name}.`)
  return {
    status: 0,
    says: [[uses.replace(/@.*/, ''), ...inputs].join(' ')],
    outputs: Object.fromEntries(Object.keys(outputs).map((name) => [name, `${id}.${name}`])),
  }
}

function shell(step: Written, contexts: Written, folder: string) {
  const { run, env = {}, shell, 'working-directory': place = '.' } = step
  const variables = filledAll(env, contexts)
  const [output, summary] = [join(folder, 'output'), join(folder, 'summary')] as const
  for (const file of [output, summary]) writeFileSync(file, '')
  const options = ['-e', ...(shell ? ['-o', 'pipefail'] : [])]
  const { status, stdout } = spawnSync('bash', [...options, '-c', run], {
    cwd: join(folder, place),
    encoding: 'utf8',
    env: {
      PATH: `${join(folder, 'commands')}:${process.env.PATH}`,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: contexts.github.ref_name,
      GITHUB_REPOSITORY: 'org/repo',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_SHA: 'github.sha',
      RUNNER_TEMP: '.',
      // GitHub's machines set it.
      XDG_CONFIG_HOME: './.config',
      PLACE: place === '.' ? '' : `${place}: `,
      NOTED: Object.keys(variables).join(' '),
      ...variables,
    },
  })
  const lines = [stdout, readFileSync(summary, 'utf8')].flatMap((text) => text.split('\n', 1))
  const outputs = readFileSync(output, 'utf8').split('\n')
  return {
    status,
    says: lines.filter((line) => line !== ''),
    outputs: Object.fromEntries(outputs.map((line) => line.split('='))),
  }
}

/** Runs an action of ours. What it is not given has its default. */
export function runAction(name: string, start: Start, folder: string): Ran {
  const { inputs, outputs, runs } = actionOf(name)
  const valuesOf = (all: object = {}, part: string) =>
    Object.fromEntries(Object.entries<Written>(all).map(([each, of]) => [each, of[part]]))
  const given = { ...valuesOf(inputs, 'default'), ...start.inputs }
  const steps = { steps: runs.steps, outputs: valuesOf(outputs, 'value') }
  return runSteps(steps, { ...start, inputs: given }, folder)
}

/** How long a job may take, where it gets secrets, and what it doesn't run beside. */
function limitsOf(job: Written, concurrency: Written, contexts: Written): string {
  const { environment = '', 'timeout-minutes': minutes } = job
  const { name = environment, url = '' } = environment
  const groups = [concurrency, job.concurrency].flatMap((each) =>
    each ? `group ${each.group}${each['cancel-in-progress'] ? ' cancelled by the next' : ''}` : [],
  )
  return [
    ...(minutes ? [`${minutes} minutes`] : []),
    ...(name ? [`environment ${name} ${url}`.trim()] : []),
    ...groups,
  ]
    .map((each) => filled(each, contexts))
    .join(', ')
}

export function runWorkflow(name: string, start: Start, folder: string): Record<string, Ran> {
  const { jobs, concurrency } = workflowOf(name)
  const ran: Record<string, Ran> = {}
  const needs: Record<string, Written> = {}
  const before: Record<string, readonly string[]> = {}
  for (const [id, job] of Object.entries<Written>(jobs)) {
    const direct: readonly string[] = [job.needs ?? []].flat()
    const all = direct.flatMap((each) => [each, ...(before[each] as string[])])
    before[id] = all
    const of = { needs: Object.fromEntries(direct.map((each) => [each, needs[each]])) }
    const contexts = { ...contextsOf(start), ...of }
    const results = all.map((each) => needs[each].result)
    const status = {
      failed: results.includes('failure'),
      skipped: results.includes('skipped') || results.includes('cancelled'),
      cancelled: start.cancelled ?? false,
    }
    needs[id] = { result: 'skipped', outputs: having(() => '') }
    if (!runs(job.if, contexts, status)) continue
    if (id === start.stopped) {
      needs[id].result = 'cancelled'
      continue
    }
    const parts = job.uses
      ? runWorkflow('checks', { ...start, inputs: filledAll(job.with, contexts) }, folder)
      : {}
    for (const [part, each] of Object.entries(parts)) ran[`${id} ${part}`] = each
    const failed = Object.values(parts).some(({ outcome }) => outcome === 'failure')
    const own = job.steps
      ? runSteps(job, start, folder, of)
      : ({ outcome: failed ? 'failure' : 'success', calls: [], outputs: {}, contexts } as const)
    const limits = limitsOf(job, concurrency, own.contexts)
    ran[id] = { ...own, calls: [limits, ...own.calls] }
    needs[id] = {
      result: job['continue-on-error'] ? 'success' : own.outcome,
      outputs: own.outputs,
    }
  }
  return ran
}
