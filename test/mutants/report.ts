import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Mutant, Outcome } from './plan.ts'

/** Why nobody notices some mutants, and which. */
const reasons = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as Record<string, string[]>

/**
 * Prints what nobody noticed, and the share that was noticed, by folder.
 * @param all how many mutants there are, of which these may be a sample
 * @returns whether everything unnoticed has a reason
 */
export function report(mutants: readonly Mutant[], outcomes: ReadonlyMap<string, Outcome>, all: number): boolean {
  const explained = new Set(Object.values(reasons).flat())
  const unnoticed = mutants.filter(({ id }) => outcomes.get(id)?.noticedBy === undefined)
  const unexplained = unnoticed.filter((mutant) => !explained.has(named(mutant)))
  for (const mutant of unexplained) {
    const reached = outcomes.get(mutant.id)?.reached === false ? ' (no test reaches it)' : ''
    print(`${relative('.', mutant.file)}:${mutant.line} ${named(mutant).replace(/^\S+ /, '')}${reached}`)
  }
  const found = new Set(mutants.map(named))
  const left = new Set(unnoticed.map(named))
  for (const name of explained) if (found.has(name) && !left.has(name)) print(`Noticed now, though listed: ${name}`)

  print('\n| Folder | Mistakes | Noticed | Not noticed, with a reason | Not noticed |\n|---|---|---|---|---|')
  for (const folder of new Set(mutants.map(({ file }) => dirname(relative('.', file))))) {
    const isHere = ({ file }: Mutant) => dirname(relative('.', file)) === folder
    const all = mutants.filter(isHere).length
    const missed = unnoticed.filter(isHere).length
    const open = unexplained.filter(isHere).length
    const share = `${(all - missed).toLocaleString('en')} (${((100 * (all - missed)) / all).toFixed(1)} %)`
    print(`| \`${folder}\` | ${all.toLocaleString('en')} | ${share} | ${missed - open} | ${open} |`)
  }
  if (mutants.length < all) {
    const [low, high] = intervalOf(mutants.length - unnoticed.length, mutants.length)
    print(
      `\nThese are a sample of ${all.toLocaleString('en')}: with 95 % certainty ${low} to ${high} % of all are noticed.`,
    )
  }
  return unexplained.length === 0
}

/** The 95 % interval of a share (Wilson), in percent. */
function intervalOf(hits: number, count: number): string[] {
  const z = 1.96
  const share = hits / count
  const middle = share + z ** 2 / (2 * count)
  const reach = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return [middle - reach, middle + reach].map((end) => ((100 * end) / (1 + z ** 2 / count)).toFixed(1))
}

/** The name of a mutant in the list: it outlives changes of lines elsewhere in the file. */
function named({ file, original, replacement }: Mutant): string {
  const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 80)
  return `${relative('.', file)}: ${short(original)} → ${short(replacement)}`
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
