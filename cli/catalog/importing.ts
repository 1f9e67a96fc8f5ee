import { type ChangeResult, catalogWriter, checkChanges } from '@embed-access/core/catalog/apply.ts'
import { batchesOf } from '@embed-access/core/catalog/batches.ts'
import type { Problem } from '@embed-access/core/catalog/kind.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { differing } from '@embed-access/core/catalog/reconcile.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { progressLine } from '../progress-line.ts'
import { type Output, sayItReads, type Terminal } from '../terminal.ts'
import { type Line, NotLines, openCatalogFile } from './file.ts'
import { DatabaseGone, type Slowness } from './retrying-storage.ts'
import { atStart, digestOfLines, type ImportCounts, type ImportState } from './state.ts'

export type Remark = { line: number; isWrong: boolean; text: string }

/** The most lines with a message that the JSON of a command has. */
const mostRemarks = 1000

/** Collects remarks for JSON. A wrong line makes the exit code 1. */
export function remarksFor(terminal: Pick<Terminal, 'exitCode'>) {
  const lines: Remark[] = []
  const tell = (remark: Remark) => {
    if (remark.isWrong) terminal.exitCode = 1
    if (lines.length < mostRemarks) lines.push(remark)
  }
  return { lines, tell }
}

export type Reporting = {
  err?: Output
  /** What the path `-` reads. By default the standard input of the process. */
  input?: Terminal['in']
  isQuiet?: boolean | undefined
  /** Names lines that are skipped too. */
  isVerbose?: boolean | undefined
  state?: ImportState | undefined
  /** Shown while a batch waits. */
  slowness?: Slowness
  tell?: (remark: Remark) => void
}

/** The outcome of a change. `differs` names its thing if what is stored differs. */
type Result = ChangeResult & { differs?: string | undefined }

/** Works on the lines of a batch, without those that have a problem. */
export type Work = (lines: readonly Pick<Line, 'number' | 'change'>[]) => Promise<readonly Result[]>

export function applyingTo(storage: Storage, now = Date.now): Work {
  const apply = catalogWriter(storage, { now })
  return async (lines) => {
    const changes = lines.map(({ change }) => change)
    const results = await apply(changes)
    const skipped = changes.filter((_, index) => results[index]?.outcome === 'skipped')
    const names = await differing(storage, skipped)
    return results.map((result, index) => ({ ...result, differs: names.get(changes[index]) }))
  }
}

export const checking: Work = async (lines) => checkChanges(lines.map(({ change }) => change))

/** Refuses changes with fields that this version doesn't know, instead of leaving these out. */
export const strictly =
  (work: Work): Work =>
  (lines) =>
    unlessRefused(lines, ({ change }) => checkChanges([change]).flatMap(leftOutOf), work)

const leftOutOf = (result: ChangeResult) => ('leftOut' in result ? (result.leftOut ?? []) : [])

/** Works on the lines that have no problem, and gives the results of all lines in order. */
async function unlessRefused<Each>(
  lines: readonly Each[],
  problemsOf: (line: Each) => readonly Problem[],
  work: (lines: readonly Each[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const checked = lines.map((line) => ({ line, problems: problemsOf(line) }))
  const good = checked.filter(({ problems }) => problems.length === 0)
  const results = await work(good.map(({ line }) => line))
  const resultOf = new Map(good.map((each, index) => [each, results[index] as Result]))
  return checked.map(
    (each) => resultOf.get(each) ?? { outcome: 'refused', problems: each.problems },
  )
}

/** The most lines, and the most bytes, of a batch that is applied together. */
const most = { items: 500, bytes: 8 * 1024 * 1024 }

/**
 * Takes the changes of a catalog file in order. It writes to stderr how far it is, and each line
 * that is refused, fails, differs or is left out. No such line stops another.
 * @throws Error if the file has no changes, or if it has changed since the import that it resumes
 * @throws the cause if every change of a batch failed, or the database is gone: then the rest would
 *   fail too. A part of the last batch may have been applied
 */
export async function importFile(
  work: Work,
  path: string,
  { err = process.stderr, input, isQuiet, isVerbose, state, slowness, tell }: Reporting = {},
): Promise<ImportCounts> {
  if (path === '-' && input) sayItReads({ in: input, err })
  const file = await openCatalogFile(path, input)
  const bar = progressLine(err, isQuiet)
  const from = state?.from ?? atStart
  const counts = { ...from.counts }
  let { line, isWrong } = from
  const done = digestOfLines()
  const requireSame = () => {
    // Until the first batch is done, `done` has only the lines that a resumed import leaves out.
    if (line === from.line) state?.requireSame(done.value())
  }
  if (slowness) slowness.say = (text) => bar.say(`${line} lines; ${text}`)
  try {
    // From here on an import that ends early can be resumed.
    await state?.keep(from)
    const lines = file.lines(line, done.add)
    for await (const batch of batchesOf(lines, ({ bytes }) => bytes?.byteLength ?? 0, most)) {
      requireSame()
      const results = await unlessRefused(
        batch,
        ({ problems = [] }) => problems,
        async (lines) => unlessAllFailed(await work(lines)),
      )
      for (const [index, result] of results.entries()) {
        const { number, bytes } = batch[index] as Line
        line = number
        done.add(bytes)
        counts[result.outcome] += 1
        const remarks = remarksOn(line, result, isVerbose)
        if (remarks.length > 0) bar.interrupt(remarks.map(({ text }) => text).join('\n'))
        for (const remark of remarks) tell?.(remark)
        isWrong ||= remarks.some((remark) => remark.isWrong)
      }
      // The state stays before the first line that was not applied, so that a resumed import tries
      // it again.
      if (counts.failed === 0)
        await state?.keep({ line, digest: done.value(), counts: { ...counts }, isWrong })
      slowness?.reset()
      bar.show(line, file.progress(), from.line)
    }
    requireSame()
    if (counts.failed === 0) await state?.end()
    if (Object.values(counts).every((count) => count === 0))
      throw new Error(`${file.name} has no changes.`)
    return counts
  } catch (error) {
    // A resumed import would refuse the file again.
    if (error instanceof NotLines && line === 0) await state?.end()
    throw error
  } finally {
    bar.end()
  }
}

/**
 * @returns the given results
 * @throws the cause if all of them are failures, or the database is gone
 */
export function unlessAllFailed(results: readonly Result[]): readonly Result[] {
  const failures = results.filter((result) => result.outcome === 'failed')
  const gone = failures.find(({ cause }) => cause instanceof DatabaseGone)
  const reason = gone ?? (failures.length === results.length ? failures[0] : undefined)
  if (reason) throw reason.cause
  return results
}

export function whyNot(result: ChangeResult): string[] {
  if (result.outcome === 'refused') return result.problems.map(textOf)
  return result.outcome === 'failed' ? [`not applied: ${printable(result.reason)}`] : []
}

function remarksOn(line: number, result: Result, isVerbose = false): Remark[] {
  const wrong = (text: string) => ({ line, isWrong: true, text: `line ${line}: ${text}` })
  const right = (text: string) => ({ line, isWrong: false, text })
  if (result.outcome === 'refused' || result.outcome === 'failed') return whyNot(result).map(wrong)
  const warnings = warningsOf(line, result.leftOut ?? []).map(right)
  if (result.differs !== undefined) {
    const advice = 'differs from what is stored under this revision; raise its revision'
    return [...warnings, wrong(`${result.differs} ${advice}`)]
  }
  if (result.outcome === 'skipped' && isVerbose)
    return [right(`line ${line}: skipped, what is stored is as new or newer`)]
  return warnings
}

const textOf = ({ pointer, reason }: Problem): string => printable(`${pointer} ${reason}`.trim())

export const refusalsOf = (line: number, problems: readonly Problem[]): string[] =>
  problems.map((problem) => `line ${line}: ${textOf(problem)}`)

export const warningsOf = (line: number, fields: readonly Problem[]): string[] =>
  refusalsOf(line, fields).map((text) => `${text}. It was left out`)

/** `applied 3, skipped 0, refused 1, failed 0` */
export const summaryOf = ({ applied, skipped, refused, failed }: ImportCounts): string =>
  `applied ${applied}, skipped ${skipped}, refused ${refused}, failed ${failed}`
