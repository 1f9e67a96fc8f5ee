import type { Grantee } from './grantee.ts'
import type { StoredFolder } from './stored.ts'

export type Folder = StoredFolder & { readonly id: number }

/** Where a workbook lies: the folders above it, root first, and with whom each is shared. */
export type Location = readonly (Folder & { readonly grantees: readonly Grantee[] })[]

/** A folder lies at most this many levels deep, its own included (docs/catalog.md). */
export const maxFolderLevels = 32

/**
 * The folder and those above it, root first. A folder is at the top if its parent is gone, or if
 * the top is not reached within {@link maxFolderLevels} (docs/catalog.md). `above`: the next id
 * on the way up, of a folder that does not count. Null at the top.
 * @param folderOf returns a folder, or undefined if it is not there
 */
export function folderPath(
  folderId: number | null,
  folderOf: (id: number) => StoredFolder | undefined,
) {
  const path: Folder[] = []
  let id = folderId
  while (id !== null && path.length <= maxFolderLevels) {
    const folder = folderOf(id)
    if (!folder) break
    path.unshift({ id, ...folder })
    id = folder.parentId
  }
  const folders = path.length > maxFolderLevels ? path.slice(-1) : path
  return { folders, above: folders[0] ? folders[0].parentId : folderId }
}
