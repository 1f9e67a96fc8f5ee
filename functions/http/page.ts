import type { Page } from '@embed-access/core/storage/page.ts'
import type { Answer } from './endpoint.ts'

/**
 * Answers with a page that was read while its condition was being checked, which saves a round trip. Where both fail the
 * condition counts, whichever came first in time.
 */
export async function pageIf(condition: Promise<void>, page: Promise<Page>): Promise<Answer> {
  const results = await Promise.allSettled([condition, page])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const { items, pageInfo } = await page
  return { json: `{"items":[${items.join(',')}],"pageInfo":${JSON.stringify(pageInfo)}}` }
}
