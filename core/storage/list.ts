import { decodeCursor } from './cursor.ts'
import { type Document, unpackAll } from './document.ts'
import { countThatFit, type Entry, type Page, type PageRequest, pageOf, pageSize } from './page.ts'
import { type IndexItems, type IndexRange, queryIndex } from './query-index.ts'
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
 * Reads a page of a stored list. With a cursor, a second Query looks in parallel whether anything is before the page.
 * @throws Refusal `invalid_cursor`
 * @example
 * const list = { index: 'byStatus', partition: '1#dbtSyncs#FAILED', identity: ['dbtSyncs', 'acme', 1, 'FAILED'] }
 * const { items, pageInfo } = await listPage(storage, list, { first: 50 })
 */
export async function listPage(
  storage: Storage,
  list: StoredList,
  request: PageRequest,
  readEntries: ReadEntries = documentsInIndex,
): Promise<Page> {
  const after = request.after === undefined ? undefined : decodeCursor(list.identity, request.after)
  const size = pageSize(request.first)
  const [{ entries, more }, hasPreviousPage] = await Promise.all([
    collect(storage, { index: list.index, partition: list.partition, after }, size + 1, readEntries),
    after !== undefined && beginsBefore(storage, list, after),
  ])
  return pageOf(list.identity, entries, { size, more, hasPreviousPage })
}

async function collect(storage: Storage, range: IndexRange, wanted: number, readEntries: ReadEntries) {
  const entries: Entry[] = []
  let { after } = range
  let more = true
  while (more && entries.length < wanted && countThatFit(entries, wanted) === entries.length) {
    const read = await queryIndex(storage, { ...range, after }, wanted - entries.length)
    entries.push(...(await readEntries(read.items)))
    after = read.items.at(-1)?.order as string | undefined
    more = read.more && after !== undefined
  }
  return { entries, more }
}

async function beginsBefore(storage: Storage, { index, partition }: StoredList, position: string): Promise<boolean> {
  const { items } = await queryIndex(storage, { index, partition }, 1)
  const begin = items[0]?.order as string | undefined
  return begin !== undefined && begin <= position
}
