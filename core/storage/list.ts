import { decodeCursor } from './cursor.ts'
import { documentIn, unpackAll } from './document.ts'
import type { Item } from './item.ts'
import { type Entry, isFull, type Page, type PageRequest, pageOf, pageSize } from './page.ts'
import { beginningWith, namedLike, queryIndex, queryPartition } from './query.ts'
import type { Storage } from './storage.ts'

/** A list that is one partition of an index, by `order`, or of the catalog, by its sort keys. */
export type StoredList = {
  readonly partition: string
  /** What its cursors are bound to: its name, the account, the deployment and all filters. */
  readonly identity: readonly unknown[]
} & (
  | {
      readonly index: string
      /** Only for a list by name: the page has the names that begin with this text. */
      readonly search?: string | undefined
    }
  /** What the sort keys in the catalog begin with, such as `recipient#`. */
  | { readonly beginning: string }
)

/** Makes entries of the items of a list. It may leave out deleted things. */
export type ReadEntries = (items: readonly Item[]) => Promise<Entry[]>

/** The most bytes of a document in an index. A function inflates a page of up to 201 at once. */
export const maxListedBytes = 256 * 1024

/** Reads the documents that the index itself has. */
export const documentsInIndex: ReadEntries = async (items) => {
  const texts = unpackAll(items.map(documentIn))
  return texts.map((json, index) => ({ position: items[index]?.order as string, json }))
}

/** How many reads a page takes at most, because some of what they find may be deleted. */
const maxReads = 10

const rangeOf = (
  { partition, search }: StoredList & { readonly search?: string | undefined },
  after?: string,
) => ({
  partition,
  ...(search === undefined ? { after } : namedLike(search, after)),
})

/** @throws Refusal `invalid_cursor` */
export async function listPage(
  storage: Storage,
  list: StoredList,
  request: PageRequest,
  readEntries: ReadEntries = documentsInIndex,
): Promise<Page> {
  const { partition, identity } = list
  const entries: Entry[] = []
  // One more than the page may have says whether the list goes on.
  const wanted = pageSize(request.first) + 1
  let after = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  let reads = 0
  do {
    // Much of a partition may be deleted, so each read of it asks for a whole page.
    const { items, end } = await ('index' in list
      ? queryIndex(storage, { index: list.index, ...rangeOf(list, after) }, wanted - entries.length)
      : queryPartition(storage, { partition, ...beginningWith(list.beginning, after) }, wanted))
    entries.push(...(await readEntries(items)))
    after = end
    reads += 1
  } while (after !== undefined && reads < maxReads && !isFull(entries, wanted))
  return pageOf(identity, request, entries, after)
}
