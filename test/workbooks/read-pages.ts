import {
  type EmbedTenantWorkbooks,
  listEmbedTenantWorkbooks,
} from '@embed-access/core/workbooks/list.ts'
import { expect } from 'vitest'
import type { MemoryTables } from '../simulation/memory-tables.ts'
import type { Source } from './model.ts'

type Listed = {
  readonly id: number
  readonly folderPath: readonly { readonly id: number }[]
  readonly accessSources?: readonly object[]
}

/** A page of the workbooks that tenant `north` can see in deployment 1, and what it took. */
export async function readPage(catalog: MemoryTables, more: Partial<EmbedTenantWorkbooks> = {}) {
  const request = { accountId: 'acme', deploymentId: 1, embedTenantName: 'north', ...more }
  const [cost, { items, pageInfo }] = await catalog.measure(() =>
    listEmbedTenantWorkbooks(catalog.storage, request),
  )
  const workbooks: Listed[] = items.map((json) => JSON.parse(json))
  const paths = workbooks.map(({ folderPath }) => folderPath.map(({ id }) => id))
  return { ...cost, ...pageInfo, workbooks, ids: workbooks.map(({ id }) => id), paths }
}

/**
 * All pages of the list, each within the bounds. Calls are those of the function, the check of the
 * tenant included.
 */
export async function readPages(
  catalog: MemoryTables,
  accessSource: Source,
  first = 100,
  include?: 'accessSources',
) {
  const pages: (Awaited<ReturnType<typeof readPage>> & { isEarly: boolean })[] = []
  for (let after: string | undefined; ; ) {
    const page = await readPage(catalog, { accessSource, first, after, include })
    expect(page.hasPreviousPage).toBe(after !== undefined)
    // The deployment and the tenant are read in one call beside.
    const calls = page.calls + 1
    pages.push({ ...page, calls, isEarly: page.hasNextPage && page.ids.length < first })
    expect(calls).toBeLessThanOrEqual(400)
    // The shares and the folder tree take the first one.
    expect(page.roundTrips).toBeLessThanOrEqual(1 + 10)
    if (!page.hasNextPage) return { ids: pages.flatMap(({ ids }) => ids), pages }
    expect(page.endCursor).not.toBeNull()
    expect(page.endCursor).not.toBe(after)
    after = page.endCursor as string
  }
}
