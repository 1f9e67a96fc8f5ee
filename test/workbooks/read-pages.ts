import { type EmbedTenantWorkbooks, listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import { expect } from 'vitest'
import { embedTenant, share, workbook } from '../support/catalog.ts'
import { MemoryTables } from '../support/memory-tables.ts'
import type { Source } from './model.ts'
import { range } from './range.ts'

/** A page of the workbooks that tenant `north` can see in deployment 1, and what it took. */
export async function readPage(catalog: MemoryTables, more: Partial<EmbedTenantWorkbooks> = {}) {
  const request = { accountId: 'acme', deploymentId: 1, embedTenantName: 'north', ...more }
  const [{ calls, roundTrips, entries, items }, result] = await catalog.measure(() =>
    listEmbedTenantWorkbooks(catalog.storage, request),
  )
  return {
    ids: result.items.map((json): number => JSON.parse(json).id),
    ...result.pageInfo,
    calls,
    roundTrips,
    entries,
    items,
  }
}

/** All pages of the list, each within the bounds. Calls are those of the function, the check of the tenant included. */
export async function readPages(catalog: MemoryTables, accessSource: Source, first = 100) {
  const ids: number[] = []
  const pages: {
    returned: number
    calls: number
    roundTrips: number
    entries: number
    items: number
    isEarly: boolean
  }[] = []
  let after: string | undefined
  for (;;) {
    const page = await readPage(catalog, { accessSource, first, after })
    expect(page.hasPreviousPage).toBe(after !== undefined)
    ids.push(...page.ids)
    // The deployment and the tenant are read in one call beside.
    const { roundTrips, entries, items, calls } = { ...page, calls: page.calls + 1 }
    pages.push({
      returned: page.ids.length,
      calls,
      roundTrips,
      entries,
      items,
      isEarly: page.hasNextPage && page.ids.length < first,
    })
    expect(calls).toBeLessThanOrEqual(100)
    // The shares and the folder tree take the first one.
    expect(roundTrips).toBeLessThanOrEqual(1 + 10)
    if (!page.hasNextPage) return { ids, pages }
    expect(page.endCursor).not.toBeNull()
    expect(page.endCursor).not.toBe(after)
    after = page.endCursor as string
  }
}

/** This many workbooks, from id 1 on, each at the top level and shared directly. */
export const sharedDirectly = (count: number, grantee: object = embedTenant('north')): MemoryTables =>
  new MemoryTables(range(count).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, grantee)]))
