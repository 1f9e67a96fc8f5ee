import { decodeCursor } from './cursor.ts'
import { jsonIn } from './document.ts'
import type { Item } from './item.ts'
import { type Entry, isFull, type Page, type PageRequest, pageOf, pageSize } from './page.ts'
import { namedLike, queryIndex } from './query.ts'
import type { Storage } from './storage.ts'

/** A list that is one partition of an index, by `order`. */
type StoredList = {
  readonly index: string
  readonly partition: string
  /** What its cursors are bound to (`cursor.ts`). */
  readonly identity: readonly unknown[]
  /** Only for a list by name: the page has the names that begin with this text. */
  readonly search?: string | undefined
}

/** Makes entries of the items of a list. It may leave out deleted things. */
export type ReadEntries = (items: readonly Item[]) => Promise<Entry[]>

/** The most bytes of a document in an index. A page inflates up to 201 of them. */
export const maxListedBytes = 256 * 1024

export const documentsInIndex: ReadEntries = async (items) =>
  items.map((item) => ({ position: item.order as string, json: jsonIn(item) }))

/** The most reads of a page. It may need several, because some items that it finds are deleted. */
const maxReads = 10

/** @throws Refusal `invalid_cursor` */
export async function listPage(
  storage: Storage,
  list: StoredList,
  request: PageRequest,
  readEntries: ReadEntries = documentsInIndex,
): Promise<Page> {
  const { index, partition, identity, search } = list
  const entries: Entry[] = []
  // One more than the page may have says whether the list goes on.
  const wanted = pageSize(request.first) + 1
  let after = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  let reads = 0
  do {
    const range = search === undefined ? { after } : namedLike(search, after)
    const missing = wanted - entries.length
    const { items, end } = await queryIndex(storage, { index, partition, ...range }, missing)
    entries.push(...(await readEntries(items)))
    after = end
    reads += 1
  } while (after !== undefined && reads < maxReads && !isFull(entries, wanted))
  return pageOf(identity, request, entries, after)
}
