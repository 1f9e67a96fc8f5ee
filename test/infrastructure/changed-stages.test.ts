import { expect, inject, test, vi } from 'vitest'
import { type Change, changesOf } from './changes.ts'
import type { Resource } from './evaluate.ts'
import type { Stages } from './stages.ts'
import { physicalStage, type Rerun } from './suite.ts'

/*
 * Changes one value after the other in what the real config makes, and runs the tests over it. Whatever no test notices is in
 * the list below, with the reason why that is right.
 */

/** What may change unnoticed, and why. */
const unnoticedOnPurpose: readonly { readonly type: RegExp; readonly path: RegExp; readonly why: string }[] = [
  {
    type: /^aws:lambda\/function:Function$/,
    path: /^inputs\.environment\.variables\.SST_KEY$/,
    why: 'SST makes it at random, for links, and there are none.',
  },
  {
    type: /^aws:s3\/bucketObjectv2:BucketObjectv2$/,
    path: /^inputs\.source\./,
    why: 'The archive is Pulumi’s own object, of which only a mark comes through. bundles.test.ts runs what is in it.',
  },
  {
    type: /^pulumi:providers:aws$/,
    path: /^inputs\.skip(Credentials|Region)Validation$/,
    why: 'Pulumi’s own defaults.',
  },
]

const stages = inject('stages')

/** Runs the tests of all files over changed stages, until one fails. */
async function isNoticed(changed: Stages, stage: keyof Stages): Promise<boolean> {
  const collected: (() => unknown)[] = []
  const each =
    <Run extends (...args: never[]) => unknown>(run: (of: () => unknown) => unknown) =>
    (cases: readonly unknown[]) =>
    (_: string, body: Run) => {
      for (const one of cases) run(() => body(...((Array.isArray(one) ? one : [one]) as never[])))
    }
  const now = (body: () => unknown) => body()
  const later = (body: () => unknown) => collected.push(body)
  const rerun = {
    stages: changed,
    stage,
    describe: Object.assign((_: string, body: () => unknown) => now(body), { each: each(now) }),
    test: Object.assign((_: string, body: () => unknown) => later(body), { each: each(later) }),
  }
  Object.assign(globalThis, { rerun: rerun as unknown as Rerun })
  vi.resetModules()
  try {
    await import('./tables.test.ts')
    await import('./functions.test.ts')
    await import('./routes.test.ts')
    await import('./observability.test.ts')
    await import('./stages.test.ts')
    await import('./catalog-sync.test.ts')
    for (const body of collected) body()
    return false
  } catch {
    return true
  } finally {
    Object.assign(globalThis, { rerun: undefined })
  }
}

const stageNames = Object.keys(stages) as (keyof Stages)[]

/** The same in every stage: names without the stage's and without the letters that SST adds. */
const neutral = ({ inputs }: Resource, stage: keyof Stages): string =>
  JSON.stringify(inputs)
    .replaceAll(physicalStage[stage], 'STAGE')
    .replaceAll('https://runbook.example', 'docs/operations.md')
    .replaceAll(/-[a-z]{8}(?![a-z])/g, '')

/**
 * Of what is the same in another stage as in production only the removal is tried: that the stage has it at all. Its values are
 * made by the same code.
 */
function changesWorthTrying(stage: keyof Stages): Change[] {
  if (stage === 'production') return changesOf(stages.production)
  const known = new Set(stages.production.resources.map((each) => each.name + neutral(each, 'production')))
  const same = new Set(
    stages[stage].resources.filter((each) => known.has(each.name + neutral(each, stage))).map(({ name }) => name),
  )
  return changesOf(stages[stage]).filter(({ name, path }) => !same.has(name) || !path.startsWith('inputs'))
}

test.each(stageNames)('unchanged, %s passes', async (stage) => {
  expect(await isNoticed(stages, stage)).toBe(false)
})

/** Thousands of changes take minutes on a busy machine. */
const timeout = 900_000

test.each(stageNames)(
  'a change of anything in %s is noticed, but for what is listed with a reason',
  { timeout },
  async (stage) => {
    const changes = changesWorthTrying(stage)
    const unnoticed: Change[] = []
    for (const change of changes) {
      if (!(await isNoticed({ ...stages, [stage]: change.make() }, stage))) unnoticed.push(change)
    }
    process.stdout.write(`${stage}: ${changes.length - unnoticed.length} of ${changes.length} changes noticed\n`)
    const without = unnoticed.filter(
      ({ type, path }) => !unnoticedOnPurpose.some((known) => known.type.test(type) && known.path.test(path)),
    )
    expect(without.map(({ type, name, path, what }) => `${type} ${name} ${path} ${what}`)).toEqual([])
    expect(unnoticed.length).toBeLessThan(changes.length * 0.05)
  },
)
