/** What the sources with mutants look at as they run. */
type Switch = {
  activeMutant?: string | undefined
  /** How often the active mutant was reached, and how often it may be until it throws. */
  hitCount?: number | undefined
  hitLimit?: number | undefined
  currentTestId?: string | undefined
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined
}

const global = globalThis as { __stryker__?: Switch }
global.__stryker__ ??= {}

export const mutants: Switch = global.__stryker__
