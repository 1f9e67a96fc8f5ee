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
  const read = (after?: string) => {
    if ('index' in list) {
      const range = list.search === undefined ? { after } : namedLike(list.search, after)
      const missing = wanted - entries.length
      return queryIndex(storage, { index: list.index, partition, ...range }, missing)
    }
    // Much of a partition may be deleted, so each read of it asks for a whole page.
    const range = beginningWith(list.beginning, after)
    return queryPartition(storage, { partition, ...range }, wanted)
  }
  let after = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  let reads = 0
  do {
    const { items, end } = await read(after)
    entries.push(...(await readEntries(items)))
    after = end
    reads += 1
  } while (after !== undefined && reads < maxReads && !isFull(entries, wanted))
  return pageOf(identity, request, entries, after)
}
