import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { folderKey } from './keys.ts'
import { folderIdsIn } from './place.ts'

export type Folder = { readonly id: number; readonly name: string; readonly parentId: number | null }

/** A folder lies at most this many levels deep (catalog contract). */
export const deepestFolder = 10

/**
 * The folders of a deployment as far as they were loaded. Parents are the truth about where a thing lies; places in
 * indexes only say where to look, and may be behind while a move goes on.
 */
export class FolderTree {
  readonly #storage: Storage
  readonly #deploymentId: number
  readonly #consistent: boolean
  readonly #folders = new Map<number, Folder | undefined>()

  constructor(storage: Storage, deploymentId: number, { consistent = false } = {}) {
    this.#storage = storage
    this.#deploymentId = deploymentId
    this.#consistent = consistent
  }

  /** Loads these folders and all above them, in one round trip where `likely` names them all; reads `others` along. */
  async load(ids: Iterable<number>, likely: Iterable<number> = [], others: readonly ItemKey[] = []) {
    const needed = [...new Set(ids)]
    let wanted = this.#unknown(needed, likely)
    let keys = others
    let found: Map<string, Item> | undefined
    while (wanted.size > 0 || keys.length > 0) {
      const items = await this.#read(wanted, keys)
      found ??= items
      keys = []
      const places = [...items.values()].flatMap(({ place }) => folderIdsIn(String(place ?? '')))
      wanted = this.#isComplete(needed) ? new Set() : this.#unknown(needed, places)
    }
    return found ?? new Map<string, Item>()
  }

  async #read(ids: ReadonlySet<number>, others: readonly ItemKey[]): Promise<Map<string, Item>> {
    const folderKeys = [...ids].map((id) => folderKey(this.#deploymentId, id))
    const items = await batchGet(this.#storage, [...folderKeys, ...others], {
      consistent: this.#consistent,
      attributes: ['name', 'parentId', 'place', 'folderId', 'document', 'largeDocument', 'deleted'],
    })
    for (const id of ids) {
      const item = items.get(itemId(folderKey(this.#deploymentId, id)))
      this.#folders.set(id, item && isFolder(item) ? folderOf(id, item) : undefined)
    }
    return items
  }

  #isComplete(ids: readonly number[]): boolean {
    return ids.every((id) => this.#firstUnknown(id) === undefined)
  }

  /** What has to be read: the next folder on the way up from each of these, and what is likely to be on that way. */
  #unknown(ids: readonly number[], likely: Iterable<number>): Set<number> {
    const next = ids.map((id) => this.#firstUnknown(id)).filter((id) => id !== undefined)
    return new Set([...next, ...[...likely].filter((id) => !this.#folders.has(id))])
  }

  #firstUnknown(id: number): number | undefined {
    let next: number | null = id
    for (let depth = 0; next !== null && depth <= deepestFolder + 1; depth += 1) {
      if (!this.#folders.has(next)) return next
      next = this.#folders.get(next)?.parentId ?? null
    }
    return undefined
  }

  get(id: number): Folder | undefined {
    return this.#folders.get(id)
  }

  /** Takes note of a folder that is about to be written, or of its end. */
  set(id: number, folder: Folder | undefined): void {
    this.#folders.set(id, folder)
  }

  /** The folders that a thing in this folder lies in, root first. A folder that is gone ends the chain: top level. */
  chain(folderId: number | null): Folder[] {
    const chain: Folder[] = []
    let folder = folderId === null ? undefined : this.#folders.get(folderId)
    while (folder && chain.length <= deepestFolder) {
      chain.unshift(folder)
      folder = folder.parentId === null ? undefined : this.#folders.get(folder.parentId)
    }
    return chain
  }

  /** The ids that make up a place: those of the chain, below the id of a folder that is gone or has not arrived. */
  placeIds(folderId: number | null): number[] {
    const chain = this.chain(folderId)
    const above = chain[0] ? chain[0].parentId : folderId
    return [...(above === null ? [] : [above]), ...chain.map(({ id }) => id)]
  }
}

/** Not one that was deleted, nor one that so far is only referred to. */
export const isFolder = (item: Item): boolean => item.name !== undefined && item.deleted !== true

const folderOf = (id: number, item: Item): Folder => ({
  id,
  name: item.name as string,
  parentId: item.parentId as number | null,
})
