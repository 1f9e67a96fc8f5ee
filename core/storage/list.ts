import { decodeCursor } from './cursor.ts'
import { type Document, unpackAll } from './document.ts'
import { countThatFit, type Entry, type Page, type PageRequest, pageOf, pageSize } from './page.ts'
import { type IndexItems, queryIndex } from './query-index.ts'
import type { Storage } from './storage.ts'

/** A list that is one partition of an index, sorted by `order`. */
export type StoredList = {
  readonly index: string
  readonly partition: string
  /** What cursors of this list are bound to: its name, the account, the deployment and all filters. */
  readonly identity: readonly unknown[]
}

/** Turns items of an index into entries. It may leave out things that have been deleted. */
export type ReadEntries = (items: IndexItems['items']) => Promise<Entry[]>

/** Reads the documents that the index itself has. */
export const documentsInIndex: ReadEntries = async (items) => {
  const texts = unpackAll(items.map(({ document }) => document as Document))
  return items.map(({ order }, index) => ({ position: order as string, json: texts[index] as string }))
}

/**
 * Reads a page of a stored list.
 * @throws Refusal `invalid_cursor`
 */
export async function listPage(
  storage: Storage,
  { index, partition, identity }: StoredList,
  request: PageRequest,
  readEntries: ReadEntries = documentsInIndex,
): Promise<Page> {
  const entries: Entry[] = []
  // One more than the page may have says whether the list goes on.
  const wanted = pageSize(request.first) + 1
  let after = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  let more = true
  while (more && entries.length < wanted && countThatFit(entries, wanted) === entries.length) {
    const read = await queryIndex(storage, { index, partition, after }, wanted - entries.length)
    entries.push(...(await readEntries(read.items)))
    after = read.items.at(-1)?.order as string | undefined
    more = read.more
  }
  return pageOf(identity, request, entries)
}
