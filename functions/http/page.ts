import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import type { Page } from '@embed-access/core/storage/page.ts'
import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { storage } from '../runtime/storage.ts'
import type { Answer } from './answer.ts'

export const forLists = { uses: { storage }, isRevoked, recent: recentLookups }

/**
 * Answers with a page if the condition holds. Both are read at the same time, which saves a round trip. If the condition
 * fails, its refusal does not wait for the page, and the reads of the page end. So a refusal neither tells how much there
 * is nor costs more where there is much.
 * @example pageIf(storage, requireReadableDeployment(storage, principal, 1, recent), (reads) => listDbtSyncs(reads, request))
 */
export async function pageIf(
  storage: Storage,
  condition: Promise<void>,
  read: (storage: Storage) => Promise<Page>,
): Promise<Answer> {
  const refused = new AbortController()
  const page = read(untilAborted(storage, refused.signal))
  page.catch(() => {})
  await condition.catch((refusal: unknown) => {
    refused.abort()
    throw refusal
  })
  const { items, ...beside } = await page
  const body = `{"items":[${items.join(',')}],${JSON.stringify(beside).slice(1)}`
  return { logged: { pageItems: items.length }, body, isCompressible: true }
}
