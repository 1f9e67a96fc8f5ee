import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('test/**/*.test.ts').sort()

/** The name of a test, as it is written. */
const name = /(?:\b(?:test|it)\w*(?:\.\w+)*|\))(?:<[^>(]*>)?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`)\s*,/g

test.each(files)('%s begins with its first test, and the names of its tests are short', (file) => {
  const text = readFileSync(file, 'utf8')
  const before = text.split(/^(?:describe|it|test\w*)[.(<]/m)[0] as string
  expect(before.split('\n').length - 1, 'lines before the first test').toBeLessThanOrEqual(60)
  const names = [...text.matchAll(name)].map(([, quoted, template]) => quoted ?? template ?? '')
  expect(names.filter(({ length }) => length >= 80)).toEqual([])
})
