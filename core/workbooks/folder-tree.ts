import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { maxFolderLevels } from './folder-path.ts'
import { deploymentPartition } from './keys.ts'
import { type TreeEntry, treeEntryIn } from './stored.ts'

/** The folders of a deployment, and which documents are large, as an index has them. */
export class FolderTree {
  readonly #parents = new Map<number, number>()
  readonly #large = new Set<number>()

  constructor(entries: readonly TreeEntry[]) {
    for (const { treeEntry, parentId } of entries) {
      const id = Number(treeEntry.slice(2))
      if (parentId === null) this.#large.add(id)
      else this.#parents.set(id, parentId)
    }
  }

  /** Whether the workbook's document is a large one, see {@link largeDocumentBytes}. */
  isLarge(workbookId: number): boolean {
    return this.#large.has(workbookId)
  }

  /** The folder and those above it, nearest first, and one level more than a folder may have. */
  pathFrom(folderId: number | undefined): number[] {
    const path: number[] = []
    let id = folderId
    while (id !== undefined && path.length <= maxFolderLevels) {
      path.push(id)
      id = this.#parents.get(id)
    }
    return path
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
  const entries: TreeEntry[] = []
  const partition = deploymentPartition(deploymentId)
  const range = { index: 'folderTree', partition, attributes: ['treeEntry', 'parentId'] }
  let after: string | undefined
  do {
    const { items, end } = await queryIndex(storage, { ...range, after })
    for (const item of items) entries.push(treeEntryIn(item))
    after = end
  } while (after !== undefined)
  return new FolderTree(entries)
}
