import { hash } from 'node:crypto'
import { itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { lineOf } from './change.ts'
import { exportCatalog } from './export.ts'
import { type Parsed, parse } from './parse.ts'

/**
 * How a thing differs from the dump. `newer`: it has changed since the dump, and is left. `conflict`: both have the
 * same revision.
 */
export type Difference =
  | { readonly what: 'missing' | 'different' | 'newer' | 'conflict'; readonly change: unknown }
  /** The delete of a thing that is here and not in the dump. */
  | { readonly what: 'extra'; readonly change: unknown; readonly revision: number | undefined }

/**
 * Compares a dump of the platform's truth, which has one change for each thing, with what is here. It streams the dump
 * twice and the tables once. It keeps two numbers for each thing of the dump.
 * @param dump gives the changes anew at each call; those that are not valid are left out
 * @param deploymentId limits it to what belongs to this deployment; left out: everything
 */
export async function* differences(
  storage: Storage,
  dump: () => AsyncIterable<unknown>,
  deploymentId?: number,
): AsyncGenerator<Difference> {
  const contents = new Map<number, number>()
  const revisions = new Map<number, number | undefined>()
  for await (const { thing, content } of facts(dump(), deploymentId)) contents.set(thing, content)
  for await (const { parsed, thing, content } of facts(parsedLines(exportCatalog(storage)), deploymentId)) {
    const expected = contents.get(thing)
    if (expected === content) contents.delete(thing)
    else if (expected !== undefined) revisions.set(thing, parsed.change.revision)
    else if (parsed.change.op === 'put' && !mayBeOurs(parsed)) yield extra(parsed)
  }
  for await (const { parsed, change, thing } of facts(dump(), deploymentId)) {
    if (!contents.delete(thing)) continue
    if (revisions.has(thing)) yield { what: comparison(parsed.change.revision, revisions.get(thing)), change }
    else if (parsed.change.op === 'put') yield { what: 'missing', change }
  }
}

type Fact = {
  readonly parsed: Parsed
  readonly change: unknown
  /** Digests of 52 bits: among a million things, two have the same digest in one of ten thousand comparisons. */
  readonly thing: number
  readonly content: number
}

async function* facts(changes: AsyncIterable<unknown>, deploymentId: number | undefined): AsyncGenerator<Fact> {
  for await (const change of changes) {
    const parsed = parse(change)
    if ('problems' in parsed || (deploymentId !== undefined && deploymentOf(parsed) !== deploymentId)) continue
    const { kind, key, attributes } = parsed
    const thing = digest(`${kind.name} ${itemId(key)}`)
    yield { parsed, change, thing, content: digest(`${parsed.change.op} ${JSON.stringify(attributes)}`) }
  }
}

async function* parsedLines(lines: AsyncIterable<string>): AsyncGenerator<unknown> {
  for await (const line of lines) yield JSON.parse(line)
}

const digest = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 13), 16)

function deploymentOf({ kind, change }: Parsed): number | undefined {
  const { deploymentId, id } = change.data as { deploymentId?: number; id?: number }
  return kind.name === 'deployment' ? id : deploymentId
}

function comparison(there: number | undefined, here: number | undefined): 'different' | 'newer' | 'conflict' {
  if (there === undefined || here === undefined || there > here) return 'different'
  return there === here ? 'conflict' : 'newer'
}

/** Shares and sessions make these by themselves, without a revision. */
const mayBeOurs = ({ kind, change }: Parsed): boolean =>
  change.revision === undefined && ['embedTenant', 'tenantGroup', 'attributeDefinition'].includes(kind.name)

function extra({ kind, change: { data, revision } }: Parsed): Difference {
  const fields = 'entries' in kind.identity ? Object.keys(kind.identity.entries as object) : Object.keys(data as object)
  const identity = Object.fromEntries(Object.entries(data as object).filter(([field]) => fields.includes(field)))
  const next = revision === undefined ? undefined : revision + 1
  return { what: 'extra', change: JSON.parse(lineOf(kind.name, 'delete', next, JSON.stringify(identity))), revision }
}
