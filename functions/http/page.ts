import type { Page } from '@embed-access/core/storage/page.ts'
import type { Answer } from './endpoint.ts'

/**
 * Answers with a page that was read while its conditions were being checked, which saves a round trip. Of several
 * failures the first one counts, in the order of the conditions and the page last, whichever came first in time.
 */
export async function pageIf(conditions: readonly Promise<void>[], page: Promise<Page>): Promise<Answer> {
  const results = await Promise.allSettled([...conditions, page])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const { items, pageInfo } = await page
  return { json: `{"items":[${items.join(',')}],"pageInfo":${JSON.stringify(pageInfo)}}` }
}
