import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anchorsOf } from './headings.ts'

const isOthers = (path: string): boolean => /node_modules|^dist|^docs.released/.test(path)
const code = globSync('**/*.{ts,js,mjs,py,yml,html,css,sh,sql}', { exclude: isOthers })
const pages = globSync('**/*.md', { exclude: isOthers })

/** A page of the documentation, or a section of it by its address. A title in quotes after the page's name leads nowhere. */
const citedPage = /docs\/[\w/-]+\.md(?:#[\w-]*)?|\b(?:decisions|specification|design|contract),[\s*]+"[^"]*"/g

test('code cites pages and sections that exist', () => {
  const broken = code.flatMap((file) =>
    (readFileSync(file, 'utf8').match(citedPage) ?? [])
      .filter((citation) => {
        const [page = '', section] = citation.split('#')
        return !existsSync(page) || (section !== undefined && !anchorsOf(page).includes(section))
      })
      .map((citation) => `${file}: ${citation}`),
  )
  expect(broken).toEqual([])
})

test('documents cite files of tests that exist', () => {
  const broken = pages.flatMap((page) =>
    (readFileSync(page, 'utf8').match(/\btest\/[\w/.-]+\.ts\b/g) ?? [])
      .filter((path) => !existsSync(path))
      .map((path) => `${page}: ${path}`),
  )
  expect(broken).toEqual([])
})

/** What begins a test: its name, options if there are any, and the function. */
const testName = /\(\s*(['"`])(.*?)\1,\s*(?:(?:\{[^}]*\}|\w+),\s*)?(?:async )?\(/g

/** A test as docs/threats.md cites it: its file under `test/`, and words of names in it. */
const citedTest = /`([a-z-]+\/[a-z-]+)`(?:: ([^`|]+))?/g

test('docs/threats.md cites tests that exist, by words of their names', () => {
  const cells = readFileSync('docs/threats.md', 'utf8')
    .split('\n')
    .map((line) => (line.startsWith('|') ? (line.split('|').at(-2) ?? '') : ''))
  const citations = cells.flatMap((cell) => [...cell.matchAll(citedTest)])
  expect(citations.length).toBeGreaterThan(80)
  const broken = citations.flatMap(([, file, words = '']) => {
    const path = `test/${file}.test.ts`
    if (!existsSync(path)) return [path]
    const names = [...readFileSync(path, 'utf8').matchAll(testName)].map(([, , name = '']) => name)
    const wanted = words.split(';').map((each) => each.trim())
    return wanted.filter((each) => !names.some((name) => name.includes(each))).map((each) => `${path}: ${each}`)
  })
  expect(broken).toEqual([])
})
