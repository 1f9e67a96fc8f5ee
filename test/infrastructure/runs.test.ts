import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../support/temporary.ts'
import { runAction, runWorkflow, type Start, workflowNames, workflowOf } from './runner.ts'

/** A job without calls is one whose calls another run names. */
type Jobs = Readonly<Record<string, readonly (string | readonly string[])[] | null>>

type Expected = Start & {
  readonly when: string
  readonly workflow?: string
  readonly jobs: Jobs | readonly string[]
  readonly failed?: readonly string[]
  readonly action?: string
  readonly calls?: readonly string[]
  readonly outputs?: object
}

const runs: readonly Expected[] = parse(readFileSync('test/infrastructure/runs.yml', 'utf8'), {
  merge: true,
})
const home = temporaryDirectory()
const ofWorkflows = runs.filter(({ workflow }) => workflow)
const ofActions = runs.filter(({ action }) => action)
const callsIn = (jobs: Expected['jobs']): Jobs =>
  Array.isArray(jobs) ? Object.fromEntries(jobs.map((name) => [name, null])) : (jobs as Jobs)

/** `.ci/run` starts these two at once, so either may be the first. */
const atOnce = ['npm run check', 'npm test']

/** The calls, with those that start at once in the order of their names. */
function inAnyOrder(calls: readonly string[]) {
  const started = calls.filter((call) => atOnce.includes(call)).sort()
  return calls.map((call) => (atOnce.includes(call) ? started.shift() : call))
}

test.each(ofWorkflows.map((each) => [each.when, each] as const))(
  'exactly these jobs run, with exactly these calls, when %s',
  (_, { workflow = '', jobs, failed = [], ...start }) => {
    const ran = Object.entries(runWorkflow(workflow, start, home))
    expect(ran.flatMap(([name, { outcome }]) => (outcome === 'failure' ? name : []))).toEqual(
      failed,
    )
    const expected = Object.entries(callsIn(jobs))
    expect(ran.map(([name]) => name).sort()).toEqual(expected.map(([name]) => name).sort())
    for (const [name, { calls }] of ran) {
      const wanted = callsIn(jobs)[name]?.flat()
      if (wanted) expect(inAnyOrder(calls), name).toEqual(inAnyOrder(wanted))
    }
  },
)

test.each(ofActions.map((each) => [each.when, each] as const))(
  'an action makes exactly these calls when %s',
  (_, { action = '', calls, outputs, ...start }) => {
    const ran = runAction(action, start, home)
    expect([ran.outcome, ran.calls]).toEqual(['success', calls])
    if (outputs) expect(ran.outputs).toEqual(outputs)
  },
)

test('each job of each workflow is tried, but for those that only run proofs', () => {
  const tried = ofWorkflows.flatMap(({ workflow, jobs }) =>
    Object.entries(callsIn(jobs)).flatMap(([name, calls]) =>
      calls ? `${workflow} ${name}`.replace(/^\w+ checks (?=\w)/, 'checks ') : [],
    ),
  )
  const all = workflowNames.flatMap((workflow) =>
    Object.keys(workflowOf(workflow).jobs).map((name) => `${workflow} ${name}`),
  )
  // test/client runs the steps that publish it.
  const proofs = /^(nightly|security|client (test|publish)$)/
  expect(all.filter((each) => !(tried.includes(each) || proofs.test(each)))).toEqual([])
})

test('no stage has the API keys of the demo catalog, which are in the repository', () => {
  runAction('deploy', { inputs: { 'demo-catalog': 'true' } }, home)
  const given = readFileSync('local/demo/catalog.ndjson', 'utf8').split('\n')
  const loaded = readFileSync(join(home, 'demo.ndjson'), 'utf8').split('\n')
  const expected = given.map((line) => {
    const change = line === '' ? {} : JSON.parse(line)
    if (change.kind !== 'apiKey') return line
    const { tokenHash } = change.data
    return JSON.stringify({ kind: 'apiKey', op: 'delete', revision: 2, data: { tokenHash } })
  })
  expect(loaded.map((line) => line && JSON.parse(line))).toEqual(
    expected.map((line) => line && JSON.parse(line)),
  )
  expect(expected.join('\n')).toContain('"delete"')
})
