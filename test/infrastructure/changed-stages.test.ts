import { expect, test } from 'vitest'
import { type Change, changesOf } from './changes.ts'
import { evaluated, type StageName, stageNames, stageOf, stageTests } from './suite.ts'
import './alarms.test.ts'
import './catalog-sync.test.ts'
import './dashboard.test.ts'
import './functions.test.ts'
import './routes.test.ts'
import './stages.test.ts'
import './tables.test.ts'

/*
 * Changes one value after the other in what the real config makes, and runs the tests above over it, until one fails.
 */

function isNoticed(change: Change, stage: StageName): boolean {
  const unchanged = evaluated[stage]
  evaluated[stage] = change.make()
  const tests = stageTests.filter(({ of }) => of.includes(stage))
  const failed = tests.find(({ body }) => {
    try {
      body(stageOf(stage))
      return false
    } catch {
      return true
    }
  })
  evaluated[stage] = unchanged
  if (failed === undefined) return false
  // The next change is probably in the same resource.
  stageTests.splice(stageTests.indexOf(failed), 1)
  stageTests.unshift(failed)
  return true
}

test.each(stageNames)('a change of anything in %s is noticed', { timeout: 300_000 }, (stage) => {
  const changes = changesOf(evaluated[stage])
  const unnoticed = changes.filter((change) => !isNoticed(change, stage)).map(({ what }) => what)
  process.stdout.write(`${stage}: ${changes.length - unnoticed.length} of ${changes.length} changes noticed\n`)
  expect(unnoticed).toEqual([])
})
