import { parseJson } from '../json.ts'
import { batchGet, type Item, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { isThrottled } from '../storage/unavailable.ts'
import { exportCatalog, linesOf, ownerOf } from './export.ts'
import {
  type Content,
  contentOf,
  digest,
  fieldsIn,
  nameOf,
  type Parsed,
  type Problem,
} from './kind.ts'
import { paced } from './pace.ts'
import { parse } from './parse.ts'

/** A line of a dump: its number, its change, and why it has none if it cannot be read. */
type DumpLine = {
  readonly number: number
  readonly change: unknown
  readonly problems?: readonly Problem[]
}

/** A dump that does not say what should be here. What it lacks may well be there at its source. */
export class UnusableDump extends Error {
  override readonly name = 'UnusableDump'
}

/**
 * Compares a dump, which has one change for each thing, with what is here. It keeps two numbers for
 * each thing of the dump.
 * @param dump gives the lines anew at each call
 * @param tell gets why a line has no valid change, or which of its fields are left out
 * @param deploymentId limits it to what belongs to this deployment
 * @returns how many things are here, what is extra, and the differences of the others. `newer`: it
 * has changed since the dump,
 *   and is left. `conflict`: both have the same revision
 * @throws UnusableDump for a dump with a line that is not valid, or with nothing in it
 */
export async function differences(
  storage: Storage,
  dump: () => AsyncIterable<DumpLine>,
  tell: (line: number, problems: readonly Problem[], outcome: 'refused' | 'leftOut') => void,
  deploymentId?: number,
) {
  const isMeant = ({ key }: Parsed) =>
    deploymentId === undefined || ownerOf(key).deploymentId === deploymentId
  const contents = new Map<number, number>()
  let refused = 0
  for await (const { number, change, problems } of dump()) {
    const parsed = problems ? { problems } : parse(change)
    if ('problems' in parsed) {
      refused += 1
      tell(number, parsed.problems, 'refused')
      continue
    }
    if (parsed.leftOut) tell(number, parsed.leftOut, 'leftOut')
    if (isMeant(parsed)) contents.set(thingOf(parsed), digest(contentOf(parsed)))
  }
  if (refused > 0)
    throw new UnusableDump(
      `has ${refused} ${refused === 1 ? 'line' : 'lines'} without a valid change`,
    )
  const whose = deploymentId === undefined ? '' : ` of deployment ${deploymentId}`
  if (contents.size === 0) throw new UnusableDump(`has no change${whose}`)

  const revisions = new Map<number, number | undefined>()
  const extra: Extra[] = []
  let here = 0
  for await (const line of exportCatalog(storage)) {
    const parsed = parse(parseJson(line)) as Parsed
    if (!isMeant(parsed)) continue
    const { op, revision } = parsed.change
    const thing = thingOf(parsed)
    const expected = contents.get(thing)
    if (op === 'put') here += 1
    if (expected === digest(contentOf(parsed))) contents.delete(thing)
    else if (expected !== undefined) revisions.set(thing, revision)
    else if (op === 'put' && !isMadeByService(parsed)) extra.push(deletionOf(parsed))
  }

  return { here, extra, others: others() }

  async function* others() {
    for await (const { change } of dump()) {
      const parsed = parse(change) as Parsed
      const { op, revision, data } = parsed.change
      const name = nameOf(parsed.kind, data as Content)
      const thing = thingOf(parsed)
      if (!contents.delete(thing)) continue
      if (revisions.has(thing))
        yield { what: comparison(revision, revisions.get(thing)), change, name }
      else if (op === 'put') yield { what: 'missing' as const, change, name }
    }
  }
}

const thingOf = ({ key }: Parsed): number => digest(itemId(key))

function comparison(
  dumped: number | undefined,
  stored: number | undefined,
): 'different' | 'newer' | 'conflict' {
  if (dumped === undefined || stored === undefined || dumped > stored) return 'different'
  return dumped === stored ? 'conflict' : 'newer'
}

/** Shares and sessions may have made it, since they make such things without a revision. */
const isMadeByService = ({ kind, change }: Parsed): boolean =>
  change.revision === undefined &&
  ['embedTenant', 'tenantGroup', 'attributeDefinition'].includes(kind.name)

/** The delete of a thing that is here and not in the dump. */
export type Extra = ReturnType<typeof deletionOf>

function deletionOf({ kind, change: { data, revision } }: Parsed) {
  // After the last revision that there is, a deletion without one is applied all the same.
  const hasNext = revision !== undefined && revision < Number.MAX_SAFE_INTEGER
  const next = hasNext && { revision: revision + 1 }
  const identity = fieldsIn(data as Content, kind.identity) as Content
  return { change: { kind: kind.name, op: 'delete', ...next, data: identity }, revision }
}

/**
 * The valid changes that say something else of their thing than what is stored under the same
 * revision, with its name.
 */
export async function differing(
  storage: Storage,
  changes: readonly unknown[],
): Promise<Map<unknown, string>> {
  const found = new Map<unknown, string>()
  const all = changes.map((change) => ({ change, parsed: parse(change) as Parsed }))
  for (const [table, those] of Map.groupBy(all, ({ parsed }) => parsed.kind.table)) {
    const keys = those.map(({ parsed }) => parsed.key)
    const items = await patientGet(paced(storage), keys, { table, consistent: true })
    for (const { change, parsed } of those) {
      const item = items.get(itemId(parsed.key))
      if (item && differs(parsed, item))
        found.set(change, nameOf(parsed.kind, parsed.change.data as Content))
    }
  }
  return found
}

const patientGet = (...read: Parameters<typeof batchGet>): ReturnType<typeof batchGet> =>
  batchGet(...read).catch(async (error) => {
    if (!isThrottled(error)) throw error
    await read[0].pause(1000)
    return patientGet(...read)
  })

/** The item of an embed tenant has lines of its definitions too. */
function differs(parsed: Parsed, item: Item): boolean {
  const lines = linesOf(item).map((line) => parse(parseJson(line)) as Parsed)
  const stored = lines.find(({ kind }) => kind === parsed.kind) as Parsed
  return (
    stored.change.revision === parsed.change.revision && contentOf(stored) !== contentOf(parsed)
  )
}
