import type { Page } from '@embed-access/core/storage/page.ts'
import type { Answer } from './endpoint.ts'

/**
 * Answers with a page if the condition holds. Both are read at the same time, which saves a round trip. If the
 * condition fails, its refusal does not wait for the page. Otherwise the time of a refusal would tell how much is
 * there.
 */
export async function pageIf(condition: Promise<void>, page: Promise<Page>): Promise<Answer> {
  page.catch(() => {})
  await condition
  const { items, pageInfo } = await page
  return { json: `{"items":[${items.join(',')}],"pageInfo":${JSON.stringify(pageInfo)}}` }
}
