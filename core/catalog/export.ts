import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { batchGet, type Item, type ItemKey, itemId, projection } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { changesOf, type KeyParts, kindsInOrder, partsOf } from './changes-of.ts'

/** What is kept of an item until its turn: where it is, and by what it is sorted. */
type Found = { readonly table: TableName; readonly key: ItemKey; readonly rank: number; readonly order: string }

/** Items are read so many at a time, several times at once. */
const batch = 100
const inFlight = 8

/**
 * The catalog as the changes that make it, each as one line of JSON: every thing after what it refers to, and in the same
 * order whenever the same catalog is exported. What ended is in it where revisions are in use, so that an older change
 * cannot bring it back. It reads whole tables and keeps all keys in memory.
 * @param accountId what belongs to this account alone; left out: everything
 */
export async function* exportCatalog(storage: Storage, accountId?: string): AsyncGenerator<string> {
  const found = [...(await keysOf(storage, 'catalog', accountId)), ...(await keysOf(storage, 'credentials', accountId))]
  found.sort((a, b) => a.rank - b.rank || (a.order < b.order ? -1 : 1))
  const reading: Promise<string[]>[] = []
  for (let from = 0; from < found.length || reading.length > 0; from += batch) {
    if (from < found.length) reading.push(linesOf(storage, found.slice(from, from + batch)))
    if (reading.length >= inFlight || from >= found.length) yield* (await reading.shift()) ?? []
  }
}

async function linesOf(storage: Storage, found: readonly Found[]): Promise<string[]> {
  const read = await Promise.all(
    (['catalog', 'credentials'] as const).map((table) => {
      const keys = found.filter((each) => each.table === table).map(({ key }) => key)
      return batchGet(storage, keys, { table, consistent: true })
    }),
  )
  const items = new Map(read.flatMap((items) => [...items]))
  return found.flatMap(({ key }) => {
    const item = items.get(itemId(key))
    return item ? changesOf(item) : []
  })
}

async function keysOf(storage: Storage, table: TableName, accountId: string | undefined): Promise<Found[]> {
  const { expression, names } = projection(['pk', 'sk', 'place', 'accountId'])
  const pages = paginateScan(
    { client: storage.client },
    { TableName: storage.tables[table], ProjectionExpression: expression, ExpressionAttributeNames: names },
  )
  const found: (Found & { readonly owner: Owner })[] = []
  const accounts = new Map<string, string>()
  for await (const { Items = [] } of pages) {
    for (const item of Items as Item[]) {
      const parts = partsOf(item)
      const rank = kindsInOrder.findIndex((kind) => kind.has(parts))
      if (rank === -1) continue
      const { pk, sk } = item
      const [first = '', second] = parts.pk
      if (first === 'deployment') accounts.set(second as string, item.accountId as string)
      found.push({
        table,
        key: sk === undefined ? { pk } : { pk, sk },
        rank,
        // A folder's place sorts it behind those that it lies in.
        order: `${kindsInOrder[rank]?.byPlace ? (item.place ?? '') : ''} ${itemId(item)}`,
        owner: ownerOf(parts, item),
      })
    }
  }
  const isWanted = ({ account, deployment }: Owner) =>
    accountId === undefined || (account ?? accounts.get(deployment ?? '')) === accountId
  return found.filter(({ owner }) => isWanted(owner)).map(({ owner, ...rest }) => rest)
}

type Owner = { readonly account?: string | undefined; readonly deployment?: string | undefined }

function ownerOf({ pk: [first, second] }: KeyParts, item: Item): Owner {
  if (first === 'account' || first === 'user') return { account: second }
  if (first === 'deployment' || first === 'apiKey') return { account: item.accountId as string | undefined }
  return { deployment: first }
}
