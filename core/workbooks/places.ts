import { type FolderTree, readFolderTree } from './folder-tree.ts'
import type { Grantee } from './grantee.ts'
import { directShares, firstShares, type Search } from './shares.ts'

/** Where a list's workbooks may be, as the indexes have it. */
export type Places = Search & {
  readonly tree: FolderTree
  /** The grantees of each shared folder. */
  readonly sharedWith: ReadonlyMap<number, readonly Grantee[]>
  /** The folders whose workbooks the list has, in order: shared ones and all below. */
  readonly folderIds: ReadonlySet<number>
  /** Gives the next hits by direct shares. */
  readonly nextDirect: ReturnType<typeof directShares>
}

/**
 * Reads, side by side, the shares of folders, the first direct shares and the folder tree.
 * @param after the position after which the page begins
 */
export async function readPlaces(search: Search, after: string, size: number): Promise<Places> {
  const { storage, deploymentId, grantees, inFolders } = search
  const [tree, shares] = await Promise.all([
    readFolderTree(storage, deploymentId),
    Promise.all(grantees.map((grantee) => firstShares(search, grantee, after, size))),
  ])
  const sharedWith = new Map<number, Grantee[]>()
  for (const { grantee, folderIds } of shares) {
    for (const id of folderIds) sharedWith.set(id, [...(sharedWith.get(id) ?? []), grantee])
  }
  const folderIds = new Set(inFolders ? tree.withAllBelow(sharedWith.keys()) : [])
  return { ...search, tree, sharedWith, folderIds, nextDirect: directShares(search, shares) }
}
