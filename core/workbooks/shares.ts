import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { Grantee } from './grantee.ts'
import { freeEntries, type Hits, isDirect, startOfDirect } from './hit.ts'
import { idInEntry, shareIndex } from './keys.ts'

/** What a page of workbooks looks for. */
export type Search = {
  readonly storage: Storage
  readonly deploymentId: number
  /** Who looks: the tenant itself and all embed users. */
  readonly grantees: readonly Grantee[]
  /** Those whose direct shares put a workbook on the list. */
  readonly directGrantees: readonly Grantee[]
  /** Whether shared folders put workbooks on the list. */
  readonly inFolders: boolean
  /** Whether each workbook says why it can be seen. */
  readonly withReasons: boolean
  /** The round trips that the page has left. Calls that are made at once are one round trip. */
  readonly trips: { left: number }
}

/** The shares with a grantee, as far as they were read. */
type Shares = {
  readonly grantee: Grantee
  readonly folderIds: readonly number[]
  /** The positions of the workbooks. */
  readonly workbooks: readonly string[]
  /** The position up to which the workbooks were read. Undefined if all were read. */
  readonly readTo: string | undefined
}

/**
 * How many shares to read for each workbook of a page. Most tenants have no more shared folders
 * than that.
 */
const sharesPerItem = 10

const none = { folderIds: [], workbooks: [], readTo: undefined }

/** The shares of folders, and the first direct shares after a position, if the page needs them. */
export async function firstShares(
  search: Search,
  grantee: Grantee,
  after: string,
  size: number,
): Promise<Shares> {
  const { inFolders, withReasons } = search
  const withDirect = search.directGrantees.includes(grantee)
  // Folders come first, so that the first workbooks come along with them.
  if (withDirect && inFolders && !isDirect(after))
    return readShares(search, grantee, { limit: sharesPerItem * size })
  const ofWorkbooks = { after: isDirect(after) ? after : startOfDirect, limit: 2 * size }
  const [folders, direct] = await Promise.all([
    inFolders || withReasons ? readShares(search, grantee, { to: startOfDirect }) : none,
    withDirect ? readShares(search, grantee, ofWorkbooks) : none,
  ])
  return { ...direct, grantee, folderIds: folders.folderIds }
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
  const entries = items.map(({ shared }) => String(shared))
  const folderIds = entries.filter((entry) => !isDirect(entry)).map(idInEntry)
  const workbooks = entries.filter(isDirect)
  const hasAllFolders = end === undefined || isDirect(end)
  if (hasAllFolders) return { grantee, folderIds, workbooks, readTo: end }
  const rest = await readShares(search, grantee, { after: end, to: startOfDirect })
  const all = [...folderIds, ...rest.folderIds]
  return { grantee, folderIds: all, workbooks, readTo: startOfDirect }
}

/** The workbooks that are shared directly. It reads further as more of them are asked for. */
export function directShares(search: Search, first: readonly Shares[]) {
  let all = first

  /** The hits up to where the shares with every grantee were read. */
  function known(after: string): Hits {
    const [searchedTo] = all.flatMap(({ readTo }) => readTo ?? []).sort()
    const isKnown = (position: string) =>
      position > after && (searchedTo === undefined || position <= searchedTo)
    const granteesAt = new Map<string, Grantee[]>()
    for (const { grantee, workbooks } of all)
      for (const position of workbooks.filter(isKnown))
        granteesAt.set(position, [...(granteesAt.get(position) ?? []), grantee])
    const inOrder = [...granteesAt].sort(([a], [b]) => (a < b ? -1 : 1))
    const hits = inOrder.map(([position, grantees]) => {
      return { position, id: idInEntry(position), grantees }
    })
    return { hits, searchedTo }
  }

  /** The next hits after a position. A workbook shared with several grantees comes once. */
  return async (after: string, wanted: number): Promise<Hits> => {
    const { hits, searchedTo } = known(after)
    if (searchedTo === undefined || hits.length >= wanted) return { hits, searchedTo }
    search.trips.left -= 1
    all = await Promise.all(
      all.map(async (shares) => {
        if (shares.readTo !== searchedTo) return shares
        const range = { after: searchedTo, limit: 2 * wanted }
        const { workbooks, readTo } = await readShares(search, shares.grantee, range)
        return { ...shares, workbooks: [...shares.workbooks, ...workbooks], readTo }
      }),
    )
    return known(after)
  }
}
