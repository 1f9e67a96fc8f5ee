import { spawnSync } from 'node:child_process'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'

const isTaken = (branchName: string) =>
  v.safeParse(GenerateSession, { deploymentId: 1, branchName }).success

const isBranchOfGit = (name: string) =>
  spawnSync('git', ['check-ref-format', '--branch', name]).status === 0

test.each([
  ...['main', 'feature/colors', 'HEAD/a'],
  ...['a@', 'a.b', 'a/-b', 'é', '日本', 'a{b}', 'a#b', "a'b"],
  ...['HEAD', '-a', 'a b', 'a..b', 'a.', '.a', 'a/.b', 'a.lock', 'a.lock/b', 'a@{b', 'a/', '/a'],
  ...['a//b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a\tb', 'a\x7fb', 'a\nb'],
])('Git and the service agree on the branch name %j', (name) => {
  expect(isTaken(name)).toBe(isBranchOfGit(name))
})

test('Git and the service agree on every other text', () => {
  const pieces = fc.constantFrom('a', '.', '/', '@', '{', '-', 'lock', ' ', '~', '\\', 'é', 'HEAD')
  const texts = fc
    .array(pieces, { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(''))
    // Git reads a lone @ as HEAD.
    .filter((text) => text !== '@')
  fc.assert(
    fc.property(texts, (text) => isTaken(text) === isBranchOfGit(text)),
    { numRuns: 100 },
  )
})
