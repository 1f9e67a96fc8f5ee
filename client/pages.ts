import type { components } from './contract.ts'

export type PageInfo = components['schemas']['PageInfo']

export type Page<Item> = { readonly items: readonly Item[]; readonly pageInfo: PageInfo }

/**
 * A list, as its pages or as its items. Each page is requested when it is needed.
 * @example for await (const { items, pageInfo } of client.listEmbedTenants()) { … }
 * @example for await (const { name } of client.listEmbedTenants().items()) { … }
 */
export type Pages<Item> = AsyncIterable<Page<Item>> & { items(): AsyncIterable<Item> }

/**
 * Makes a list from a function that reads one page.
 * @param read reads the page after a cursor, or the first page
 */
export function pagesOf<Item>(
  read: (cursor: { readonly after?: string }) => Promise<Page<Item>>,
): Pages<Item> {
  async function* pages() {
    let after: string | null | undefined
    do {
      const page = await read(after ? { after } : {})
      yield page
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined
    } while (after)
  }
  async function* items() {
    for await (const page of pages()) yield* page.items
  }
  return { [Symbol.asyncIterator]: pages, items }
}
