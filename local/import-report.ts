import type { Problem } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { openCatalogFile } from './catalog-file.ts'
import { type ImportCounts, importCatalog } from './import-catalog.ts'

const barWidth = 30

/** Imports a catalog file and tells about it on stderr: how far it is, and each line that is refused as it comes. */
export async function importWithReport(storage: Storage, path: string): Promise<ImportCounts> {
  const file = await openCatalogFile(path)
  const bar = progressLine(process.stderr)
  const started = performance.now()
  try {
    return await importCatalog(storage, file.lines(), {
      refused: (line, problems) => bar.interrupt(problems.map((problem) => `line ${line}: ${sentence(problem)}`)),
      advanced: (lines) => bar.show(lines, lines / ((performance.now() - started) / 1000), file.progress()),
    })
  } finally {
    bar.end()
  }
}

/** `applied 3, skipped 0, refused 1` */
export const summaryOf = ({ applied, skipped, refused }: ImportCounts): string =>
  `applied ${applied}, skipped ${skipped}, refused ${refused}`

/** The field may be any name out of the file, so what a terminal would obey is taken out of it. */
const sentence = ({ field, reason }: Problem): string => `${field} ${reason}`.trim().replaceAll(/\p{Cc}/gu, '�')

/** A bar that redraws itself on a terminal; elsewhere a line of text, at most one a second. */
function progressLine(stream: NodeJS.WriteStream) {
  let last = performance.now()
  const clear = () => stream.isTTY && stream.write('\r\x1b[K')
  return {
    show(lines: number, rate: number, progress: number | undefined): void {
      const counted = `${lines} lines, ${Math.round(rate)}/s`
      if (stream.isTTY) {
        const filled = Math.round((progress ?? 0) * barWidth)
        const bar = progress === undefined ? '' : `[${'#'.repeat(filled).padEnd(barWidth, '.')}] `
        stream.write(`\r\x1b[K${bar}${counted}`)
      } else if (performance.now() - last >= 1000) {
        last = performance.now()
        stream.write(`${counted}\n`)
      }
    },
    interrupt(messages: readonly string[]): void {
      clear()
      for (const message of messages) stream.write(`${message}\n`)
    },
    end: clear,
  }
}
