import { namedBySession } from '../embed-tenants/session-tenants.ts'
import { parseJson } from '../json.ts'
import { batchGet } from '../storage/batch-get.ts'
import { type Item, type ItemKey, itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { isThrottled } from '../storage/unavailable.ts'
import { itemsOf, linesOf, ownerOf, refuseFirstVersion } from './export.ts'
import {
  contentOf,
  digest,
  fieldsIn,
  type KindName,
  nameOf,
  type Parsed,
  type Problem,
} from './kind.ts'
import { paced } from './pace.ts'
import { parse, parseValid } from './parse.ts'

/** A line of a dump: its number, and its change, or why it cannot be read. */
type DumpLine = {
  readonly number: number
  readonly change: unknown
  readonly problems?: readonly Problem[]
}

/** A dump that cannot be compared. What it lacks may well be there at its source. */
export class UnusableDump extends Error {
  override readonly name = 'UnusableDump'
}

/**
 * Compares a dump, which has one change for each thing, with the tables. It keeps two numbers for
 * each thing of the dump, and more for what differs.
 *
 *   1. read the dump    a digest of each thing that it has
 *   2. scan the tables  what is the same, what differs, and what only the tables have
 *   3. read the dump    the changes of what differs, and of what the tables lack
 *
 * A thing that has the same content here and a lower revision differs too. A late change with a
 * revision between the two could still replace this content.
 *
 * @param dump gives the lines anew at each call
 * @param tell gets why a line has no valid change, or which of its fields are left out
 * @param deploymentId limits the comparison to what belongs to this deployment
 * @returns `here`: how many things the tables have. `madeHere`: how many the dump lacks because
 *   this service made them. `extra`: deletions of all else that it lacks. `others`: the other
 *   differences. A `newer` thing has changed since the dump and is left. In a `conflict` both
 *   revisions are equal
 * @throws UnusableDump for a dump with a line that is not valid, with two different changes of a
 *   thing, or without changes
 */
export async function differences(
  storage: Storage,
  dump: () => AsyncIterable<DumpLine>,
  tell: Tell,
  deploymentId?: number,
) {
  const isCompared = ({ key }: Parsed) =>
    deploymentId === undefined || ownerOf(key).deploymentId === deploymentId
  const dumped = await digestsIn(dump(), isCompared, tell)
  if (dumped.size === 0) {
    const which = deploymentId === undefined ? '' : ` of deployment ${deploymentId}`
    throw new UnusableDump(`has no change${which}`)
  }

  const stored = new Map<number, Stored>()
  const extra: Extra[] = []
  let here = 0
  let madeHere = 0
  for await (const { parsed, item } of storedChanges(storage)) {
    if (!isCompared(parsed)) continue
    const { op } = parsed.change
    const thing = thingOf(parsed)
    const inDump = dumped.get(thing)
    if (op === 'put') here += 1
    if (inDump === digestOf(parsed)) {
      dumped.delete(thing)
    } else if (inDump !== undefined) {
      stored.set(thing, summaryOf(parsed, item))
    } else if (op === 'put') {
      if (isMadeHere(parsed, item)) madeHere += 1
      else extra.push(deletionOf(parsed))
    }
  }

  return { here, extra, madeHere, others: others() }

  /** What is left in `dumped` differs or is missing. Each thing comes once. */
  async function* others() {
    for await (const { change } of dump()) {
      const parsed = parseValid(change)
      const thing = thingOf(parsed)
      const isLeft = dumped.delete(thing)
      if (!isLeft) continue
      const what = comparison(parsed, stored.get(thing))
      if (what !== 'same') yield { what, change, name: nameIn(parsed) }
    }
  }
}

type Tell = (line: number, problems: readonly Problem[], outcome: 'refused' | 'leftOut') => void

const nameIn = ({ kind, change }: Parsed): string => nameOf(kind, change.data)

export const nameOfChange = (change: unknown): string => nameIn(parseValid(change))

type Stored = ReturnType<typeof summaryOf>

/** What is kept of a stored thing. The content is a digest. */
const summaryOf = (parsed: Parsed, item: Item) => ({
  revision: parsed.change.revision,
  accountId: parsed.change.data.accountId,
  content: digest(contentOf(parsed)),
  [namedBySession]: item[namedBySession],
})

/**
 * Digests of the changes of a dump, by digests of the things.
 * @throws UnusableDump for a line that is not valid, or two different changes of a thing
 */
async function digestsIn(
  dump: AsyncIterable<DumpLine>,
  isCompared: (parsed: Parsed) => boolean,
  tell: Tell,
): Promise<Map<number, number>> {
  const digests = new Map<number, number>()
  let refusals = 0
  const refuse = (line: number, problems: readonly Problem[]) => {
    refusals += 1
    tell(line, problems, 'refused')
  }
  for await (const { number, change, problems } of dump) {
    const parsed = problems ? { problems } : parse(change)
    if ('problems' in parsed) {
      refuse(number, parsed.problems)
      continue
    }
    if (parsed.leftOut) tell(number, parsed.leftOut, 'leftOut')
    if (!isCompared(parsed)) continue
    const thing = thingOf(parsed)
    const known = digests.get(thing)
    const current = digestOf(parsed)
    if (known !== undefined && known !== current)
      refuse(number, [
        { pointer: '', reason: `is a second change of ${nameIn(parsed)}. Keep the newest` },
      ])
    digests.set(thing, current)
  }
  if (refusals === 0) return digests
  const lines = refusals === 1 ? 'line' : 'lines'
  throw new UnusableDump(`has ${refusals} ${lines} that cannot be compared`)
}

const thingOf = ({ key }: Parsed): number => digest(itemId(key))

const digestOf = (parsed: Parsed): number =>
  digest(`${parsed.change.revision} ${contentOf(parsed)}`)

/**
 * Whether a session has brought back the embed tenant that a change deletes. The tenant then keeps
 * the revision of the deletion, and has the mark of a session.
 */
const isBroughtBack = ({ kind, change }: Parsed, stored: Item | Stored): boolean =>
  kind.name === 'embedTenant' && change.op === 'delete' && stored[namedBySession] === true

type Difference = 'missing' | 'different' | 'newer' | 'conflict'

/**
 * The kinds whose tombstones stay for ever. If the tombstone of an embed tenant were gone, a share
 * would create the tenant again. If the tombstone of a deployment were gone, another account could
 * take its id. The tombstone of an account does not stay: it expires 90 days after a purge.
 */
const deletedForGood: readonly KindName[] = ['embedTenant', 'deployment']

function comparison(parsed: Parsed, stored: Stored | undefined): Difference | 'same' {
  const { op, revision, data } = parsed.change
  if (!stored) return op === 'put' || deletedForGood.includes(parsed.kind.name) ? 'missing' : 'same'
  const isSame = stored.content === digest(contentOf(parsed))
  if (revision === undefined) return isSame ? 'same' : 'different'
  if (stored.revision === undefined || revision > stored.revision) return 'different'
  if (isSame) return 'same'
  if (revision === stored.revision) return isBroughtBack(parsed, stored) ? 'newer' : 'conflict'
  // A thing stays with its first account. So the tables are wrong, though their revision is newer.
  const hasOtherAccount =
    data.accountId !== undefined &&
    stored.accountId !== undefined &&
    data.accountId !== stored.accountId
  return hasOtherAccount ? 'different' : 'newer'
}

/**
 * Whether a share, a recipient, a session or `keys create` may have made a thing, so that no dump
 * has it. These things have no revision, and such an API key has revision 0. An embed tenant that a
 * session brought back still has the revision of its deletion.
 */
function isMadeHere({ kind: { name }, change: { revision } }: Parsed, item: Item): boolean {
  if (name === 'apiKey') return revision === undefined || revision === 0
  const madeWhenNamed: readonly KindName[] = ['embedTenant', 'tenantGroup', 'attributeDefinition']
  if (revision === undefined) return madeWhenNamed.includes(name)
  const wasDeletedLast = item.deletionRevision === revision
  return name === 'embedTenant' && item[namedBySession] === true && wasDeletedLast
}

/** A deletion of a thing that is not in the dump, and the revision of that thing. */
export type Extra = ReturnType<typeof deletionOf>

function deletionOf({ kind, change: { data, revision } }: Parsed) {
  // The delete has the next revision, or 0 if the thing has none. So a newer change that arrives
  // meanwhile wins. No revision comes after the highest one. The delete of a thing with the highest
  // revision has no revision, and is always applied.
  const next = revision === undefined ? 0 : revision + 1
  const numbered = Number.isSafeInteger(next) && { revision: next }
  const identity = fieldsIn(data, kind.identity)
  return { change: { kind: kind.name, op: 'delete', ...numbered, data: identity }, revision }
}

/**
 * Finds the valid changes whose content differs from what is stored under the same revision.
 * @returns for each of these changes, the name of the thing that it changes
 * @throws Error like {@link refuseFirstVersion}
 */
export async function differing(
  storage: Storage,
  changes: readonly unknown[],
): Promise<Map<unknown, string>> {
  const found = new Map<unknown, string>()
  const all = changes.map((change) => ({ change, parsed: parseValid(change) }))
  for (const [table, inTable] of Map.groupBy(all, ({ parsed }) => parsed.kind.table)) {
    const keys = inTable.map(({ parsed }) => parsed.key)
    const items = await patientGet(paced(storage), keys, table)
    refuseFirstVersion(storage.tables[table], [...items.values()])
    for (const { change, parsed } of inTable) {
      const item = items.get(itemId(parsed.key))
      if (item && differs(parsed, item)) found.set(change, nameIn(parsed))
    }
  }
  return found
}

/** Reads items until the database no longer throttles. */
const patientGet = (
  storage: Storage,
  keys: readonly ItemKey[],
  table: TableName,
): Promise<Map<string, Item>> =>
  batchGet(storage, keys, { table, consistent: true }).catch(async (error) => {
    if (!isThrottled(error)) throw error
    await storage.pause(1000)
    return patientGet(storage, keys, table)
  })

/** The changes that the tables hold, each with its item. */
async function* storedChanges(storage: Storage) {
  for await (const { items } of itemsOf(storage)) {
    for (const item of items) {
      const changes = linesOf(item).flatMap((line) => validIn(line) ?? [])
      for (const parsed of changes) yield { parsed, item }
    }
  }
}

/**
 * Gives the change of a line, if this version accepts it. An earlier version may have stored what
 * this version refuses. Such a thing counts as missing, so a dump may replace it.
 */
function validIn(line: string): Parsed | undefined {
  const parsed = parse(parseJson(line))
  return 'problems' in parsed ? undefined : parsed
}

/**
 * The item of an embed tenant has lines of its definitions too, so all lines are compared.
 * Definitions themselves are not: sessions change them too, and keep their revisions.
 */
const differs = (parsed: Parsed, item: Item): boolean =>
  !isBroughtBack(parsed, item) &&
  linesOf(item).some((line) => {
    const stored = validIn(line)
    return (
      stored?.kind === parsed.kind &&
      stored.change.revision === parsed.change.revision &&
      contentOf(stored) !== contentOf(parsed)
    )
  })
