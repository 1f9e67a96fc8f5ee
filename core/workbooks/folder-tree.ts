import type { Item } from '../storage/item.ts'
import { queryIndex, readAll } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { maxFolderLevels } from './folder-path.ts'
import { deploymentPartition, idInEntry } from './keys.ts'

/** The folders of a deployment, and which documents are large, as an index has them. */
export class FolderTree {
  readonly #parents = new Map<number, number>()
  readonly #large = new Set<number>()

  /** @param items of folders with a parent, and of large workbooks, which have no parent */
  constructor(items: readonly Item[]) {
    for (const { treeEntry, parentId } of items) {
      const id = idInEntry(String(treeEntry))
      if (typeof parentId === 'number') this.#parents.set(id, parentId)
      else this.#large.add(id)
    }
  }

  /** Whether the workbook's document is a large one (`largeDocumentBytes` in `keys.ts`). */
  isLarge(workbookId: number): boolean {
    return this.#large.has(workbookId)
  }

  /**
   * The way up from a folder: its id and those above, nearest first. It has at most one level more
   * than a folder may have.
   */
  wayUpFrom(folderId: number | undefined): number[] {
    const ids: number[] = []
    let id = folderId
    while (id !== undefined && ids.length <= maxFolderLevels) {
      ids.push(id)
      id = this.#parents.get(id)
    }
    return ids
  }

  /**
   * These folders and all that lie below them, in order of their ids. Some may lie too deep: the
   * check by key tells.
   */
  withAllBelow(folderIds: Iterable<number>): number[] {
    const children = Map.groupBy(this.#parents.keys(), (id) => this.#parents.get(id))
    const all = new Set(folderIds)
    // The loop also comes to what it adds.
    for (const id of all) for (const child of children.get(id) ?? []) all.add(child)
    return [...all].sort((a, b) => a - b)
  }
}

/** Reads the tree, a call for each MB, one after the other. */
export async function readFolderTree(storage: Storage, deploymentId: number): Promise<FolderTree> {
  const partition = deploymentPartition(deploymentId)
  const range = { index: 'folderTree', partition, attributes: ['treeEntry', 'parentId'] }
  return new FolderTree(await readAll(queryIndex, storage, range))
}
