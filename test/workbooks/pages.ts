import { expect } from 'vitest'
import { keys, type World } from '../support/service.ts'
import type { Source } from './model.ts'

/** All pages of a list, one after the other, each checked in itself. */
export async function allPages(service: World, deploymentId: number, tenant: string, source: Source, first: number) {
  const items: { id: number; folderPath: { id: number }[] }[] = []
  let after: string | null = null
  for (;;) {
    const query = new URLSearchParams({ first: String(first), accessSource: source ?? '', ...(after && { after }) })
    const path = `/api/v1/deployments/${deploymentId}/embed-tenants/${tenant}/workbooks?${query}`
    const { status, body } = await service.get(path, { key: keys.admin })
    expect(status).toBe(200)
    expect(body.items.length).toBeLessThanOrEqual(first)
    expect(body.pageInfo.hasPreviousPage).toBe(after !== null)
    items.push(...body.items)
    if (!body.pageInfo.hasNextPage) return items
    expect(body.items.length).toBe(first)
    expect(body.pageInfo.endCursor).not.toBe(after)
    after = body.pageInfo.endCursor
  }
}
