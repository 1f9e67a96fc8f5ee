export type Folder = {
  readonly id: number
  readonly name: string
  readonly parentId: number | null
}

/** A folder lies at most this many levels deep, its own included (catalog contract). */
export const maxFolderLevels = 32

/**
 * The folder and those above it, root first. A folder whose parent is gone is at the top, and so is
 * one from which the top is not reached within that many levels (catalog contract).
 * @param folderOf a folder that is there
 */
export function folderPath(
  folderId: number | null,
  folderOf: (id: number) => Pick<Folder, 'name' | 'parentId'> | undefined,
): readonly Folder[] {
  const path: Folder[] = []
  for (let id = folderId; id !== null; id = (path.at(-1) as Folder).parentId) {
    const folder = folderOf(id)
    if (!folder) break
    if (path.length === maxFolderLevels) return path.slice(0, 1)
    path.push({ id, name: folder.name, parentId: folder.parentId })
  }
  return path.reverse()
}
