import { describe, expect, test } from 'vitest'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { slow } from '../support/time.ts'
import { scenarios } from './directed.ts'
import { omissions } from './omissions.ts'
import { failureOf, type Simulation, simulate } from './run.ts'

/** `npm run prove -- simulate` runs as many as you like. */
const seeds = 60
/** Seeds at which something rare happens. */
const rare = Object.values(omissions).map(({ seed }) => seed)

// These are 80 simulations.
test('lists are right in the end and never show what was taken away', slow, async () => {
  for (const seed of new Set([...rare, ...Array(seeds).keys()])) {
    const failure = await failureOf({ seed })
    expect(failure && `npm run prove -- simulate --seed ${seed}: ${failure.stack}`).toBeUndefined()
  }
})

const seedsOfQueue = 40

// These are 40 simulations, with the function.
test(
  'lists are right when changes come by the queue, and no refused change is lost',
  slow,
  async () => {
    for (let seed = 0; seed < seedsOfQueue; seed += 1) {
      const failure = await failureOf({ seed, handler: sync.create })
      expect(
        failure && `npm run prove -- simulate --handler --seed ${seed}: ${failure.stack}`,
      ).toBeUndefined()
    }
  },
)

/** Expects that one of the seeds fails. */
async function expectNoticed(
  seeds: readonly number[],
  simulation: Omit<Simulation, 'seed'>,
): Promise<void> {
  for (const seed of seeds) if (await failureOf({ seed, ...simulation })) return
  expect.fail(`none of ${seeds.length} seeds fails`)
}

test.each<[string, typeof sync.create]>([
  [
    'does not report what has failed',
    (runtime) => async (event, context) => {
      await sync.create(runtime)(event, context)
      return { batchItemFailures: [] }
    },
  ],
  [
    'sends no dead letters',
    (runtime) =>
      sync.create({
        ...runtime,
        deadLetters: async (letters) => ({ isSent: letters.map(() => true) }),
      }),
  ],
])('the simulation notices a function that %s', async (_, handler) => {
  await expectNoticed([...Array(seedsOfQueue).keys()], { handler })
})

test.each([11, 14])('a seed decides every step: %s', async (seed) => {
  const steps = async () => {
    const lines: string[] = []
    await simulate({ seed, trace: (line) => lines.push(line) })
    // Versions and ids are random, and so is the order of revocations that end in the same second.
    const random = /revocationsInForce.*|context:.*|\w*ersion:[\w-]+|[\w-]{16,}/g
    return lines.map((line) => line.replaceAll(random, ''))
  }
  expect(await steps()).toEqual(await steps())
})

/** Each seed takes the steps of a scenario in another order. Half of them notice its omission. */
const seedsOfScenario = [...Array(40).keys()]

test('the scenarios are right if nothing is left out', slow, async () => {
  for (const scenario of Object.values(scenarios)) {
    for (const seed of seedsOfScenario) await simulate({ seed, ...scenario })
  }
})

describe('the simulation notices what is left out:', slow, () => {
  test.each(Object.entries(omissions))('%s', async (name, omission) => {
    const scenario = scenarios[name]
    const others = scenario ? seedsOfScenario : Array(6 * seeds).keys()
    await expectNoticed([omission.seed, ...others], { ...scenario, omission })
  })
})
