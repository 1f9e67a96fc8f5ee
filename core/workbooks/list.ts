import { decodeCursor } from '../storage/cursor.ts'
import {
  countThatFit,
  type Entry,
  type Page,
  type PageRequest,
  pageOf,
  pageSize,
} from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { sourceOf } from './access-sources.ts'
import type { Grantee } from './grantee.ts'
import type { Hit, Hits } from './hit.ts'
import { nextHits } from './hits.ts'
import { type Places, readPlaces } from './places.ts'
import { countToRead, visible } from './visible.ts'

export const accessSources = ['tenant', 'allEmbedUsers', 'folder'] as const
type AccessSource = (typeof accessSources)[number]

/** What the list adds to its workbooks on request. */
export const inclusions = ['accessSources'] as const
type Inclusion = (typeof inclusions)[number]

export type EmbedTenantWorkbooks = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  /** In lower case. */
  readonly embedTenantName: string
  /** Left out: the union of all three. */
  readonly accessSource?: AccessSource | undefined
  readonly include?: readonly Inclusion[] | undefined
}

/** How many round trips a page may take after the shares and the folder tree. */
const maxTrips = 10

/**
 * How many of them to leave for direct shares, the workbooks, their paths, and the paths of folders
 * that have moved.
 */
const tripsToFinish = 4

/**
 * The fewest hits to check at once after the first time: a workbook that can't be seen is rarely
 * alone.
 */
const checkedAtOnce = 40

/**
 * The workbooks that an embed tenant can see (docs/specification.md#workbooks-of-an-embed-tenant):
 * first those in shared folders, by folder and workbook, then those that are shared directly and
 * did not come yet, by workbook.
 *
 *   1. shares, folder tree ──▶ 2. workbooks in those folders ──▶ 3. the workbooks ──▶ 4. folders above, shares
 *      (indexes)                  (index byFolder)                  (by key)             (by key)
 *                              └────────────── again, until the page is full or its trips are used ────────────┘
 *
 * A page that ends early may be empty. Its cursor goes on from there.
 * @throws Refusal `invalid_cursor`
 */
export async function listEmbedTenantWorkbooks(
  storage: Storage,
  request: EmbedTenantWorkbooks,
): Promise<Page> {
  const { accountId, deploymentId, embedTenantName, accessSource, include } = request
  // Stryker disable next-line StringLiteral: The cursors of no other list have the same parts.
  const identity = [
    'embedTenantWorkbooks',
    accountId,
    deploymentId,
    embedTenantName,
    accessSource ?? null,
  ]
  const after = request.after === undefined ? '' : decodeCursor(identity, request.after)
  const size = pageSize(request.first)
  const grantees: Grantee[] = [
    { type: 'embedTenant', name: embedTenantName },
    { type: 'allEmbedUsers' },
  ]
  const search = {
    storage,
    deploymentId,
    grantees,
    directGrantees: grantees.filter(
      ({ type }) => accessSource === undefined || accessSource === sourceOf[type],
    ),
    inFolders: accessSource === undefined || accessSource === 'folder',
    withReasons: include?.includes('accessSources') ?? false,
  }
  const places = await readPlaces(search, after, size, maxTrips)
  const { entries, end } = await collect(places, after, size)
  return pageOf(identity, request, entries, end)
}

/**
 * Visible workbooks in order, until they fill the page or its trips are used.
 * @returns also the position up to which all were checked; undefined: to the end of the list
 */
async function collect(places: Places, after: string, size: number) {
  const entries: Entry[] = []
  let found: readonly Hit[] = []
  let searchedTo: string | undefined
  let checkedTo: string | undefined = after
  const isFull = () => entries.length >= size || countThatFit(entries, size) < entries.length
  for (let wanted = size; checkedTo !== undefined && !isFull() && places.trips > tripsToFinish; ) {
    if (found.length === 0) {
      const next: Hits = await nextHits(places, checkedTo, wanted, places.trips - tripsToFinish)
      found = next.hits
      searchedTo = next.end
    }
    const seen = await visible(
      places,
      found.slice(0, Math.min(wanted, countToRead(places, found, entries))),
    )
    entries.push(...seen.entries)
    checkedTo = found[seen.checked - 1]?.position ?? checkedTo
    found = found
      .slice(seen.checked)
      .filter(({ folderId }) => folderId === undefined || !places.hidden.has(folderId))
    if (found.length === 0) checkedTo = searchedTo
    wanted = Math.max(size - entries.length, checkedAtOnce)
  }
  return { entries, end: checkedTo }
}
