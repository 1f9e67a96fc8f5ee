import { batchGet, callsFor, type Item, type ItemKey, isLive, itemId, keysPerCall } from '../storage/batch-get.ts'
import { snapshot } from '../storage/snapshot.ts'
import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import { type Folder, folderPath } from './folder-path.ts'
import { folderKey } from './keys.ts'

/** Up to this many other items are read within the transaction. That takes twice the capacity and saves a call. */
const maxOthersWithin = 10

/** The folders above a workbook and the shares of all of them: at most 33 keys. */
export type Path = { readonly folders: readonly ItemKey[]; readonly shares: readonly ItemKey[] }

const keysOf = ({ folders, shares }: Path): ItemKey[] => [...folders, ...shares]

/** Folders, shares and workbooks as they are, read by key and consistently. */
export class Facts {
  readonly #storage: Storage
  readonly #deploymentId: number
  readonly #items = new Map<string, Item>()
  readonly #read = new Set<string>()

  constructor(storage: Storage, deploymentId: number) {
    this.#storage = storage
    this.#deploymentId = deploymentId
  }

  /**
   * Reads folders with their shares, and other items. A folder must not be read after its share. Otherwise somebody
   * could take the share away and then move another folder there, which would be shown through the old share. So a path
   * that has shares is read at one moment. A share that is in several paths counts if it is there each time.
   * @returns whether the budget allowed it
   */
  async read(paths: readonly Path[], others: readonly ItemKey[], budget: Budget): Promise<boolean> {
    const shared = paths.filter(({ shares }) => shares.length > 0)
    const rest = [...paths.filter((path) => !shared.includes(path)).flatMap(({ folders }) => folders), ...others]
    const isWithin = shared.length > 0 && rest.length <= maxOthersWithin
    const parts = partsOf([...shared.map(keysOf), ...(isWithin ? [rest] : [])])
    const apart = isWithin ? [] : rest
    const calls = parts.length + callsFor(new Set(apart.map(itemId)).size)
    if (!budget.allows(calls)) return false
    budget.spend(calls)
    const read = parts.map((part) => this.#note(part, snapshot))
    const missing = await Promise.all([...read, this.#note(apart, readConsistently)])
    for (const id of missing.flat()) this.#items.delete(id)
    for (const key of paths.flatMap(keysOf)) this.#read.add(itemId(key))
    return true
  }

  /** @returns what is not there */
  async #note(keys: readonly ItemKey[], read: typeof readConsistently): Promise<string[]> {
    const items = await read(this.#storage, keys, attributes)
    for (const [id, item] of items) this.#items.set(id, item)
    return keys.map(itemId).filter((id) => !items.has(id))
  }

  /** Whether the thing is there. */
  has(key: ItemKey): boolean {
    return isLive(this.#items.get(itemId(key)))
  }

  get(key: ItemKey): Item | undefined {
    const item = this.#items.get(itemId(key))
    return isLive(item) ? item : undefined
  }

  /** See {@link folderPath}; `unread` is the first folder on the way up that was not read yet. */
  foldersFrom(folderId: number | null): { readonly folders: readonly Folder[]; readonly unread?: number } {
    let unread: number | undefined
    const folders = folderPath(folderId, (id) => {
      const key = folderKey(this.#deploymentId, id)
      if (!this.#read.has(itemId(key))) unread = id
      return this.get(key) as Pick<Folder, 'name' | 'parentId'> | undefined
    })
    return unread === undefined ? { folders } : { folders, unread }
  }
}

const attributes = ['name', 'parentId', 'folderId', 'deleted']

const readConsistently = (storage: Storage, keys: readonly ItemKey[], attributes: readonly string[]) =>
  batchGet(storage, keys, { consistent: true, attributes })

/** Puts paths together as long as they fit one call. Each path stays whole. */
function partsOf(paths: readonly (readonly ItemKey[])[]): ItemKey[][] {
  const parts: Map<string, ItemKey>[] = []
  for (const path of paths) {
    const keys = path.map((key) => [itemId(key), key] as const)
    const last = parts.at(-1)
    if (last && last.size + keys.filter(([id]) => !last.has(id)).length <= keysPerCall) {
      for (const [id, key] of keys) last.set(id, key)
    } else parts.push(new Map(keys))
  }
  return parts.map((part) => [...part.values()])
}
