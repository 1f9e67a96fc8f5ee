import { readFileSync } from 'node:fs'

/** One small mistake in one place of a file. */
export type Mutant = {
  readonly id: string
  readonly file: string
  readonly mutator: string
  /** Offsets into the file. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly original: string
  readonly replacement: string
}

/** What a run without mistakes showed of a test file. Durations are in milliseconds. */
export type Observed = {
  readonly file: string
  readonly passed: boolean
  readonly duration: number
  readonly tests: readonly { readonly id: string; readonly name: string; readonly duration: number }[]
  /** How often each mutant was reached: as the file was loaded, in hooks that many tests share, and in each test. */
  readonly hits: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** What the parent hands to its workers, as a file. */
export type Plan = {
  readonly folder: string
  /** Sources with every mutant in them, each behind a switch, by absolute path. */
  readonly instrumented: Readonly<Record<string, string>>
  readonly mutants: readonly Mutant[]
  /** The ids of those to try. */
  readonly left: readonly string[]
  readonly testFiles: readonly string[]
  /** How long all tests that are asked about a mutant take, in milliseconds. */
  readonly patience: number
  /** Absent in the run without mistakes. */
  readonly observed?: readonly Observed[]
}

export type Outcome = {
  readonly id: string
  /** The test that noticed the mutant, and its failure. Absent if nobody noticed. */
  readonly noticedBy?: string
  /** The file of that test. */
  readonly test?: string
  /** Whether any test runs the code. */
  readonly reached?: boolean
  readonly milliseconds?: number
}

export const readPlan = (): Plan => JSON.parse(readFileSync(process.env.MUTANTS_PLAN as string, 'utf8')) as Plan
