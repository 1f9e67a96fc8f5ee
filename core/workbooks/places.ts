import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { sourceOf } from './access-sources.ts'
import { type FolderTree, readFolderTree } from './folder-tree.ts'
import type { AccessReason, Grantee } from './grantee.ts'
import { freeEntries, type Hits, isDirect, startOfDirect } from './hit.ts'
import { idInEntry, resourceEntry, shareIndex } from './keys.ts'

/** What a page of workbooks looks for. */
type Search = {
  readonly storage: Storage
  readonly deploymentId: number
  /** Who looks: the tenant itself and all embed users. */
  readonly grantees: readonly Grantee[]
  /** Whether shares of this kind put workbooks on the list. */
  isWanted(source: AccessReason['source']): boolean
  /** Whether each workbook says why it can be seen. */
  readonly withReasons: boolean
  /** The round trips that the page has left. Calls that are made at once are one round trip. */
  readonly trips: { left: number }
}

/** Where a list's workbooks may be, as the indexes have it. */
export type Places = Search & {
  readonly tree: FolderTree
  sharedWith(folderId: number): readonly Grantee[]
  /** The folders whose workbooks the list has, in order: shared ones and all below. */
  readonly folderIds: ReadonlySet<number>
  /** The next hits by direct shares. A workbook shared with several grantees comes once. */
  nextDirect(after: string, wanted: number): Promise<Hits>
}

/** The shares with a grantee, as far as they were read. */
type Shares = {
  readonly grantee: Grantee
  /** What is shared. The entry of a workbook is its position. */
  readonly entries: ReadonlySet<string>
  /** The position up to which the workbooks were read. Undefined if all were read. */
  readonly readTo: string | undefined
}

/**
 * Reads the shares of folders, the first direct shares and the folder tree, side by side.
 * @param after the position after which the page begins
 */
export async function readPlaces(search: Search, after: string, size: number): Promise<Places> {
  const [tree, shares] = await Promise.all([
    readFolderTree(search.storage, search.deploymentId),
    Promise.all(search.grantees.map((grantee) => firstShares(search, grantee, after, size))),
  ])
  const shared = shares.flatMap(({ entries }) => [...entries])
  const sharedFolders = shared.filter((entry) => !isDirect(entry)).map(idInEntry)
  return {
    ...search,
    tree,
    sharedWith: (folderId) => granteesOf(resourceEntry('folder', folderId), shares),
    folderIds: new Set(search.isWanted('folder') ? tree.withAllBelow(sharedFolders) : []),
    nextDirect: directShares(search, shares),
  }
}

const granteesOf = (entry: string, shares: readonly Shares[]): Grantee[] =>
  shares.filter(({ entries }) => entries.has(entry)).map(({ grantee }) => grantee)

/**
 * How many shares to read for each workbook of a page. Most tenants have no more shared folders
 * than that.
 */
const sharesPerItem = 10

const none = { entries: new Set<string>(), readTo: undefined }

/** The shares of folders, and the first direct shares after a position, if the page needs them. */
async function firstShares(
  search: Search,
  grantee: Grantee,
  after: string,
  size: number,
): Promise<Shares> {
  const inFolders = search.isWanted('folder')
  const withDirect = search.isWanted(sourceOf[grantee.type])
  // Folders come first, so that the first workbooks come along with them.
  if (withDirect && inFolders && !isDirect(after))
    return readShares(search, grantee, { limit: sharesPerItem * size })
  const ofWorkbooks = { after: isDirect(after) ? after : startOfDirect, limit: 2 * size }
  const [folders, direct] = await Promise.all([
    inFolders || search.withReasons ? readShares(search, grantee, { to: startOfDirect }) : none,
    withDirect ? readShares(search, grantee, ofWorkbooks) : none,
  ])
  return { grantee, entries: folders.entries.union(direct.entries), readTo: direct.readTo }
}

/** Reads all shares of folders in the range, and then as many others as the limit allows. */
async function readShares(
  search: Search,
  grantee: Grantee,
  range: { readonly after?: string; readonly to?: string; readonly limit?: number },
): Promise<Shares> {
  const { index, partition } = shareIndex(search.deploymentId, grantee)
  const { limit, ...between } = range
  const { items, end } = await queryIndex(
    search.storage,
    { index, partition, ...between, attributes: ['shared'] },
    limit && Math.max(limit, freeEntries),
  )
  const entries = new Set(items.map(({ shared }) => String(shared)))
  if (end === undefined || isDirect(end)) return { grantee, entries, readTo: end }
  const rest = await readShares(search, grantee, { after: end, to: startOfDirect })
  return { grantee, entries: entries.union(rest.entries), readTo: startOfDirect }
}

/** The workbooks that are shared directly. It reads further as more of them are asked for. */
function directShares(search: Search, first: readonly Shares[]): Places['nextDirect'] {
  let all = first

  /** The hits up to where the shares with every grantee were read. */
  function known(after: string): Hits {
    const [searchedTo] = all.flatMap(({ readTo }) => readTo ?? []).sort()
    const isKnown = (position: string) =>
      position > after && (searchedTo === undefined || position <= searchedTo)
    const positions = new Set(all.flatMap(({ entries }) => [...entries].filter(isKnown)))
    const hits = [...positions].sort().map((position) => {
      return { position, id: idInEntry(position), grantees: granteesOf(position, all) }
    })
    return { hits, searchedTo }
  }

  return async (after, wanted) => {
    const { hits, searchedTo } = known(after)
    if (searchedTo === undefined || hits.length >= wanted) return { hits, searchedTo }
    search.trips.left -= 1
    all = await Promise.all(
      all.map(async (shares) => {
        if (shares.readTo !== searchedTo) return shares
        const range = { after: searchedTo, limit: 2 * wanted }
        const { entries, readTo } = await readShares(search, shares.grantee, range)
        return { ...shares, entries: shares.entries.union(entries), readTo }
      }),
    )
    return known(after)
  }
}
