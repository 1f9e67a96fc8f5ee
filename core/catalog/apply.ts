import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import * as v from 'valibot'
import { integer, oneOf, optional } from '../schema.ts'
import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { maxPartitionKeyBytes, maxSortKeyBytes } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { account } from './accounts.ts'
import { dbtSync } from './dbt-syncs.ts'
import { deployment } from './deployments.ts'
import { embedTenant, group, tenantGroup } from './embed-tenants.ts'
import { folder } from './folders.ts'
import { Batch, type Kind } from './kind.ts'
import { notification, recipient } from './notifications.ts'
import { type Change, isBehind, NotApplicable } from './record.ts'
import { share } from './shares.ts'
import { apiKey, user } from './users.ts'
import { workbook } from './workbooks.ts'

const kinds = {
  account,
  user,
  apiKey,
  deployment,
  embedTenant,
  group,
  tenantGroup,
  folder,
  workbook,
  share,
  dbtSync,
  notification,
  recipient,
} satisfies Record<string, Kind>

export type Problem = { readonly field: string; readonly reason: string }

export type ChangeResult =
  | { readonly outcome: 'applied' | 'skipped' }
  | { readonly outcome: 'refused'; readonly problems: readonly Problem[] }

/** How often a change is tried again when another one came between its reading and its writing. */
const attempts = 5

/**
 * Applies catalog changes (catalog contract) as if one after the other, and says of each what became of it. A change
 * that is not valid stops none of the others. At most one caller at a time may change the folders, workbooks and
 * shares of one deployment.
 */
export async function applyChanges(storage: Storage, changes: readonly unknown[]): Promise<ChangeResult[]> {
  const results: ChangeResult[] = []
  const parsed = changes.map((change, index) =>
    parse(change, (problems) => {
      results[index] = { outcome: 'refused', problems }
    }),
  )
  const batch = new Batch(storage)
  for (const run of runsOf(parsed)) {
    const read = await readAll(storage, run)
    await run[0]?.kind.prepare?.(
      batch,
      run.map(({ change }) => change),
    )
    const applyNext = async (change: Parsed) => {
      results[change.index] = await applyOne(batch, change, read)
    }
    await inParallel(run, applyNext, run[0]?.kind.inTurn ? 1 : undefined)
  }
  return results
}

/** What {@link applyChanges} would say as far as that can be told without a look at what is there; nothing is applied. */
export function checkChanges(changes: readonly unknown[]): ChangeResult[] {
  return changes.map((change) => {
    let result: ChangeResult = { outcome: 'applied' }
    parse(change, (problems) => {
      result = { outcome: 'refused', problems }
    })
    return result
  })
}

type Parsed = { readonly index: number; readonly kind: Kind; readonly key: ItemKey; readonly change: Change<unknown> }

const Envelope = v.strictObject(
  {
    kind: oneOf(Object.keys(kinds)),
    op: v.optional(oneOf(['put', 'delete'])),
    revision: optional(integer),
    data: v.custom<object>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    ),
  },
  (issue) =>
    issue.expected === 'never'
      ? 'is not a known field'
      : issue.expected === 'Object'
        ? 'must be an object'
        : 'is required',
)

function parse(input: unknown, refuse: (problems: Problem[]) => void): Omit<Parsed, 'index'> | undefined {
  const envelope = v.safeParse(Envelope, input)
  if (!envelope.success) {
    refuse(problemsOf(envelope.issues))
    return undefined
  }
  const { op = 'put', revision } = envelope.output
  const kind: Kind = kinds[envelope.output.kind as keyof typeof kinds]
  const data = v.safeParse(op === 'put' ? kind.data : kind.identity, envelope.output.data)
  if (!data.success) {
    refuse(problemsOf(data.issues, 'data'))
    return undefined
  }
  const key = kind.key(data.output)
  const reason = tooLargeIn(kind, data.output, key)
  if (reason !== undefined) {
    refuse([{ field: 'data', reason }])
    return undefined
  }
  return { kind, key, change: { op, revision, data: data.output } }
}

/** An item of DynamoDB has at most 400 KB, and some fields are in it more than once. */
const mostDataBytes = 64 * 1024

/** Schemas keep the names of things that come to exist far below the limits of keys; a delete may name anything. */
function tooLargeIn({ holdsDocument }: Kind, data: unknown, { pk, sk = '' }: ItemKey): string | undefined {
  const bytes = holdsDocument ? 0 : Buffer.byteLength(JSON.stringify(data))
  if (bytes > mostDataBytes) return `has ${bytes} bytes as JSON; at most ${mostDataBytes} are possible`
  const tooLong = Buffer.byteLength(pk) > maxPartitionKeyBytes || Buffer.byteLength(sk) > maxSortKeyBytes
  return tooLong ? 'names a thing by more than a key can hold' : undefined
}

const problemsOf = (issues: readonly v.BaseIssue<unknown>[], ...within: string[]): Problem[] =>
  issues.map((issue) => ({ field: [...within, v.getDotPath(issue)].filter(Boolean).join('.'), reason: issue.message }))

/** Consecutive changes of one kind to different things, which may be applied side by side. */
function* runsOf(parsed: readonly (Omit<Parsed, 'index'> | undefined)[]): Generator<Parsed[]> {
  let run: Parsed[] = []
  let seen = new Set<string>()
  for (const [index, change] of parsed.entries()) {
    if (!change) continue
    if (run[0] && (run[0].kind !== change.kind || (seen.has(itemId(change.key)) && !change.kind.inTurn))) {
      yield run
      run = []
      seen = new Set()
    }
    run.push({ ...change, index })
    seen.add(itemId(change.key))
  }
  if (run.length > 0) yield run
}

const readAll = (storage: Storage, run: readonly Parsed[]): Promise<Map<string, Item>> =>
  batchGet(storage, run.flatMap(keysRead), { table: run[0]?.kind.table ?? 'catalog', consistent: true })

const keysRead = ({ kind, key, change }: Parsed): ItemKey[] => [key, ...(kind.reads?.(change.data) ?? [])]

async function applyOne(batch: Batch, parsed: Parsed, readBefore: ReadonlyMap<string, Item>): Promise<ChangeResult> {
  const { kind, key, change } = parsed
  // Changes applied in turn may concern each other, so what was read before them may be behind.
  let read = kind.inTurn ? await readAll(batch.storage, [parsed]) : readBefore
  for (let attempt = 1; ; attempt += 1) {
    const previous = read.get(itemId(key))
    if (!kind.revisedWithin && isBehind(change.revision, previous)) return { outcome: 'skipped' }
    try {
      return { outcome: await kind.apply(batch, change, { previous, item: (key) => read.get(itemId(key)) }) }
    } catch (error) {
      if (error instanceof NotApplicable)
        return {
          outcome: 'refused',
          problems: [{ field: ['data', error.field].filter(Boolean).join('.'), reason: error.message }],
        }
      if (!(error instanceof ConditionalCheckFailedException) || attempt === attempts) throw error
      read = await readAll(batch.storage, [parsed])
    }
  }
}
