import { describe, expect, test } from 'vitest'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { slow } from '../support/time.ts'
import { omissions } from './omissions.ts'
import { simulate } from './run.ts'
import { failureOf } from './shrink.ts'

/** `npm run prove -- simulate` runs as many as you like. */
const seeds = 120

// These are 120 simulations.
test('lists are right in the end and never show what was taken away', slow, async () => {
  for (let seed = 0; seed < seeds; seed += 1) {
    const failure = await failureOf({ seed })
    expect(failure && `npm run prove -- simulate --seed ${seed}: ${failure.stack}`).toBeUndefined()
  }
})

const seedsOfQueue = 40

// These are 40 simulations, with the function.
test('lists are right when changes come by the queue, and no refused change is lost', slow, async () => {
  for (let seed = 0; seed < seedsOfQueue; seed += 1) {
    const failure = await failureOf({ seed, handler: sync.create })
    expect(failure && `npm run prove -- simulate --handler --seed ${seed}: ${failure.stack}`).toBeUndefined()
  }
})

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
    (runtime) => sync.create({ ...runtime, deadLetters: async (letters) => letters.map(() => true) }),
  ],
])('the simulation notices a function that %s', async (_, handler) => {
  let noticed: number | undefined
  for (let seed = 0; noticed === undefined && seed < seedsOfQueue; seed += 1) {
    if (await failureOf({ seed, handler })) noticed = seed
  }
  expect(noticed).toBeDefined()
})

test('a seed decides every step', async () => {
  const steps = async () => {
    const lines: string[] = []
    await simulate({ seed: 11, trace: (line) => lines.push(line) })
    // Versions are random.
    return lines.map((line) => line.replaceAll(/\w*ersion:[\w-]+|[\w-]{16}/g, ''))
  }
  expect(await steps()).toEqual(await steps())
})

/** Seeds that notice what few others do. They are tried first, since a rare fault takes hundreds of simulations. */
const telling = [291, 228, 162, 102, 65, 64, 38]

describe('the simulation notices what is left out:', slow, () => {
  test.each(Object.entries(omissions))('%s', async (_, omission) => {
    let noticed: number | undefined
    for (const seed of [...telling, ...Array(3 * seeds).keys()]) {
      if (noticed === undefined && (await failureOf({ seed, omission }))) noticed = seed
    }
    expect(noticed).toBeDefined()
  })
})
