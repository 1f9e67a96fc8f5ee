import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('test/**/*.test.ts')
  .sort()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

/** The name of a test, as it is written. */
const name =
  /(?:\b(?:test|it)\w*(?:\.\w+)*|\))(?:<[^>(]*>)?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`)\s*,/g

test('each file of tests begins with its first test, not with what the tests need', () => {
  const late = files.filter(({ text }) => text.search(/^(?:describe|it|test\w*)[.(<]/m) > 3600)
  expect(late.map(({ file }) => file)).toEqual([])
})

test('the name of a test has fewer than 80 characters', () => {
  const long = files.flatMap(({ file, text }) =>
    [...text.matchAll(name)]
      .map(([, quoted, template]) => quoted ?? template ?? '')
      .filter(({ length }) => length >= 80)
      .map((long) => `${file}: ${long}`),
  )
  expect(long).toEqual([])
})

/** Parts that still have wider lines. Delete what is done. */
const wide = /^(stacks|local\/playground|test\/newcomer)\/|^scripts\/new-operation/

test('no line of code is wider than 100 columns, comments and literals included', () => {
  const lines = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => existsSync(file) && file !== 'client/contract.ts' && !wide.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, index) => ({ line, place: `${file}:${index + 1}` })),
    )
  expect(lines.length).toBeGreaterThan(10_000)
  const tooWide = lines.filter(({ line }) => line.length > 100 && !/https?:/.test(line))
  expect(tooWide.map(({ place }) => place)).toEqual([])
})
