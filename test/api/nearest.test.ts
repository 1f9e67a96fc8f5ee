import { nearest } from '@embed-access/core/nearest.ts'
import { expect, test } from 'vitest'

test.each([
  ['staus', ['state', 'status'], 'status'],
  ['STATUS', ['state', 'status'], 'status'],
  ['colour', ['coloured', 'colours'], 'colours'],
  // Half of the letters of the longer one.
  ['abc', ['abcdef'], 'abcdef'],
  ['abc', ['xbcdef'], undefined],
  ['abcdef', ['xyzdef'], 'xyzdef'],
  ['abcdef', ['xyzwef'], undefined],
  // Three letters are enough, and two are not.
  ['abc', ['abd'], 'abd'],
  ['ab', ['abc'], undefined],
  ['abc', ['ab'], undefined],
  ['abc', [], undefined],
])('The name nearest to %s among %j is %s', (name, known, expected) => {
  expect(nearest(name, known)).toBe(expected)
})

test('No name is near that takes more edits than are allowed', () => {
  expect([2, 3].map((most) => nearest('abcdef', ['abcxyz'], most))).toEqual([undefined, 'abcxyz'])
})
