import { batchGet, callsFor, type Item, type ItemKey, itemId, keysPerCall } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import { maxFolderLevels } from './folder-map.ts'
import { folderKey } from './keys.ts'

export type Folder = { readonly id: number; readonly name: string; readonly parentId: number | null }

/** Folders, shares and workbooks as they are, read by key and consistently. */
export class Facts {
  readonly #storage: Storage
  readonly #deploymentId: number
  readonly #items = new Map<string, Item | undefined>()
  readonly #folderIds = new Set<number>()

  constructor(storage: Storage, deploymentId: number) {
    this.#storage = storage
    this.#deploymentId = deploymentId
  }

  /**
   * Reads folders, the shares of folders, and other items. A folder is never read after its share: else it could be
   * unshared, another folder moved into it, and be shown through the old share. One call reads both at one time.
   */
  async read(folderIds: readonly number[], shares: readonly ItemKey[], others: readonly ItemKey[], budget: Budget) {
    const folders = folderIds.map((id) => folderKey(this.#deploymentId, id))
    const inOneCall = folders.length + shares.length <= keysPerCall
    const rounds = inOneCall ? [[...folders, ...shares, ...others]] : [[...folders, ...others], shares]
    for (const keys of rounds.filter(({ length }) => length > 0)) {
      budget.spend(callsFor(keys.length))
      const attributes = ['name', 'parentId', 'folderId', 'deleted']
      const items = await batchGet(this.#storage, keys, { consistent: true, attributes })
      for (const key of keys) this.#items.set(itemId(key), items.get(itemId(key)))
    }
    for (const id of folderIds) this.#folderIds.add(id)
  }

  /** Whether the thing is there. */
  has(key: ItemKey): boolean {
    return isThere(this.#items.get(itemId(key)))
  }

  get(key: ItemKey): Item | undefined {
    const item = this.#items.get(itemId(key))
    return isThere(item) ? item : undefined
  }

  /**
   * The folder and those above it, root first. A folder whose parent is gone is at the top, and so is one from which the
   * top is not reached within ten levels (catalog contract).
   */
  foldersFrom(folderId: number | null): { readonly folders: Folder[]; readonly unread?: number } {
    const path: Folder[] = []
    for (let id = folderId; id !== null; id = (path.at(-1) as Folder).parentId) {
      if (!this.#folderIds.has(id)) return { folders: path, unread: id }
      const item = this.get(folderKey(this.#deploymentId, id))
      if (!item) break
      if (path.length === maxFolderLevels) return { folders: path.slice(0, 1) }
      path.push({ id, name: item.name as string, parentId: item.parentId as number | null })
    }
    return { folders: path.reverse() }
  }
}

export const isThere = (item: Item | undefined): item is Item => item !== undefined && item.deleted !== true
