import { describe, expect, test } from 'vitest'
import { omissions } from './omissions.ts'
import { simulate } from './run.ts'
import { failureOf } from './shrink.ts'

/** `npm run simulate` runs as many as you like. */
const seeds = 200

test('lists are right in the end and never show what was taken away, whoever writes, whatever is late, lost or repeated', async () => {
  for (let seed = 0; seed < seeds; seed += 1) {
    const failure = await failureOf({ seed })
    expect(failure && `npm run simulate -- --seed ${seed}: ${failure.stack}`).toBeUndefined()
  }
})

test('a seed decides every step', async () => {
  const steps = async () => {
    const lines: string[] = []
    await simulate({ seed: 11, trace: (line) => lines.push(line) })
    return lines.map((line) => line.replaceAll(/[\w-]{16}/g, ''))
  }
  expect(await steps()).toEqual(await steps())
})

describe('the simulation notices what is left out:', () => {
  test.each(Object.entries(omissions))('%s', async (_, omission) => {
    let noticed: number | undefined
    for (let seed = 0; noticed === undefined && seed < 3 * seeds; seed += 1) {
      if (await failureOf({ seed, omission })) noticed = seed
    }
    expect(noticed).toBeDefined()
  })
})
