import { decodeCursor, encodeCursor } from '../storage/cursor.ts'
import { countThatFit, type Entry, type Page, type PageRequest, pageSize } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { sourceOf } from './access-sources.ts'
import { Budget } from './budget.ts'
import type { Hit } from './hit.ts'
import type { Grantee } from './keys.ts'
import { type Lookout, lookout } from './lookout.ts'
import { portionOf } from './portion.ts'
import { workbookAt } from './position.ts'
import { visible } from './visible.ts'

export const accessSources = ['tenant', 'allEmbedUsers', 'folder'] as const
export type AccessSource = (typeof accessSources)[number]

/** What the list adds to its workbooks on request. */
export const inclusions = ['accessSources'] as const
export type Inclusion = (typeof inclusions)[number]

export type EmbedTenantWorkbooks = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  /** In lower case. */
  readonly embedTenantName: string
  /** Left out: the union of all three. */
  readonly accessSource?: AccessSource | undefined
  readonly include?: readonly Inclusion[] | undefined
}

/** What one page may take in all. The check of the deployment and the tenant is made beside, and is one of the calls. */
const maxCalls = 100
const maxRoundTrips = 10

/** How many hits to check at once to learn whether one of them is visible. */
const checkedAtOnce = 40

/** Begins the position in a cursor if no workbook comes before it. */
const nothingBefore = '-'

/**
 * The workbooks that an embed tenant can see (docs/specification.md#workbooks-of-an-embed-tenant): first those
 * in shared folders, by folder and workbook, then those that are shared directly and did not come yet, by workbook.
 *
 *   1. shares, folders ──▶ 2. which workbooks are in shared folders ──▶ 3. workbooks ──▶ 4. folders above, shares
 *
 * A page ends early if finding more would take more than {@link maxCalls} or {@link maxRoundTrips}. It may then be
 * empty, and its cursor goes on from there.
 * @throws Refusal `invalid_cursor`
 */
export async function listEmbedTenantWorkbooks(storage: Storage, request: EmbedTenantWorkbooks): Promise<Page> {
  const { accountId, deploymentId, embedTenantName, accessSource, include = [] } = request
  const identity = ['embedTenantWorkbooks', accountId, deploymentId, embedTenantName, accessSource ?? null]
  const cursor = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  const isFirst = cursor === undefined || cursor.startsWith(nothingBefore)
  const after = cursor === undefined ? '' : isFirst ? cursor.slice(nothingBefore.length) : cursor
  const size = pageSize(request.first)
  const grantees: Grantee[] = [{ type: 'embedTenant', name: embedTenantName }, { type: 'allEmbedUsers' }]
  const looking = await lookout(storage, {
    deploymentId,
    grantees,
    directGrantees: grantees.filter(({ type }) => accessSource === undefined || accessSource === sourceOf[type]),
    inFolders: accessSource === undefined || accessSource === 'folder',
    isExplained: include.includes('accessSources'),
    after,
    size,
    budget: new Budget(maxCalls - 1, maxRoundTrips),
  })
  const { entries, end, before } = await collect(looking, after, size, isFirst ? undefined : atCursor(looking, after))
  const hasPreviousPage = !isFirst && (before || (await precedes(looking, after)))
  const position = (at: string) => (isFirst && entries.length === 0 ? nothingBefore + at : at)
  const encoded = (at: string | undefined) => (at === undefined ? null : encodeCursor(identity, position(at)))
  return {
    items: entries.map(({ json }) => json),
    pageInfo: {
      hasNextPage: end !== undefined,
      hasPreviousPage,
      startCursor: encoded(entries[0]?.position),
      endCursor: encoded(end ?? entries.at(-1)?.position),
    },
  }
}

type Collected = {
  readonly entries: readonly Entry[]
  /** Where the next page begins; undefined at the end of the list. */
  readonly end: string | undefined
  /** Whether the workbook at the cursor can still be seen. */
  readonly before: boolean
}

/** Visible workbooks in order, as many as wanted if there are so many and the page has room. */
async function collect(
  { listing, next, leaveOut }: Lookout,
  after: string,
  size: number,
  cursor: Hit | undefined,
): Promise<Collected> {
  const entries: Entry[] = []
  let found: readonly Hit[] = []
  let lookedUpTo: string | undefined = after
  let checkedUpTo = after
  let before = false
  for (let isFirst = true; listing.budget.allowsLooking(1); isFirst = false) {
    const missing = size - entries.length
    // A workbook that can't be seen is rarely alone. So after the first round more are checked than are missing.
    const wanted = isFirst ? missing : Math.max(missing, checkedAtOnce)
    if (lookedUpTo !== undefined && found.length <= wanted) {
      const { hits, end } = await next(lookedUpTo, wanted + 1 - found.length)
      found = [...found, ...hits]
      lookedUpTo = end
    }
    const portion = missing === 0 ? [] : portionOf(listing, found.slice(0, wanted), entries)
    // What comes after the page says whether there is a next page.
    const peeked = portion.length === missing ? found.slice(missing, missing + checkedAtOnce) : []
    const seen = await visible(listing, portion, [...peeked, ...(isFirst && cursor ? [cursor] : [])])
    if (isFirst && cursor) before = seen.others.at(-1) as boolean
    entries.push(...seen.entries)
    const fitting = countThatFit(entries, size)
    if (fitting < entries.length) {
      return { entries: entries.slice(0, fitting), end: entries[fitting - 1]?.position, before }
    }
    checkedUpTo = portion[seen.checked - 1]?.position ?? checkedUpTo
    found = found.slice(seen.checked)
    if (entries.length === size && seen.others.slice(0, peeked.length).includes(true)) break
    if (entries.length === size && peeked.length > 0) {
      checkedUpTo = peeked.at(-1)?.position as string
      found = found.slice(peeked.length)
    }
    leaveOut(seen.hiddenFolderIds)
    found = found.filter((hit) => !('folderId' in hit && seen.hiddenFolderIds.has(hit.folderId)))
    if (found.length === 0 && lookedUpTo === undefined) return { entries, end: undefined, before }
    if (found.length === 0) checkedUpTo = lookedUpTo as string
  }
  return { entries, end: checkedUpTo, before }
}

/** The workbook at a cursor, as a hit: if it can still be seen there, it precedes the page. */
function atCursor({ direct }: Lookout, position: string): Hit | undefined {
  const workbook = workbookAt(position)
  if (!workbook) return undefined
  const { id, folderId } = workbook
  return folderId === undefined ? { position, id, grantees: direct } : { position, id, folderId }
}

/** Whether a visible workbook comes at or before a position. It says yes if finding out would take too much. */
async function precedes({ listing, restart }: Lookout, position: string): Promise<boolean> {
  const next = restart()
  let at = ''
  while (listing.budget.allowsLooking(1)) {
    const { hits, end } = await next(at, checkedAtOnce)
    const candidates = hits.filter((hit) => hit.position <= position)
    const { others } = await visible(listing, [], candidates)
    if (others.includes(true)) return true
    if (end === undefined || end >= position) return false
    at = end
  }
  return true
}
