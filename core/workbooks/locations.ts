import { batchGet, callsFor, keysPerCall } from '../storage/batch-get.ts'
import { byItemId, type Item, type ItemKey, itemId } from '../storage/item.ts'
import { snapshot } from '../storage/snapshot.ts'
import { type Folder, folderAbove, folderPath, maxFolderLevels } from './folder-path.ts'
import type { Grantee } from './grantee.ts'
import { folderKey, shareKey } from './keys.ts'
import type { Places } from './places.ts'
import { folderAttributes, folderIn, granteesIn } from './stored.ts'

/** Where a workbook lies: the folders above it, root first, and with whom each is shared. */
export type Location = {
  readonly folders: readonly (Folder & { readonly grantees: readonly Grantee[] })[]
  /** The folders' ids and names as JSON. */
  readonly path: string
}

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
  const locations = new Map<number, Location | 'moving'>(first.locations)
  for (const { folderId } of first.moved)
    locations.set(folderId, second.locations.get(folderId) ?? 'moving')
  return { locations, items: first.items }
}

/**
 * Reads as many of the ways as one round trip can.
 * @returns `locations` of folders whose way is as given; and `moved`, the new ways of the others
 */
async function readWays(places: Places, ways: readonly WayUp[], beside: readonly ItemKey[]) {
  const { storage } = places
  const attributes = folderAttributes
  const { batch, transactions } = partsOf(places, ways, beside)
  if (ways.length + beside.length > 0) places.trips.left -= 1
  const [inBatch, ...others] = await Promise.all([
    readPart(batch, (keys) => batchGet(storage, keys, { consistent: true, attributes })),
    ...transactions.map((part) => readPart(part, (keys) => snapshot(storage, keys, attributes))),
  ])
  const locations = new Map<number, Location>()
  const moved: WayUp[] = []
  for (const part of [inBatch, ...others]) {
    const folderOf = (id: number) => folderIn(part.items.get(folderItemId(places, id)))
    for (const { folderId } of part.ways) {
      // This ends early at a folder that was not read along.
      const folders = folderPath(folderId, folderOf)
      const above = folderAbove(folderId, folders)
      // The folder above was read, and still the path ends here: it is gone, or the top is too far.
      if (above === null || part.keys.has(folderItemId(places, above)))
        locations.set(folderId, locationOf(places, part, folders))
      else moved.push(wayThrough(folderId, folders, places.tree.wayUpFrom(above)))
    }
  }
  return { locations, moved, items: inBatch.items }
}

/** Ways that are read together, with the keys of their folders and shares. */
type Part = { readonly ways: WayUp[]; readonly keys: Map<string, ItemKey> }

type Items = ReadonlyMap<string, Item>

type ReadPart = Part & { readonly items: Items }

const readPart = async (
  part: Part,
  read: (keys: readonly ItemKey[]) => Promise<Items>,
): Promise<ReadPart> => ({ ...part, items: await read([...part.keys.values()]) })

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
    const isShared = way.ids.some((id) => places.sharedWith.has(id))
    const last = transactions.at(-1)
    if (!isShared) addTo(batch, way, keys)
    else if (last && new Map([...last.keys, ...keys]).size <= keysPerCall) addTo(last, way, keys)
    else transactions.push({ ways: [way], keys })
  }
  return { batch, transactions }
}

function addTo(part: Part, way: WayUp, keys: ReadonlyMap<string, ItemKey>): void {
  part.ways.push(way)
  for (const [id, key] of keys) part.keys.set(id, key)
}

const granteesOf = ({ sharedWith }: Places, folderId: number) => sharedWith.get(folderId) ?? []

/** The folders of a way and their shares as the indexes name them: at most 99 keys. */
const keysOf = (places: Places, { ids }: WayUp): ItemKey[] =>
  ids.flatMap((id) => {
    const folder = folderKey(places.deploymentId, id)
    return [folder, ...granteesOf(places, id).map((grantee) => shareKey(folder, grantee))]
  })

const folderItemId = ({ deploymentId }: Places, id: number) => itemId(folderKey(deploymentId, id))

/** The way up: the folders that were read, then those of the tree, cut where a way is too long. */
function wayThrough(folderId: number, known: readonly Folder[], rest: readonly number[]): WayUp {
  const ids = new Set([...known.map(({ id }) => id).reverse(), ...rest])
  return { folderId, ids: [...ids].slice(0, maxFolderLevels + 1) }
}

const locationOf = (places: Places, { items }: ReadPart, folders: readonly Folder[]): Location => ({
  folders: folders.map((folder) => {
    const key = folderKey(places.deploymentId, folder.id)
    return { ...folder, grantees: granteesIn(items, key, granteesOf(places, folder.id)) }
  }),
  path: JSON.stringify(folders.map(({ id, name }) => ({ id, name }))),
})
