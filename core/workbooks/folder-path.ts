import type { StoredFolder } from './stored.ts'

export type Folder = StoredFolder & { readonly id: number }

/** A folder lies at most this many levels deep, its own included (docs/catalog.md). */
export const maxFolderLevels = 32

/**
 * The folder and those above it, root first. A folder is at the top if its parent is gone, or if
 * the top is not reached within {@link maxFolderLevels} (docs/catalog.md).
 * @param folderOf a folder that is there
 */
export function folderPath(
  folderId: number | null,
  folderOf: (id: number) => StoredFolder | undefined,
): readonly Folder[] {
  const path: Folder[] = []
  let id = folderId
  while (id !== null) {
    const folder = folderOf(id)
    if (!folder) break
    if (path.length === maxFolderLevels) return path.slice(0, 1)
    path.push({ id, name: folder.name, parentId: folder.parentId })
    id = folder.parentId
  }
  return path.reverse()
}

/** The parent that the topmost folder of a path names; null at the top level. */
export const folderAbove = (folderId: number | null, path: readonly Folder[]): number | null =>
  path[0] ? path[0].parentId : folderId
