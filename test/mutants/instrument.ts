import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Mutant, Plan } from './plan.ts'

export const version = '10.1.1'

type Position = { readonly line: number; readonly column: number }
type Instrumenter = {
  instrument(
    files: readonly object[],
    options: object,
  ): Promise<{
    readonly files: readonly { readonly name: string; readonly content: string }[]
    readonly mutants: readonly {
      readonly id: string
      readonly fileName: string
      readonly mutatorName: string
      readonly replacement: string
      readonly location: { readonly start: Position; readonly end: Position }
    }[]
  }>
}

/** Makes sources that have all mutants in them, each behind a switch. */
export async function instrument(paths: readonly string[]): Promise<Pick<Plan, 'instrumented' | 'mutants'>> {
  const instrumenter = '@stryker-mutator/instrumenter'
  const { Instrumenter } = (await import(instrumenter)) as { Instrumenter: new (logger: object) => Instrumenter }
  const nothing = () => false
  const logger = { debug: nothing, info: nothing, isDebugEnabled: nothing }
  const sources = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }))
  const result = await new Instrumenter(logger).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  })
  return {
    instrumented: Object.fromEntries(result.files.map(({ name, content }) => [name, content])),
    mutants: result.mutants.map(({ id, fileName, mutatorName, replacement, location }): Mutant => {
      const source = sources.get(fileName) as string
      const start = offsetIn(source, location.start)
      const end = offsetIn(source, location.end)
      const original = source.slice(start, end)
      return {
        id,
        file: fileName,
        mutator: mutatorName,
        start,
        end,
        line: location.start.line + 1,
        original,
        replacement,
      }
    }),
  }
}

function offsetIn(source: string, { line, column }: Position): number {
  let offset = 0
  for (let passed = 0; passed < line; passed++) offset = source.indexOf('\n', offset) + 1
  return offset + column
}

export function install(): void {
  const manifest = 'node_modules/@stryker-mutator/instrumenter/package.json'
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return
  const one = `@stryker-mutator/instrumenter@${version}`
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', one], { stdio: 'inherit' })
}
