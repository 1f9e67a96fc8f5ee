import type { components } from './contract.ts'

export type PageInfo = components['schemas']['PageInfo']

export type Page<Item> = { readonly items: readonly Item[]; readonly pageInfo: PageInfo }

/** A list: its pages one after the other, each asked for when it is needed, or its items. */
export type Pages<Item> = AsyncIterable<Page<Item>> & { items(): AsyncIterable<Item> }

/** @param read asks for the page after a cursor, or for the first one */
export function pagesOf<Item>(read: (after: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  async function* pages() {
    let after: string | undefined
    do {
      const page = await read(after)
      yield page
      after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined
    } while (after !== undefined)
  }
  async function* items() {
    for await (const page of pages()) yield* page.items
  }
  return { [Symbol.asyncIterator]: pages, items }
}
