import { batchGet, callsFor, keysPerCall } from '../storage/batch-get.ts'
import { byItemId, type ItemKey, itemId } from '../storage/item.ts'
import { snapshot } from '../storage/snapshot.ts'
import { type Folder, folderPath, type Location, maxFolderLevels } from './folder-path.ts'
import { folderKey, shareKey } from './keys.ts'
import type { Places } from './places.ts'
import { folderAttributes, folderIn, granteesIn } from './stored.ts'

/** The way up from a folder: its own id, then those of the folders above, as far as known. */
type WayUp = { readonly folderId: number; readonly ids: readonly number[] }

/** The most calls that read ways up side by side. */
const maxCalls = 12

/** A folder takes up to three keys: its own, and those of two shares. */
const keysPerFolder = 3

/** The most folders to read in one round trip. */
export const maxFolders = (maxCalls * keysPerCall) / keysPerFolder

/**
 * Returns where folders lie and with whom they are shared.
 *
 *   1. the way up from each folder, as the folder tree has it: it may be out of date
 *   2. the folders and shares on these ways, by key
 *   3. the same again for the ways that lead elsewhere by now
 *
 * A way with shares is read in one transaction (docs/decisions/05-indexes-and-keys.md), which takes
 * twice the units. A way without shares shows nothing, so it needs no transaction.
 * @param folderIds read in this order, until one round trip is full
 * @param beside keys of other items, which the batch of the ways without shares reads too
 * @returns `locations` of the folders that were read. A folder is `moving` if its way changed
 * again, or did not fit the second read. Such a folder shows nothing until the index has caught up.
 * A folder that did not fit the first read is absent: the caller asks again. `items`: the items of
 * `beside` that were read
 */
export async function readLocations(
  places: Places,
  folderIds: ReadonlySet<number>,
  beside: readonly ItemKey[],
) {
  const ways = [...folderIds].map((id) => ({ folderId: id, ids: places.tree.wayUpFrom(id) }))
  const first = await readWays(places, ways, beside)
  const second = await readWays(places, first.moved, [])
  const moving = first.moved.map(({ folderId }) => [folderId, 'moving'] as const)
  const known = [...first.locations, ...moving, ...second.locations]
  return { locations: new Map<number, Location | 'moving'>(known), items: first.items }
}

/**
 * Reads as many of the ways as one round trip can.
 * @returns `locations` of folders whose way is as given; and `moved`, the new ways of the others
 */
async function readWays(places: Places, ways: readonly WayUp[], beside: readonly ItemKey[]) {
  const { storage, tree, sharedWith, trips } = places
  const keyOf = (id: number) => folderKey(places.deploymentId, id)
  const { batch, transactions } = partsOf(places, ways, beside)
  if (ways.length + beside.length > 0) trips.left -= 1
  const readPart = async (part: Part) => {
    const keys = [...part.keys.values()]
    const items =
      part === batch
        ? await batchGet(storage, keys, { consistent: true, attributes: folderAttributes })
        : await snapshot(storage, keys, folderAttributes)
    return { ...part, items }
  }
  const [inBatch, ...others] = await Promise.all([readPart(batch), ...transactions.map(readPart)])
  const locations = new Map<number, Location>()
  const moved: WayUp[] = []
  for (const { ways, keys, items } of [inBatch, ...others]) {
    const withGrantees = (folder: Folder) => {
      return { ...folder, grantees: granteesIn(items, keyOf(folder.id), sharedWith(folder.id)) }
    }
    for (const { folderId } of ways) {
      // This ends early at a folder that was not read.
      const { folders, above } = folderPath(folderId, (id) =>
        folderIn(items.get(itemId(keyOf(id)))),
      )
      // The folder above was read, and still the path ends here: it is gone, or the top is too far.
      if (above === null || keys.has(itemId(keyOf(above))))
        locations.set(folderId, folders.map(withGrantees))
      else moved.push(wayThrough(folderId, folders, tree.wayUpFrom(above)))
    }
  }
  return { locations, moved, items: inBatch.items }
}

/** Ways that are read together, with the keys of their folders and shares. */
type Part = { readonly ways: WayUp[]; readonly keys: Map<string, ItemKey> }

/**
 * Puts ways together into calls, each way as a whole, as long as calls are left. Ways without a
 * known share go into a batch, the others into transactions.
 */
function partsOf(places: Places, ways: readonly WayUp[], beside: readonly ItemKey[]) {
  const batch: Part = { ways: [], keys: byItemId(beside) }
  const transactions: Part[] = []
  for (const way of ways) {
    if (callsFor(batch.keys.size) + transactions.length >= maxCalls) break
    const keys = byItemId(keysOf(places, way))
    const isShared = way.ids.some((id) => places.sharedWith(id).length > 0)
    let part = isShared ? transactions.at(-1) : batch
    if (!part || (isShared && new Map([...part.keys, ...keys]).size > keysPerCall)) {
      part = { ways: [], keys: new Map() }
      transactions.push(part)
    }
    part.ways.push(way)
    for (const [id, key] of keys) part.keys.set(id, key)
  }
  return { batch, transactions }
}

/** The folders of a way and their shares as the indexes name them: at most 99 keys. */
const keysOf = (places: Places, { ids }: WayUp): ItemKey[] =>
  ids.flatMap((id) => {
    const folder = folderKey(places.deploymentId, id)
    return [folder, ...places.sharedWith(id).map((grantee) => shareKey(folder, grantee))]
  })

/** The way up: the folders that were read, then those of the tree, cut where a way is too long. */
function wayThrough(folderId: number, known: readonly Folder[], rest: readonly number[]): WayUp {
  const ids = new Set([...known.map(({ id }) => id).reverse(), ...rest])
  return { folderId, ids: [...ids].slice(0, maxFolderLevels + 1) }
}
