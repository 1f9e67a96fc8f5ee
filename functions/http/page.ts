import type { Page } from '@embed-access/core/storage/page.ts'
import type { Answer } from './endpoint.ts'

/**
 * Answers with a page that is read while its condition is being checked, which saves a round trip. Where both fail the
 * condition counts; it does not wait for the page, or how long a refusal takes would tell what is there.
 */
export async function pageIf(condition: Promise<void>, page: Promise<Page>): Promise<Answer> {
  page.catch(() => {})
  await condition
  const { items, pageInfo } = await page
  return { json: `{"items":[${items.join(',')}],"pageInfo":${JSON.stringify(pageInfo)}}` }
}
