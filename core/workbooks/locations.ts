import { batchGet, callsFor, keysPerCall } from '../storage/batch-get.ts'
import { type Item, type ItemKey, isLive, itemId } from '../storage/item.ts'
import { snapshot } from '../storage/snapshot.ts'
import { type Folder, folderAbove, folderPath, maxFolderLevels } from './folder-path.ts'
import type { Grantee } from './grantee.ts'
import { folderKey, shareKey } from './keys.ts'
import type { Places } from './places.ts'
import { folderAttributes, folderIn } from './stored.ts'

/** Where a workbook lies: the folders above it, root first, and with whom each is shared. */
export type Location = {
  readonly folders: readonly (Folder & { readonly grantees: readonly Grantee[] })[]
  /** The folders' ids and names as JSON. */
  readonly path: string
}

/** A folder, and the way up from it: its id and those above, nearest first, as far as known. */
type Path = { readonly folderId: number; readonly ids: readonly number[] }

/** The most calls that read paths side by side. */
const maxCalls = 12

/** So many folders can be read in them, with two shares each. */
export const maxFolders = (maxCalls * keysPerCall) / 3

/**
 * Returns where folders lie and with whom they are shared. Reads a path and its shares in one
 * transaction (docs/decisions/05-indexes-and-keys.md), which takes twice the units. A path without
 * shares shows nothing, so it needs none.
 * @param folderIds read in this order, until one round trip is full
 * @param beside other keys to read along with paths without shares
 * @returns `locations` of each folder that was read. A folder that did not fit is absent: ask
 * again. One whose path moved twice, or whose second read did not fit, is null: it is left out
 * until the index has caught up. `items`: what was read of `beside`
 */
export async function readLocations(
  places: Places,
  folderIds: ReadonlySet<number>,
  beside: readonly ItemKey[],
) {
  const guesses = [...folderIds].map((id) => ({ folderId: id, ids: places.tree.pathFrom(id) }))
  const first = await readPaths(places, guesses, beside)
  const second = await readPaths(places, first.moved, [])
  return { locations: new Map([...first.locations, ...second.locations]), items: first.items }
}

/** Reads paths, as many as one round trip can. `moved`: paths that lead elsewhere by now. */
async function readPaths(places: Places, paths: readonly Path[], beside: readonly ItemKey[]) {
  const { storage } = places
  const attributes = folderAttributes
  const { batch, transactions } = partsOf(places, paths, beside)
  if (paths.length + beside.length > 0) places.budget.spend()
  const [inBatch, ...others] = await Promise.all([
    read(batch, (keys) => batchGet(storage, keys, { consistent: true, attributes })),
    ...transactions.map((part) => read(part, (keys) => snapshot(storage, keys, attributes))),
  ])
  const locations = new Map<number, Location | null>()
  const moved: Path[] = []
  for (const part of [inBatch, ...others]) {
    for (const { folderId } of part.paths) {
      const folders = foldersIn(places, part, folderId)
      const above = folderAbove(folderId, folders)
      const isWhole = above === null || part.keys.has(idOf(places, above))
      locations.set(folderId, isWhole ? locationOf(places, part, folders) : null)
      if (!isWhole) moved.push(pathThrough(folderId, folders, places.tree.pathFrom(above)))
    }
  }
  return { locations, moved, items: inBatch.items }
}

/** Paths that are read together, with the keys of their folders and shares. */
type Part = { readonly paths: Path[]; readonly keys: Map<string, ItemKey> }

/**
 * Puts the paths together, each as a whole, as long as calls are left: into a batch what no share
 * is known of, and the others into transactions.
 */
function partsOf(places: Places, paths: readonly Path[], beside: readonly ItemKey[]) {
  const batch: Part = { paths: [], keys: new Map(beside.map((key) => [itemId(key), key])) }
  const transactions: Part[] = []
  for (const path of paths) {
    if (callsFor(batch.keys.size) + transactions.length >= maxCalls) break
    const keys = new Map(keysOf(places, path).map((key) => [itemId(key), key]))
    const isShared = path.ids.some((id) => places.sharedWith.has(id))
    const last = isShared ? transactions.at(-1) : batch
    const fits = last && (last === batch || new Map([...last.keys, ...keys]).size <= keysPerCall)
    if (fits) {
      last.paths.push(path)
      for (const [id, key] of keys) last.keys.set(id, key)
    } else transactions.push({ paths: [path], keys })
  }
  return { batch, transactions }
}

const granteesOf = ({ sharedWith }: Places, folderId: number) => sharedWith.get(folderId) ?? []

/** The folders of a path and their shares as the indexes name them: at most 99 keys. */
const keysOf = (places: Places, { ids }: Path): ItemKey[] =>
  ids.flatMap((id) => {
    const folder = folderKey(places.deploymentId, id)
    return [folder, ...granteesOf(places, id).map((grantee) => shareKey(folder, grantee))]
  })

type ReadPart = Part & { readonly items: ReadonlyMap<string, Item> }

const read = async (
  part: Part,
  itemsOf: (keys: ItemKey[]) => Promise<ReadPart['items']>,
): Promise<ReadPart> => ({ ...part, items: await itemsOf([...part.keys.values()]) })

const idOf = ({ deploymentId }: Places, id: number) => itemId(folderKey(deploymentId, id))

/** See {@link folderPath}. It ends early at a folder that was not read along. */
const foldersIn = (places: Places, { items }: ReadPart, folderId: number) =>
  folderPath(folderId, (id) => folderIn(items.get(idOf(places, id))))

/** The way up that is known, and the rest as the tree has it; no longer than it can count. */
function pathThrough(folderId: number, known: readonly Folder[], rest: readonly number[]): Path {
  const ids = new Set([...known.map(({ id }) => id).reverse(), ...rest])
  return { folderId, ids: [...ids].slice(0, maxFolderLevels + 1) }
}

const locationOf = (places: Places, { items }: ReadPart, folders: readonly Folder[]): Location => ({
  folders: folders.map((folder) => {
    const key = folderKey(places.deploymentId, folder.id)
    const isThere = (grantee: Grantee) => isLive(items.get(itemId(shareKey(key, grantee))))
    return { ...folder, grantees: granteesOf(places, folder.id).filter(isThere) }
  }),
  path: JSON.stringify(folders.map(({ id, name }) => ({ id, name }))),
})
