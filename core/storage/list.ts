import { decodeCursor } from './cursor.ts'
import { type Document, unpackAll } from './document.ts'
import { type IndexItems, type IndexRange, queryIndex } from './index-page.ts'
import { countThatFit, type Entry, type Page, type PageRequest, pageOf, pageSize } from './page.ts'
import type { Storage } from './storage.ts'

/** A list that one partition of one index holds in its order, sorted by `order`. */
export type StoredList = {
  readonly index: string
  readonly partition: string
  /** What a cursor of this list is bound to: the list, its filters, the account and the deployment. */
  readonly identity: readonly unknown[]
}

/** Turns index items into entries; it may leave out those that are gone by now. */
export type ReadEntries = (items: IndexItems['items']) => Promise<Entry[]>

/** The default: the index carries the document. */
export const documentsInIndex: ReadEntries = async (items) => {
  const texts = unpackAll(items.map(({ document }) => document as Document))
  return items.map(({ order }, index) => ({ position: order as string, json: texts[index] as string }))
}

/** A page of a stored list; what precedes a cursor is looked up beside it. */
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
