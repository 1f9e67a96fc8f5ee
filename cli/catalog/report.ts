import type { Problem } from '@embed-access/core/catalog/change.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { progressLine } from '../progress-line.ts'
import { openCatalogFile } from './file.ts'
import { type ImportCounts, type ImportProgress, importCatalog, type Work } from './import.ts'
import type { Slowness } from './patient.ts'
import type { ImportState } from './state.ts'

/**
 * Imports a catalog file and tells about it on stderr: how far it is, and each line that is refused or fails as it comes.
 * @param state where to keep how far it is; left out: nowhere
 * @param slowness how much the database throttles, which is shown while a batch waits
 */
export async function importWithReport(
  work: Work,
  path: string,
  state?: ImportState,
  slowness?: Slowness,
): Promise<ImportCounts> {
  const file = await openCatalogFile(path)
  const bar = progressLine(process.stderr)
  const started = performance.now()
  let line = state?.from.line ?? 0
  if (slowness) {
    slowness.grown = () => {
      const { answered, throttled } = slowness
      bar.say(`${line} lines; the database throttles: ${answered} requests done since, ${throttled} to be sent again`)
    }
  }
  let begun: { lines: number; share: number } | undefined
  const listener = {
    refused: (line: number, problems: readonly Problem[]) => bar.interrupt(refusalsOf(line, problems)),
    failed: (line: number, reason: string) => bar.interrupt([`line ${line}: not applied: ${printable(reason)}`]),
    leftOut: (line: number, fields: readonly string[]) => bar.interrupt(warningsOf(line, fields)),
    async advanced(progress: ImportProgress) {
      // The state stays before the first line that was not applied, so that a resumed import tries it again.
      if (progress.counts.failed === 0) await state?.keep(progress)
      line = progress.line
      slowness?.reset()
      const seconds = (performance.now() - started) / 1000
      const share = file.progress()
      // Lines that an earlier run has done pass in no time.
      begun ??= { lines: state?.from.line ?? 0, share: state?.from.line ? (share ?? 0) : 0 }
      const rate = (progress.line - begun.lines) / seconds
      bar.show(progress.line, rate, share, share && (seconds * (1 - share)) / (share - begun.share))
    },
  }
  try {
    // Whatever ends it from here on, it can be resumed.
    await state?.keep(state.from)
    const counts = await importCatalog(work, file.lines(), listener, state?.from)
    if (counts.failed === 0) await state?.end()
    return counts
  } finally {
    bar.end()
  }
}

/** `applied 3, skipped 0, refused 1, failed 0` */
export const summaryOf = ({ applied, skipped, refused, failed }: ImportCounts): string =>
  `applied ${applied}, skipped ${skipped}, refused ${refused}, failed ${failed}`

/** What a line is refused for, as lines for a person. */
export const refusalsOf = (line: number, problems: readonly Problem[]): string[] =>
  problems.map(({ pointer, reason }) => `line ${line}: ${printable(`${pointer} ${reason}`.trim())}`)

/** Which fields of a line are left out, as lines for a person. */
export const warningsOf = (line: number, fields: readonly string[]): string[] =>
  fields.map((field) => `line ${line}: ${printable(field)} is not a known field, and was left out`)
