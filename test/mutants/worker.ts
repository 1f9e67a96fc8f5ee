import { appendFileSync, openSync, writeFileSync } from 'node:fs'
import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import { type Mutant, type Observed, type Outcome, readPlan } from './plan.ts'
import { mutants as running } from './switch.ts'

type State = Parameters<typeof runBaseTests>[1]
type Traces = Parameters<typeof runBaseTests>[2]
type Run = {
  readonly file: string
  readonly tests?: readonly string[]
  readonly fresh: boolean
  readonly limit: number
}

const { folder, mutants, left, testFiles, patience, observed } = readPlan()
/** Tests that take longer, in milliseconds, are not asked: most of them try one thing very often. */
const longestTest = 5000
/** What a file of tests takes besides its tests, in milliseconds. */
const perFile = 200
/** How long the first part of a file that is asked takes, in milliseconds. */
const atOnce = 1000
const name = process.env.MUTANTS_WORKER as string

// What vitest's own worker in a child process does.
const send = process.send?.bind(process)
const on = process.on.bind(process)
const off = process.off.bind(process)
init({
  post: (message) => send?.(message),
  on: (callback) => on('message', callback),
  off: (callback) => off('message', callback),
  runTests: work,
  collectTests: work,
  setup: setupEnvironment,
})

async function work(state: State, traces: Traces): Promise<void> {
  const run = runnerOf(state, traces)
  running.mutantCoverage ??= { static: {}, perTest: {} }
  if (observed) await tryMutants(observed, run)
  else await observe(run)
}

async function observe(run: (what: Run) => Promise<RunnerTestFile>): Promise<void> {
  for (const file of testFiles) {
    const task = file.replaceAll('/', '_')
    if (!claim(task)) continue
    const covered = { static: {}, perTest: {} }
    Object.assign(running.mutantCoverage as object, covered)
    running.currentTestId = 'load'
    busy(task, 600_000)
    const began = performance.now()
    const result = await run({ file, fresh: true, limit: 240_000 })
    const tests = testsOf(result)
    write({
      file,
      passed: failureOf(result) === undefined,
      duration: performance.now() - began,
      tests: tests.map((test) => ({ id: test.id, name: nameOf(test), duration: test.result?.duration ?? 0 })),
      hits: running.mutantCoverage?.perTest ?? {},
    } satisfies Observed)
    if (failureOf(result)) process.stdout.write(`${failureOf(result)}\n`)
  }
}

async function tryMutants(observed: readonly Observed[], run: (what: Run) => Promise<RunnerTestFile>): Promise<void> {
  /** How often a part of a test file was asked about the mutants of a file, and how often it noticed one. */
  const experience = new Map<string, { asked: number; noticed: number }>()
  /** Whether modules are loaded as a mutant made them. */
  let stale = true

  async function failureWith(
    mutant: Mutant | undefined,
    { file, tests, hits }: Question,
    fresh: boolean,
  ): Promise<Failure> {
    running.activeMutant = mutant?.id
    running.hitCount = mutant && 0
    running.hitLimit = 1000 + 100 * hits
    const limit = 4000 + 4 * Math.max(...tests.map(({ duration }) => duration))
    const result = await run({ file, tests: tests.map(({ id }) => id), fresh: fresh || stale, limit })
    stale = fresh && mutant !== undefined
    running.activeMutant = undefined
    const failed = testsOf(result).find(({ result }) => result?.state === 'fail')?.id
    return { text: failureOf(result), test: tests.find(({ id }) => id === failed) }
  }

  const passes = async (question: Question, tests: readonly Test[]) =>
    (await failureWith(undefined, { ...question, tests }, false)).text === undefined

  /** Whether tests fail because of the mutant, and not because others have to come before them, or now and then. */
  async function isNoticed(mutant: Mutant, question: Question, { text, test }: Failure, atLoad: boolean) {
    const tests = test ? [test] : question.tests
    if (await passes(question, tests)) {
      // Something else may have slowed it down once.
      return !isTimeout(text) || (await failureWith(mutant, { ...question, tests }, atLoad)).text !== undefined
    }
    if (!test) return false
    const before = question.all.slice(0, question.all.indexOf(test) + 1)
    const failure = await failureWith(mutant, { ...question, tests: before }, atLoad)
    return failure.text !== undefined && (await passes(question, before))
  }

  async function noticedBy(mutant: Mutant, questions: readonly Question[], atLoad: boolean) {
    const known = questions.map((question) => {
      const key = `${mutant.file} ${question.file} ${question.part}`
      const known = experience.get(key) ?? { asked: 0, noticed: 0 }
      experience.set(key, known)
      // Tests know nothing of what runs as a file is loaded: there the quickest come first.
      const chance = ((known.noticed + 1) / (known.asked + 2)) * (question.relevance || Number.EPSILON)
      return { ...question, known, value: chance / question.duration }
    })
    let spent = 0
    for (const question of known.toSorted((a, b) => b.value - a.value)) {
      if (spent > 0 && spent + question.duration > patience) continue
      spent += question.duration
      question.known.asked += 1
      busy(mutant.id, 20_000 + 8 * question.duration)
      const failure = await failureWith(mutant, question, atLoad)
      if (failure.text === undefined) continue
      if (!(await isNoticed(mutant, question, failure, atLoad))) continue
      question.known.noticed += 1
      return { noticedBy: failure.text, test: question.file }
    }
    return undefined
  }

  const toTry = new Set(left)
  // Mutants in what runs as a file is loaded come last, since each needs all files loaded anew.
  const loaded = new Set(observed.flatMap(({ hits }) => Object.keys(hits.load ?? {})))
  for (const mutant of mutants.toSorted((a, b) => Number(loaded.has(a.id)) - Number(loaded.has(b.id)))) {
    if (!toTry.has(mutant.id) || !claim(mutant.id)) continue
    const began = performance.now()
    const questions = questionsOf(observed, mutant)
    const noticed = await noticedBy(mutant, questions, loaded.has(mutant.id))
    const milliseconds = Math.round(performance.now() - began)
    write({ id: mutant.id, ...noticed, reached: questions.length > 0, milliseconds } satisfies Outcome)
    // The mutant may go on without end, and slow down what is tried after it.
    if (isTimeout(noticed?.noticedBy)) await replacement()
  }
}

const isTimeout = (text = '') => /(?:Test|Hook) timed out/.test(text)

type Test = Observed['tests'][number]
/** What failed, and with which words; neither where all tests passed. */
type Failure = { readonly text: string | undefined; readonly test: Test | undefined }
type Question = {
  readonly file: string
  readonly part: number
  readonly tests: readonly Test[]
  /** All tests of the file. */
  readonly all: readonly Test[]
  readonly hits: number
  readonly duration: number
  /** How likely the best of the tests is about the mutant, compared with others. */
  readonly relevance: number
}

/**
 * What to run of each test file to learn whether it notices the mutant. First come the tests that reach what is near the
 * mutant, little else, and what few others reach.
 */
function questionsOf(observed: readonly Observed[], mutant: Mutant): Question[] {
  const near = mutants.filter(({ file, line }) => file === mutant.file && Math.abs(line - mutant.line) < 50)
  const weights = near.map(({ id, line }) => {
    const reaching = observed.flatMap(({ hits }) => Object.values(hits)).filter((some) => some[id] !== undefined).length
    return [id, 1 / (1 + reaching) / (1 + Math.abs(line - mutant.line) / 5)] as const
  })
  return observed.flatMap(({ file, tests, hits }) => {
    const reaches = (id: string) => hits[id]?.[mutant.id] !== undefined
    const always = reaches('load') || reaches('hooks')
    const relevance = (id: string) =>
      weights.reduce((sum, [near, weight]) => (hits[id]?.[near] === undefined ? sum : sum + weight), 0) /
      (20 + Object.keys(hits[id] ?? {}).length)
    const wanted = tests
      .filter(({ id, duration }) => (always || reaches(id)) && duration < longestTest)
      .map((test) => ({ test, relevance: relevance(test.id) / (20 + test.duration) }))
      .toSorted((a, b) => b.relevance - a.relevance)
      .map(({ test }) => test)
    const sum = (some: readonly Test[]) => some.reduce((total, { duration }) => total + duration, 0)
    const count = Object.values(hits).reduce((total, some) => total + (some[mutant.id] ?? 0), 0)
    const first = wanted.filter((_, index) => index === 0 || sum(wanted.slice(0, index + 1)) < atOnce)
    return [first, wanted.slice(first.length)]
      .filter((some) => some.length > 0)
      .map((some, part) => ({
        file,
        part,
        tests: some,
        all: tests,
        hits: count,
        duration: perFile + sum(some),
        relevance: Math.max(...some.map(({ id }) => relevance(id))),
      }))
  })
}

/** Runs the tests of one file in this process, until the first failure. Nobody is told. */
function runnerOf(state: State, traces: Traces): (what: Run) => Promise<RunnerTestFile> {
  return async ({ file, tests, fresh, limit }) => {
    let files: RunnerTestFile[] = []
    const silent: Record<string, unknown> = {
      onCollected: async (collected: RunnerTestFile[]) => {
        files = collected
      },
      getCountOfFailedTests: async () => 0,
    }
    for (const told of [
      'onQueued',
      'onTaskUpdate',
      'onCancel',
      'onUnhandledError',
      'onUserConsoleLog',
      'snapshotSaved',
      'onAfterSuiteRun',
      'onTestModuleDependencies',
      'onTaskArtifactRecord',
    ]) {
      silent[told] = async () => {}
    }
    const rpc = new Proxy(state.rpc, { get: (target, key) => silent[key as string] ?? Reflect.get(target, key) })
    const config = { ...state.config, isolate: fresh, bail: 1, retry: 0, testTimeout: limit, hookTimeout: limit }
    const spec = {
      filepath: file,
      fileTags: undefined,
      testLocations: undefined,
      testNamePattern: undefined,
      testIds: tests,
      testNames: undefined,
      testTagsFilter: undefined,
    }
    const ctx = { ...state.ctx, config, files: [spec] } as unknown as State['ctx']
    await runBaseTests('run', { ...state, config, ctx, rpc }, traces)
    const [result] = files
    if (!result) throw new Error(`${file} was not run`)
    return result
  }
}

function testsOf(task: RunnerTask): RunnerTestCase[] {
  return 'tasks' in task ? task.tasks.flatMap(testsOf) : [task as RunnerTestCase]
}

function nameOf(task: RunnerTask): string {
  return task.suite && task.suite.id !== task.file.id ? `${nameOf(task.suite)} ${task.name}` : task.name
}

/** The first failure of a test or hook. */
function failureOf(task: RunnerTask): string | undefined {
  for (const part of 'tasks' in task ? task.tasks : []) {
    const failure = failureOf(part)
    if (failure) return failure
  }
  if (task.result?.state !== 'fail') return undefined
  return `${nameOf(task)}: ${task.result.errors?.[0]?.message.split('\n')[0]?.slice(0, 200)}`
}

/** Takes a piece of work, unless another worker has taken it. */
function claim(work: string): boolean {
  try {
    openSync(`${folder}/claims/${work}`, 'wx')
    return true
  } catch {
    return false
  }
}

/** Has the parent end this process and start another one. */
async function replacement(): Promise<never> {
  busy('', 0)
  return new Promise(() => {})
}

/** Tells the parent when to believe that this process hangs. */
function busy(what: string, milliseconds: number): void {
  writeFileSync(`${folder}/busy-${name}.json`, JSON.stringify({ what, until: Date.now() + milliseconds }))
}

function write(result: object): void {
  appendFileSync(`${folder}/results-${name}.ndjson`, `${JSON.stringify(result)}\n`)
}
