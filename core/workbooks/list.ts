import { decodeCursor } from '../storage/cursor.ts'
import { countThatFit, type Entry, type Page, type PageRequest, pageOf, pageSize } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { Hits } from './hits.ts'
import { contents, type Grantee, shareIndex } from './keys.ts'
import { firstDirectShares } from './read-ahead.ts'
import { noFolders, sharedFolders } from './shared-folders.ts'
import { type Listing, visible } from './visible.ts'

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

/**
 * The workbooks that an embed tenant can see, in order of place (specification, "List workbooks accessible to an embed
 * tenant"). A workbook has one place, whatever shares come and go, so it comes once in all pages of any source.
 *
 *   1. shared folders, first direct shares ──▶ 2. contents of those folders, further shares ──▶ 3. documents, folders
 */
export async function listEmbedTenantWorkbooks(storage: Storage, request: EmbedTenantWorkbooks): Promise<Page> {
  const { accountId, deploymentId, embedTenantName, accessSource, include = [] } = request
  const identity = ['embedTenantWorkbooks', accountId, deploymentId, embedTenantName, accessSource ?? null]
  const after = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  const size = pageSize(request.first)
  const grantees: Grantee[] = [{ type: 'embedTenant', name: embedTenantName }, { type: 'allEmbedUsers' }]
  const direct = grantees.filter(({ type }) => accessSource === undefined || accessSource === sourceOf[type])
  const inFolders = accessSource === undefined || accessSource === 'folder'
  const explained = include.includes('accessSources')

  const hits = directHits(storage, deploymentId, direct, after, size)
  const [shared] = await Promise.all([
    inFolders || explained ? sharedFolders(storage, deploymentId, grantees) : noFolders,
    inFolders ? hits.readDirect(Math.ceil(firstDirectShares * size)) : hits.next(size + 1),
  ])
  const listing: Listing = { storage, deploymentId, grantees, direct, shared, explained }
  if (inFolders) hits.addFolders(contents(deploymentId, 'workbook'), shared.places)
  const { entries, more } = await collect(listing, hits, size)

  const precedes = async (position: string) => {
    const fromStart = directHits(storage, deploymentId, direct, undefined, 1)
    if (inFolders) fromStart.addFolders(contents(deploymentId, 'workbook'), shared.places)
    const [first] = (await collect(listing, fromStart, 1)).entries
    return first !== undefined && first.position < position
  }
  // Most likely the workbook at the cursor is still there, and precedes the page.
  const hasPreviousPage = after !== undefined && (hits.isAtCursor || (await precedes(after)))
  return pageOf(identity, entries, { size, more, hasPreviousPage })
}

const sourceOf = { embedTenant: 'tenant', allEmbedUsers: 'allEmbedUsers' } as const

function directHits(
  storage: Storage,
  deploymentId: number,
  grantees: readonly Grantee[],
  after: string | undefined,
  size: number,
): Hits {
  const ranges = grantees.map((grantee) => shareIndex(deploymentId, 'workbook', grantee))
  return new Hits(storage, ranges, after, size)
}

/** Visible workbooks in order, until as many as wanted or as fit a page, and whether the list goes on behind them. */
async function collect(listing: Listing, hits: Hits, wanted: number) {
  const entries: Entry[] = []
  for (;;) {
    const missing = wanted - entries.length
    const found = await hits.next(missing + 1)
    const more = found.length > missing
    const read = found.slice(0, missing)
    hits.drop(read.length)
    const { entries: seen, movedOut } = await visible(listing, read)
    entries.push(...seen)
    // A folder that moves may have thousands of workbooks at its old place still.
    if (movedOut !== undefined) hits.skip(movedOut, read.at(-1)?.place as string)
    if (countThatFit(entries, wanted) < entries.length) return { entries, more: true }
    if (!more || entries.length === wanted) return { entries, more }
  }
}
