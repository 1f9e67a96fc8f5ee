import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import type { Observed, Plan } from './plan.ts'
import { work } from './work.ts'

/** Runs the tests without any mistake. Those are not run again that had the same sources, and the same text, the last time. */
export async function observe(plan: Plan): Promise<Observed[]> {
  const kept = `${plan.folder}/observed.json`
  const known = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Record<string, Observed>) : {}
  const sources = globSync('{cli,client,core,functions,local,openapi,test}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('test/mutants/'),
  )
  const ofSources = hash([JSON.stringify(plan.instrumented), ...sources.toSorted().map(read)])
  const keys = new Map(plan.testFiles.map((file) => [file, hash([ofSources, read(file)])]))
  const testFiles = plan.testFiles.filter((file) => known[keys.get(file) as string] === undefined)
  const observed = [
    ...(testFiles.length === 0 ? [] : await work<Observed>({ ...plan, testFiles })),
    ...plan.testFiles.flatMap((file) => known[keys.get(file) as string] ?? []),
  ]
  const passed = observed.filter(({ passed }) => passed)
  writeFileSync(kept, JSON.stringify(Object.fromEntries(passed.map((one) => [keys.get(one.file), one]))))
  return observed
}

const read = (file: string) => readFileSync(file, 'utf8')

function hash(texts: readonly string[]): string {
  const whole = createHash('sha256')
  for (const text of texts) whole.update(text).update('\0')
  return whole.digest('base64url')
}
