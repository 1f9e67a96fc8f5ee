import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { deploymentKey } from '../access/keys.ts'
import { batchGet, type Item, type ItemKey, itemId, projection } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { changesOf, type ItemKind, kindsInOrder, partsOf } from './changes-of.ts'

/** What is kept of an item until its turn: where it is, and of a folder its place, which sorts it behind those above it. */
type Found = ItemKey & { readonly table: TableName; readonly rank: number; readonly place?: string }

const byRankAndKey = (a: Found, b: Found): number =>
  a.rank - b.rank || compare(a.place ?? '', b.place ?? '') || compare(a.pk, b.pk) || compare(a.sk ?? '', b.sk ?? '')

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Items are read so many at a time, in so many calls at once. */
const batch = 100
const atOnce = 8

/**
 * The catalog as the changes that make it, each as one line of JSON: every thing after what it refers to, and in the same
 * order whenever the same catalog is exported. What ended is in it where revisions are in use, so that an older change
 * cannot bring it back. It reads whole tables and keeps all keys in memory.
 * @param accountId what belongs to this account alone; left out: everything
 */
export async function* exportCatalog(storage: Storage, accountId?: string): AsyncGenerator<string> {
  const found = [...(await keysOf(storage, 'catalog', accountId)), ...(await keysOf(storage, 'credentials', accountId))]
  found.sort(byRankAndKey)
  const batches = Array.from({ length: Math.ceil(found.length / batch) }, (_, index) => index * batch)
  for (let done = 0; done < batches.length; done += atOnce) {
    const reading = batches.slice(done, done + atOnce).map((from) => linesOf(storage, found.slice(from, from + batch)))
    for (const lines of await Promise.all(reading)) yield* lines
  }
}

async function linesOf(storage: Storage, found: readonly Found[]): Promise<string[]> {
  const read = await Promise.all(
    (['catalog', 'credentials'] as const).map((table) => {
      const keys = found.filter((each) => each.table === table)
      return batchGet(storage, keys, { table, consistent: true })
    }),
  )
  const items = new Map(read.flatMap((items) => [...items]))
  return found.flatMap((key) => {
    const item = items.get(itemId(key))
    return item ? changesOf(kindsInOrder[key.rank] as ItemKind, item) : []
  })
}

async function keysOf(storage: Storage, table: TableName, accountId: string | undefined): Promise<Found[]> {
  const { expression, names } = projection(['pk', 'sk', 'place', 'accountId'])
  const pages = paginateScan(
    { client: storage.client },
    { TableName: storage.tables[table], ProjectionExpression: expression, ExpressionAttributeNames: names },
  )
  const found: Found[] = []
  /** The accounts of what does not have them in its key. */
  const accounts = new Map<string, unknown>()
  for await (const { Items = [] } of pages) {
    for (const item of Items as Item[]) {
      const parts = partsOf(item)
      const rank = kindsInOrder.findIndex((kind) => kind.has(parts))
      if (rank === -1) continue
      const { pk, sk, place, accountId } = item
      if (accountId !== undefined) accounts.set(pk, accountId)
      const isPlaced = kindsInOrder[rank]?.byPlace && place !== undefined
      found.push({ table, rank, pk, ...(sk !== undefined && { sk }), ...(isPlaced && { place: place as string }) })
    }
  }
  return accountId === undefined ? found : found.filter((key) => accountOf(key, accounts) === accountId)
}

function accountOf(key: ItemKey, accounts: ReadonlyMap<string, unknown>): unknown {
  const [first = '', second] = partsOf(key).pk
  if (first === 'account' || first === 'user') return second
  return accounts.get(key.pk) ?? accounts.get(deploymentKey(Number(first)).pk)
}
