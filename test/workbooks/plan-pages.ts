import { listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import { expect } from 'vitest'
import { embedTenant, share, workbook } from '../changes.ts'
import type { Source } from './model.ts'
import { PlanDatabase } from './plan-database.ts'
import { range } from './range.ts'

/** All pages of a list, each within the bounds; calls are those of the function, the check of the tenant included. */
export async function readPages(database: PlanDatabase, accessSource: Source, first = 100) {
  const ids: number[] = []
  const pages: { returned: number; calls: number; roundTrips: number; entries: number; isEarly: boolean }[] = []
  let after: string | undefined
  for (;;) {
    const request = { accountId: 'acme', deploymentId: 1, embedTenantName: 'north', accessSource, first, after }
    const { result, ...cost } = await database.measure(() => listEmbedTenantWorkbooks(database.storage, request))
    const { items, pageInfo } = result
    expect(pageInfo.hasPreviousPage).toBe(ids.length > 0)
    ids.push(...items.map((json) => JSON.parse(json).id))
    const isEarly = pageInfo.hasNextPage && items.length < first
    // The deployment and the tenant are read in one call beside.
    pages.push({ returned: items.length, ...cost, calls: cost.calls + 1, isEarly })
    expect(pages.at(-1)?.calls).toBeLessThanOrEqual(100)
    expect(cost.roundTrips).toBeLessThanOrEqual(10)
    if (!pageInfo.hasNextPage) return { ids, pages }
    expect(pageInfo.endCursor).not.toBeNull()
    expect(pageInfo.endCursor).not.toBe(after)
    after = pageInfo.endCursor as string
  }
}

/** This many workbooks, from id 1 on, each at the top level and shared directly. */
export const sharedDirectly = (count: number, grantee: object = embedTenant('north')): PlanDatabase =>
  new PlanDatabase().apply(range(count).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, grantee)]))
