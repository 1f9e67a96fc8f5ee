import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { type FolderTree, readFolderTree } from './folder-tree.ts'
import type { Grantee } from './grantee.ts'
import { shareIndex, startOfDirect } from './keys.ts'

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
}

/** Where a list's workbooks may be, as the indexes have it. */
export type Places = Search & {
  readonly tree: FolderTree
  /** The grantees of each shared folder. */
  readonly sharedWith: ReadonlyMap<number, readonly Grantee[]>
  /** The folders whose workbooks the list has, in order: shared ones and all below. */
  readonly folderIds: ReadonlySet<number>
  readonly direct: readonly Shares[]
  /** Folders in which nothing is to be seen, whatever the indexes say. */
  readonly hidden: Set<number>
  /** How many round trips the page may still take. */
  trips: number
}

/** The fewest shares to read at once: this many cost as much as none. */
const minShares = 40

/**
 * How many shares to read for each workbook of a page. Most tenants have no more shared folders
 * than that.
 */
const sharesPerItem = 10

/**
 * Reads, side by side, the shares of folders, the first direct shares and the folder tree.
 * @param after the position after which the page begins
 */
export async function readPlaces(
  search: Search,
  after: string,
  size: number,
  trips: number,
): Promise<Places> {
  const { storage, deploymentId, grantees, directGrantees, inFolders, withReasons } = search
  // Stryker disable next-line ArrayDeclaration: A text that is no position is never after one.
  const shares = grantees.map(
    (grantee): Shares => ({ grantee, folderIds: [], workbooks: [], upTo: undefined }),
  )
  const direct = shares.filter(({ grantee }) => directGrantees.includes(grantee))
  // Stryker disable next-line EqualityOperator: No sort key is just that letter: an id follows.
  const beginsInFolders = inFolders && after < startOfDirect
  const reads = shares.flatMap((each) => {
    const isDirect = direct.includes(each)
    // Folders come first, so that the first workbooks come along with them.
    if (isDirect && beginsInFolders) return [readShares(search, each, {}, sharesPerItem * size)]
    // Stryker disable next-line EqualityOperator: No sort key is just that letter: an id follows.
    const workbooks = { after: after > startOfDirect ? after : startOfDirect }
    // Stryker disable ArrayDeclaration: A text among promises changes nothing.
    return [
      ...(inFolders || withReasons ? [readShares(search, each, { to: startOfDirect })] : []),
      ...(isDirect ? [readShares(search, each, workbooks, 2 * size)] : []),
    ]
    // Stryker restore ArrayDeclaration
  })
  const [tree] = await Promise.all([readFolderTree(storage, deploymentId), ...reads])
  const sharedWith = new Map<number, Grantee[]>()
  for (const { grantee, folderIds } of shares) {
    for (const id of folderIds) sharedWith.set(id, [...(sharedWith.get(id) ?? []), grantee])
  }
  const folderIds = new Set(inFolders ? tree.withAllBelow(sharedWith.keys()) : [])
  return { ...search, tree, sharedWith, folderIds, direct, hidden: new Set(), trips }
}

/** The shares with one grantee, as far as they were read. */
export type Shares = {
  readonly grantee: Grantee
  readonly folderIds: number[]
  /** The positions of the workbooks. */
  readonly workbooks: string[]
  /** Up to which position the workbooks were read; undefined: all. */
  upTo: string | undefined
}

/**
 * Reads shares with a grantee. One partition of an index holds them: folders first, then workbooks.
 * It reads all folders of the range, and the workbooks that come along within the limit.
 */
export async function readShares(
  search: Search,
  shares: Shares,
  range: { readonly after?: string; readonly to?: string },
  limit?: number,
): Promise<void> {
  const { index, partition } = shareIndex(search.deploymentId, shares.grantee)
  const attributes = ['shared']
  const most = limit && Math.max(limit, minShares)
  const { items, end } = await queryIndex(
    search.storage,
    { index, partition, ...range, attributes },
    most,
  )
  const entries = items.map(({ shared }) => shared as string)
  for (const entry of entries) {
    // Stryker disable next-line EqualityOperator: No sort key is just that letter: an id follows.
    if (entry < startOfDirect) shares.folderIds.push(Number(entry.slice(2)))
    else shares.workbooks.push(entry)
  }
  // Stryker disable next-line EqualityOperator,ConditionalExpression: No sort key is just that letter; undefined is not less.
  const isAmongFolders = end !== undefined && end < startOfDirect
  if (range.to === undefined) shares.upTo = isAmongFolders ? startOfDirect : end
  if (isAmongFolders) await readShares(search, shares, { after: end, to: startOfDirect })
}
