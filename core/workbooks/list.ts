import { decodeCursor } from '../storage/cursor.ts'
import {
  type Entry,
  isFull,
  type Page,
  type PageRequest,
  pageOf,
  pageSize,
} from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { hitsInFolders } from './folder-hits.ts'
import type { Grantee } from './grantee.ts'
import { type Hits, isDirect, startOfDirect } from './hit.ts'
import { type Places, readPlaces } from './places.ts'
import { countToRead, readVisible } from './visible.ts'

export const accessSources = ['tenant', 'allEmbedUsers', 'folder'] as const

/** What the list adds to its workbooks on request. */
export const inclusions = ['accessSources'] as const

export type EmbedTenantWorkbooks = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  /** In lower case. Left out: only what is shared with all embed users. */
  readonly embedTenantName?: string | undefined
  /** Left out: the union of all three. */
  readonly accessSource?: (typeof accessSources)[number] | undefined
  readonly include?: (typeof inclusions)[number] | undefined
}

/**
 * The round trips of a page after the shares and the folder tree. `collect` looks for more
 * workbooks while trips are left. Its last look may take up to four more: for direct shares, the
 * workbooks, the folders above them, and folders that have moved.
 */
const maxTrips = 6

/**
 * The fewest hits to check at once after the first time, even if the page lacks fewer. Where one
 * workbook can't be seen, often the next ones can't either.
 */
const fewestChecked = 40

/**
 * The workbooks that an embed tenant can see (docs/specification.md#workbooks-of-an-embed-tenant):
 * first those in shared folders, by folder and workbook, then the others that are shared directly,
 * by workbook. docs/decisions/05-indexes-and-keys.md has the steps. The steps repeat until the page
 * is full or its round trips are used. So a page may have fewer workbooks than it could, or none,
 * and still a cursor.
 * @throws Refusal `invalid_cursor`
 */
export async function listEmbedTenantWorkbooks(
  storage: Storage,
  request: EmbedTenantWorkbooks,
): Promise<Page> {
  const { accountId, deploymentId, embedTenantName, accessSource, include } = request
  // Version 1.0.0 had the name `embedTenantWorkbooks` and another order. Its cursors would give
  // wrong pages, so the new name refuses them.
  const list = 'embedTenantWorkbooksByFolder'
  const identity = [list, accountId, deploymentId, embedTenantName, accessSource]
  const after = request.after === undefined ? '' : decodeCursor(identity, request.after)
  const size = pageSize(request.first)
  const grantees: Grantee[] = [{ type: 'allEmbedUsers' }]
  if (embedTenantName !== undefined)
    grantees.unshift({ type: 'embedTenant', name: embedTenantName })
  const isWanted = (source: string) => accessSource === undefined || accessSource === source
  const withReasons = include === 'accessSources'
  const trips = { left: maxTrips }
  const search = { storage, deploymentId, grantees, isWanted, withReasons, trips }
  const places = await readPlaces(search, after, size)
  const { entries, end } = await collect(places, after, size)
  return pageOf(identity, request, entries, end)
}

/**
 * Collects visible workbooks in order, until they fill the page or its trips are used.
 * @returns `entries`: the workbooks. `end`: the position up to which all were checked; undefined if
 * that is the end of the list
 */
async function collect(places: Places, after: string, size: number) {
  const entries: Entry[] = []
  let unchecked: Hits = { hits: [], searchedTo: after }
  let checkedTo: string | undefined = after
  let wanted = size
  while (checkedTo !== undefined && !isFull(entries, size) && places.trips.left > 0) {
    if (unchecked.hits.length === 0) unchecked = await nextHits(places, checkedTo, wanted)
    const { hits, searchedTo } = unchecked
    const count = Math.min(wanted, countToRead(places, hits, entries))
    const read = await readVisible(places, hits.slice(0, count))
    entries.push(...read.entries)
    unchecked = { hits: hits.slice(read.checked), searchedTo }
    checkedTo = read.checked < hits.length ? hits[read.checked - 1]?.position : searchedTo
    wanted = Math.max(size - entries.length, fewestChecked)
  }
  return { entries, end: checkedTo }
}

/** Finds the workbooks after a position: those in shared folders, then those shared directly. */
async function nextHits(places: Places, after: string, wanted: number): Promise<Hits> {
  if (isDirect(after)) return places.nextDirect(after, wanted)
  const { hits, searchedTo } = await hitsInFolders(places, after, wanted)
  if (searchedTo !== undefined) return { hits, searchedTo }
  const direct = await places.nextDirect(startOfDirect, wanted - hits.length)
  return { ...direct, hits: [...hits, ...direct.hits] }
}
