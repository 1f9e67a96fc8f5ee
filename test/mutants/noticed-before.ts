import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Mutant, Outcome } from './plan.ts'

type Kept = Record<string, { readonly noticedBy: string; readonly test: string; readonly hashOfTest: string }>

const nameOf = (folder: string) => `${folder}/noticed.json`

/** What the last runs noticed in files that are still the same, by tests that are still the same. */
export function noticedBefore(mutants: readonly Mutant[], folder: string): Map<string, Outcome> {
  const kept = read(folder)
  return new Map(
    mutants.flatMap((mutant) => {
      const known = kept[keyOf(mutant)]
      if (!known || hashOf(known.test) !== known.hashOfTest) return []
      return [[mutant.id, { id: mutant.id, noticedBy: known.noticedBy, test: known.test }] as const]
    }),
  )
}

export function keepNoticed(mutants: readonly Mutant[], outcomes: ReadonlyMap<string, Outcome>, folder: string): void {
  const kept = read(folder)
  for (const mutant of mutants) {
    const { noticedBy, test } = outcomes.get(mutant.id) ?? {}
    if (noticedBy && test) kept[keyOf(mutant)] = { noticedBy, test, hashOfTest: hashOf(test) }
    else delete kept[keyOf(mutant)]
  }
  writeFileSync(nameOf(folder), JSON.stringify(kept))
}

const read = (folder: string): Kept =>
  existsSync(nameOf(folder)) ? (JSON.parse(readFileSync(nameOf(folder), 'utf8')) as Kept) : {}

const keyOf = ({ file, start, end, replacement }: Mutant) => `${file} ${hashOf(file)} ${start} ${end} ${replacement}`

const hashes = new Map<string, string>()

function hashOf(file: string): string {
  const known = hashes.get(file)
  if (known) return known
  const hash = existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('base64url') : ''
  hashes.set(file, hash)
  return hash
}
