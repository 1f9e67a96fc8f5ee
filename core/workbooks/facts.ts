import { batchGet, type Item, type ItemKey, itemId, keysPerCall } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import { type Folder, folderPath } from './folder-path.ts'
import { folderKey } from './keys.ts'

/** So few shares of folders are read with each call that reads folders. */
const maxSharesWithEach = 50

/** Folders, shares and workbooks as they are, read by key and consistently. */
export class Facts {
  readonly #storage: Storage
  readonly #deploymentId: number
  readonly #items = new Map<string, Item>()
  readonly #folderIds = new Set<number>()

  constructor(storage: Storage, deploymentId: number) {
    this.#storage = storage
    this.#deploymentId = deploymentId
  }

  /**
   * Reads folders, the shares of folders, and other items. A folder is never read after its share: else it could be
   * unshared, another folder moved into it, and be shown through the old share. One call reads its keys almost at one
   * time, though not as a snapshot: few shares are read with each call, and count if they are there each time (design, "The
   * mirror is proved by simulation", says what that leaves open). Many are read after the folders.
   */
  async read(folderIds: readonly number[], shares: readonly ItemKey[], others: readonly ItemKey[], budget: Budget) {
    const keys = [...folderIds.map((id) => folderKey(this.#deploymentId, id)), ...others]
    const isWithEach = shares.length <= maxSharesWithEach
    const parts = partsOf(keys, isWithEach ? keysPerCall - shares.length : keysPerCall)
    const rounds = isWithEach
      ? [(parts.length > 0 ? parts : [[]]).map((part) => [...part, ...shares])]
      : [parts, partsOf(shares, keysPerCall)]
    for (const calls of rounds.map((calls) => calls.filter(({ length }) => length > 0))) {
      if (calls.length > 0) budget.spend(calls.length)
      const read = await Promise.all(calls.map((keys) => this.#readItems(keys)))
      for (const [id, item] of read.flat()) if (item) this.#items.set(id, item)
      for (const [id, item] of read.flat()) if (!item) this.#items.delete(id)
    }
    for (const id of folderIds) this.#folderIds.add(id)
  }

  async #readItems(keys: readonly ItemKey[]): Promise<[string, Item | undefined][]> {
    const attributes = ['name', 'parentId', 'folderId', 'deleted']
    const items = await batchGet(this.#storage, keys, { consistent: true, attributes })
    return keys.map((key) => [itemId(key), items.get(itemId(key))])
  }

  /** Whether the thing is there. */
  has(key: ItemKey): boolean {
    return isThere(this.#items.get(itemId(key)))
  }

  get(key: ItemKey): Item | undefined {
    const item = this.#items.get(itemId(key))
    return isThere(item) ? item : undefined
  }

  /** See {@link folderPath}; `unread` is the first folder on the way up that was not read yet. */
  foldersFrom(folderId: number | null): { readonly folders: readonly Folder[]; readonly unread?: number } {
    let unread: number | undefined
    const folders = folderPath(folderId, (id) => {
      if (!this.#folderIds.has(id)) unread = id
      return this.get(folderKey(this.#deploymentId, id)) as Pick<Folder, 'name' | 'parentId'> | undefined
    })
    return unread === undefined ? { folders } : { folders, unread }
  }
}

export const isThere = (item: Item | undefined): item is Item => item !== undefined && item.deleted !== true

const partsOf = <Key>(keys: readonly Key[], size: number): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, part) => keys.slice(part * size, (part + 1) * size))
