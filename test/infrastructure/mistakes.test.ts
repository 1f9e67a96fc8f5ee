import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mistakes } from './mistakes.ts'

test.each(mistakes)('The mistake that $wrong changes one place of $file', ({ file, from, to }) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
})
