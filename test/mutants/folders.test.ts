import { globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { folders } from './folders.ts'

test('Every file of these folders is in one whose mistakes are tried', () => {
  const tried = Object.values(folders).flatMap(({ files }) => globSync([...files]))
  const all = ['core', 'functions', 'cli', 'client', 'openapi', 'local/gateway'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/node_modules|^dist/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  expect(tried.toSorted()).toEqual(all.toSorted())
})

test.each(Object.entries(folders))(
  'The tests that are asked about mistakes in %s are there',
  (_, { tests }) => {
    for (const glob of tests.flatMap(alternatives))
      expect([glob, globSync(glob).length > 0]).toEqual([glob, true])
  },
)

test('Every night mistakes are tried in each folder', () => {
  const { jobs } = parse(readFileSync('.github/workflows/nightly.yml', 'utf8'))
  expect(jobs.mutants.strategy.matrix.folder).toEqual(Object.keys(folders))
})

/** The globs that a glob with alternatives stands for, such as `a/{b,c}.ts`. */
function alternatives(glob: string): string[] {
  const [all, before = '', between = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(glob) ?? []
  if (all === undefined) return [glob]
  return between.split(',').flatMap((each) => alternatives(`${before}${each}${after}`))
}
