import { batchGet, callsFor, type Item, type ItemKey, isLive, itemId, keysPerCall } from '../storage/batch-get.ts'
import { snapshot } from '../storage/snapshot.ts'
import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import { type Folder, folderPath } from './folder-path.ts'
import { folderKey } from './keys.ts'

/** Up to this many other items are read within the transaction. That takes twice the capacity and saves a call. */
const maxOthersWithin = 10

/** The way up from a folder: the folders on it and the shares of all of them, at most 33 keys. */
export type Path = {
  readonly folderId: number | null
  readonly folders: readonly ItemKey[]
  readonly shares: readonly ItemKey[]
}

/** What was read together, by {@link itemId}; undefined for what is not there. */
type Answer = ReadonlyMap<string, Item | undefined>

const keysOf = ({ folders, shares }: Path): ItemKey[] => [...folders, ...shares]

/** Folders, shares and workbooks as they are, read by key and consistently. */
export class Facts {
  readonly #storage: Storage
  readonly #deploymentId: number
  /** By the folder that a path begins in. */
  readonly #paths = new Map<number | null, Answer>()
  readonly #others = new Map<string, Item | undefined>()

  constructor(storage: Storage, deploymentId: number) {
    this.#storage = storage
    this.#deploymentId = deploymentId
  }

  /**
   * Reads paths, and other items. A path that has shares is read in one transaction, and judged by that one answer. Of
   * two answers, one could have a folder in a shared one that it left, and the other a folder that came into it since.
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
    const read = parts.map((part) => this.#answerTo(part, snapshot))
    const answers = await Promise.all([...read, this.#answerTo(apart, readConsistently)])
    const answerWith = (keys: readonly ItemKey[]) =>
      answers.find((answer) => keys.every((key) => answer.has(itemId(key)))) as Answer
    for (const path of paths) this.#paths.set(path.folderId, answerWith(keysOf(path)))
    for (const key of others) this.#others.set(itemId(key), answerWith([key]).get(itemId(key)))
    return true
  }

  async #answerTo(keys: readonly ItemKey[], read: typeof readConsistently): Promise<Answer> {
    const items = await read(this.#storage, keys, attributes)
    return new Map(keys.map((key) => [itemId(key), items.get(itemId(key))]))
  }

  /** One of the other items, if it is there. */
  get(key: ItemKey): Item | undefined {
    const item = this.#others.get(itemId(key))
    return isLive(item) ? item : undefined
  }

  /** Whether a share was there when the path was read that begins in the folder. */
  isShared(folderId: number | null, share: ItemKey): boolean {
    return isLive(this.#paths.get(folderId)?.get(itemId(share)))
  }

  /** See {@link folderPath}; `unread` is the first folder on the way up that was not read together with those below it. */
  foldersFrom(folderId: number | null): { readonly folders: readonly Folder[]; readonly unread?: number } {
    const answer = this.#paths.get(folderId)
    let unread: number | undefined
    const folders = folderPath(folderId, (id) => {
      const key = itemId(folderKey(this.#deploymentId, id))
      if (!answer?.has(key)) unread = id
      const item = answer?.get(key)
      return (isLive(item) ? item : undefined) as Pick<Folder, 'name' | 'parentId'> | undefined
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
