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

/** A group of tests: where its own tests stand in the text, and its name. */
const groupsIn = (text: string) =>
  [...text.matchAll(/^( *)describe\b[^;]*?\(\s*(?:'((?:[^'\\\n]|\\.)+)'|`([^`\n]+)`)\s*,/gm)].map(
    ({ index, 0: { length }, 1: indent, 2: quoted, 3: template }) => {
      const from = index + length
      const to = from + text.slice(from).search(RegExp(`^${indent}[})]`, 'm'))
      return { from, to, name: `${quoted ?? template} > ` }
    },
  )

test('the name of a test has fewer than 80 characters, and than 120 after its groups', () => {
  const long = files.flatMap(({ file, text }) => {
    const groups = groupsIn(text)
    return [...text.matchAll(name)].flatMap(({ index, 1: quoted, 2: template }) => {
      const own = quoted ?? template ?? ''
      const around = groups.filter(({ from, to }) => from < index && index < to)
      const joined = around.map((group) => group.name).join('') + own
      return own.length < 80 && joined.length < 120 ? [] : [`${file}: ${joined}`]
    })
  })
  expect(long).toEqual([])
})

/** Parts that still have wider lines. Delete what is done. */
const wide = /^test\/newcomer\//

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
  // In bytes: a character of a drawing has three.
  const tooWide = lines.filter(({ line }) => Buffer.byteLength(line) > 100 && !/https?:/.test(line))
  expect(tooWide.map(({ place }) => place)).toEqual([])
})

test('no comment of a workflow, template or script is wider than 100 columns', () => {
  const isWide = /^(?=.{101}) *#(?!.*https:)/
  const places = execFileSync('git', ['ls-files', '*.yml', '.ci', 'scripts'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => existsSync(file) && !file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (isWide.test(line) ? `${file}:${index + 1}` : [])),
    )
  expect(places).toEqual([])
})

test('git writes every text with LF, also on Windows', () => {
  const listed = execFileSync('git', ['ls-files', '--eol'], { encoding: 'utf8' }).trim().split('\n')
  const texts = listed.filter((line) => !line.startsWith('i/-text'))
  expect(texts.length).toBeGreaterThan(500)
  const isLf = /^i\/(lf|none) .* attr\/text=auto eol=lf\b/
  expect(texts.filter((line) => !isLf.test(line))).toEqual([])
})
