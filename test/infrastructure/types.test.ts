import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** What tsconfig.json asks of all other code. SST's own sources do not hold to it, so `npm run check` leaves it out here. */
const strict = [
  '--noUnusedLocals',
  '--noUnusedParameters',
  '--noImplicitOverride',
  '--noFallthroughCasesInSwitch',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
]

test('the code of the deployment has the strict types of all other code', { timeout: 300_000 }, () => {
  const { stdout } = spawnSync('tsc', ['--noEmit', '-p', 'stacks', ...strict], { encoding: 'utf8' })
  expect(stdout).toContain('.sst/platform')
  expect(stdout.match(/^(?!\.sst)\S.*error.*/gm) ?? []).toEqual([])
})
