import type { Page, PageRequest } from '@embed-access/core/storage/page.ts'
import { Broken } from './broken.ts'

/** More pages than a list of the simulation can have. */
const mostPages = 200

/** All items of a list, page after page; a page may have fewer items than it could, even none. */
export async function readPages<Item>(
  size: () => number,
  read: (request: PageRequest) => Promise<Page>,
  onPage: (items: readonly Item[]) => void = () => {},
): Promise<Item[]> {
  const all: Item[] = []
  let after: string | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    const first = size()
    const { items, pageInfo } = await read({ first, after })
    const parsed = items.map((item) => JSON.parse(item) as Item)
    if (parsed.length > first) throw new Broken(`A page of ${first} has ${parsed.length} items.`)
    onPage(parsed)
    all.push(...parsed)
    if (!pageInfo.hasNextPage) return all
    if (pageInfo.endCursor === null || pageInfo.endCursor === after) throw new Broken('The cursor does not move on.')
    after = pageInfo.endCursor
  }
  throw new Broken(`The list has no end after ${mostPages} pages.`)
}
