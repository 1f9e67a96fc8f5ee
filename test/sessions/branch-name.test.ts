import { spawnSync } from 'node:child_process'
import { warningsOf } from '@embed-access/core/sessions/warnings.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const surroundings = { attributes: [], isPublished: true }

const isUnwarned = (branchName: string) =>
  [...warningsOf({ deploymentId: 1, branchName }, surroundings)].length === 0

const isBranchOfGit = (name: string) =>
  spawnSync('git', ['check-ref-format', '--branch', name]).status === 0

test.each([
  ...['main', 'feature/colors', 'HEAD/a'],
  ...['a@', 'a.b', 'a/-b', 'é', '日本', 'a{b}', 'a#b', "a'b"],
  ...['HEAD', '-a', 'a b', 'a..b', 'a.', '.a', 'a/.b', 'a.lock', 'a.lock/b', 'a@{b', 'a/', '/a'],
  ...['a//b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a\tb', 'a\x7fb', 'a\nb'],
])('A dry run warns of a branch name where git refuses it: %j', (name) => {
  expect(isUnwarned(name)).toBe(isBranchOfGit(name))
})

test('A dry run and git agree on every other text', () => {
  const pieces = fc.constantFrom('a', '.', '/', '@', '{', '-', 'lock', ' ', '~', '\\', 'é', 'HEAD')
  const texts = fc
    .array(pieces, { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(''))
    // Git reads a lone @ as HEAD.
    .filter((text) => text !== '@')
  fc.assert(
    fc.property(texts, (text) => isUnwarned(text) === isBranchOfGit(text)),
    { numRuns: 40 },
  )
})
