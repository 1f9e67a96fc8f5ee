import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Mutant } from './plan.ts'

/** Leaves out the mutants that the compiler refuses by itself. Each is compiled as a file beside the one that it changes. */
export function thoseThatCompile(mutants: readonly Mutant[], folder: string): Mutant[] {
  const copy = `${folder}/typed`
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  cpSync('core', `${copy}/core`, { recursive: true })
  const files = mutants.map((mutant) => {
    const source = readFileSync(mutant.file, 'utf8')
    const changed = source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end)
    const file = `${relative('.', mutant.file).slice(0, -'.ts'.length)}.mutant-${mutant.id}.ts`
    writeFileSync(`${copy}/${file}`, changed)
    return file
  })
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, paths: {} }
  const configuration = { extends: `${process.cwd()}/tsconfig.json`, compilerOptions, include: [], exclude: [], files }
  writeFileSync(`${copy}/tsconfig.json`, JSON.stringify(configuration))
  const { stdout, status } = spawnSync('tsc', ['-p', `${copy}/tsconfig.json`, '--pretty', 'false'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const refused = new Set([...stdout.matchAll(/\.mutant-(\d+)\.ts\(/g)].map(([, id]) => id))
  if (status !== 0 && refused.size === 0) throw new Error(stdout)
  return mutants.filter(({ id }) => !refused.has(id))
}
