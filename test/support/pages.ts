import { expect } from 'vitest'
import { keys, type World } from './service.ts'

/** All pages of a list in one, each checked in itself. */
export async function pagesOf(
  service: World,
  path: string,
  query: Record<string, string>,
  first: number,
) {
  const items: Record<string, unknown>[] = []
  let after: string | null = null
  for (let page = 0; ; page += 1) {
    const parameters = new URLSearchParams({
      ...query,
      first: String(first),
      ...(after && { after }),
    })
    const { status, body } = await service.get(`${path}?${parameters}`, { key: keys.admin })
    expect([status, body.pageInfo?.hasPreviousPage]).toEqual([200, page > 0])
    expect(body.items.length).toBeLessThanOrEqual(first)
    items.push(...body.items)
    if (!body.pageInfo.hasNextPage) return items
    expect(body.items).toHaveLength(first)
    expect(body.pageInfo.endCursor).not.toBe(after)
    after = body.pageInfo.endCursor
  }
}
