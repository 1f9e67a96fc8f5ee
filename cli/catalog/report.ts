import type { Problem } from '@embed-access/core/catalog/change.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import type { Output } from '../command.ts'
import { progressLine } from '../progress-line.ts'
import { openCatalogFile } from './file.ts'
import { atStart, type ImportCounts, type ImportProgress, importCatalog, type Work } from './import.ts'
import type { Slowness } from './retrying-storage.ts'
import type { ImportState } from './state.ts'

/** What is said of a line, and whether it means that something is wrong with it. */
export type Told = { readonly line: number; readonly isWrong: boolean; readonly text: string }

export type Reporting = {
  readonly err?: Output
  readonly isQuiet?: boolean | undefined
  /** Where to keep how far it is; left out: nowhere. */
  readonly state?: ImportState
  /** How much the database throttles, which is shown while a batch waits. */
  readonly slowness?: Slowness
  readonly tell?: (told: Told) => void
}

/**
 * Imports a catalog file and tells about it on stderr: how far it is, and each line that is refused, fails or is left out.
 * @throws Error if the file has no changes
 */
export async function importWithReport(
  work: Work,
  path: string,
  { err = process.stderr, isQuiet, state, slowness, tell }: Reporting = {},
): Promise<ImportCounts> {
  const file = await openCatalogFile(path)
  const bar = progressLine(err, isQuiet)
  const { from = atStart } = state ?? {}
  let { line } = from
  if (slowness) {
    slowness.grown = () => {
      const { answered, throttled } = slowness
      bar.say(`${line} lines; the database throttles: ${answered} requests done since, ${throttled} to be sent again`)
    }
  }
  const say = (isWrong: boolean, line: number, texts: readonly string[]): void => {
    bar.interrupt(texts)
    for (const text of texts) tell?.({ line, isWrong, text })
  }
  const listener = {
    refused: (line: number, problems: readonly Problem[]) => say(true, line, refusalsOf(line, problems)),
    failed: (line: number, reason: string) => say(true, line, [`line ${line}: not applied: ${printable(reason)}`]),
    leftOut: (line: number, fields: readonly Problem[]) => say(false, line, warningsOf(line, fields)),
    differs: (line: number, thing: string) => say(true, line, [differenceOf(line, thing)]),
    async advanced(progress: ImportProgress) {
      // The state stays before the first line that was not applied, so that a resumed import tries it again.
      if (progress.counts.failed === 0) await state?.keep(progress)
      line = progress.line
      slowness?.reset()
      bar.show(line, file.progress(), from.line)
    },
  }
  try {
    // Whatever ends it from here on, it can be resumed.
    await state?.keep(from)
    const counts = await importCatalog(work, file.lines(), listener, from)
    if (counts.failed === 0) await state?.end()
    if (Object.values(counts).every((count) => count === 0)) throw new Error(`${path} has no changes.`)
    return counts
  } finally {
    bar.end()
  }
}

/** `applied 3, skipped 0, refused 1, failed 0` */
export const summaryOf = ({ applied, skipped, refused, failed }: ImportCounts): string =>
  `applied ${applied}, skipped ${skipped}, refused ${refused}, failed ${failed}`

export const refusalsOf = (line: number, problems: readonly Problem[]): string[] =>
  problems.map(({ pointer, reason }) => `line ${line}: ${printable(`${pointer} ${reason}`.trim())}`)

export const warningsOf = (line: number, fields: readonly Problem[]): string[] =>
  fields.map(({ pointer, reason }) => `line ${line}: ${printable(`${pointer} ${reason}`)}. It was left out`)

const differenceOf = (line: number, thing: string): string =>
  `line ${line}: ${thing} differs from what is stored under this revision; raise its revision`
