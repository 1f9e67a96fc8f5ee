import {
  batchGet,
  callsFor,
  type Item,
  type ItemKey,
  isLive,
  itemId,
  keysPerCall,
} from '../storage/batch-get.ts'
import { snapshot } from '../storage/snapshot.ts'
import { type Folder, folderPath, maxFolderLevels } from './folder-path.ts'
import type { Grantee } from './grantee.ts'
import { folderKey, shareKey } from './keys.ts'
import type { Places } from './places.ts'

/** Where a workbook lies: the folders above it, root first, and with whom each is shared. */
export type Location = {
  readonly folders: readonly (Folder & { readonly grantees: readonly Grantee[] })[]
  /** The folders' ids and names as JSON. */
  readonly path: string
}

/** A folder and those above it, nearest first, as far as they are known. */
type Path = readonly number[]

/** One guess of each path, from the tree, and one more if a folder has moved since. */
const maxGuesses = 2

/** The most calls that read paths side by side. */
const maxCalls = 12

/** So many folders they can read with two shares each. */
export const maxFolders = (maxCalls * keysPerCall) / 3

/**
 * Returns where folders lie and who shares them. Reads a path and its shares in one transaction.
 * With separate reads, a folder that is moved in after an unshare would be shown. A path without
 * shares shows nothing, so it needs no transaction, which takes twice the units.
 * @param folderIds from the first on, as many are read as one round trip can. The others are not in
 * `locations`.
 * @param beside other keys to read along with paths without shares
 * @returns `locations`: null for a folder if one above it moved again meanwhile, or if too many
 * have moved. It is found when the index has caught up. `items`: what was read of the other keys
 */
export async function readLocations(
  places: Places,
  folderIds: ReadonlySet<number>,
  beside: readonly ItemKey[],
) {
  const locations = new Map<number, Location | null>()
  let items: ReadonlyMap<string, Item> = new Map()
  let paths: Path[] = [...folderIds].map((id) => places.tree.pathFrom(id))
  let others = beside
  for (let guess = 1; guess <= maxGuesses && paths.length + others.length > 0; guess += 1) {
    places.trips -= 1
    const parts = await Promise.all(
      partsOf(places, paths, others).map((part) => readPart(places, part)),
    )
    if (guess === 1) items = (parts[0] as ReadPart).items
    others = []
    paths = parts.flatMap((part) =>
      part.paths.flatMap((path) => {
        const [folderId] = path as [number]
        const { folders, unread } = foldersIn(places, part, folderId)
        locations.set(folderId, unread === undefined ? locationOf(places, part, folders) : null)
        return unread === undefined ? [] : [pathThrough(folders, places.tree.pathFrom(unread))]
      }),
    )
  }
  return { locations, items }
}

/** Paths that are read together, with the keys of their folders and shares. */
type Part = {
  readonly paths: Path[]
  readonly isOneMoment: boolean
  readonly keys: Map<string, ItemKey>
}

/**
 * Puts the paths together, each as a whole, as long as calls are left: first a batch, then
 * transactions.
 */
function partsOf(places: Places, paths: readonly Path[], others: readonly ItemKey[]): Part[] {
  const batch: Part = {
    paths: [],
    isOneMoment: false,
    keys: new Map(others.map((key) => [itemId(key), key])),
  }
  const parts = [batch]
  for (const path of paths) {
    if (parts.length + callsFor(batch.keys.size) > maxCalls) break
    const keys = keysOf(places, path).map((key) => [itemId(key), key] as const)
    const isShared = path.some((id) => places.sharedWith.has(id))
    let part = isShared ? (parts.at(-1) as Part) : batch
    const size = part.keys.size + keys.filter(([id]) => !part.keys.has(id)).length
    if (isShared && (part === batch || size > keysPerCall)) {
      part = { paths: [], isOneMoment: true, keys: new Map() }
      parts.push(part)
    }
    part.paths.push(path)
    for (const [id, key] of keys) part.keys.set(id, key)
  }
  return parts
}

/** The folders of a path and their shares as the indexes name them: at most 99 keys. */
const keysOf = ({ deploymentId, sharedWith }: Places, path: Path): ItemKey[] =>
  path.flatMap((id) => {
    const folder = folderKey(deploymentId, id)
    return [folder, ...(sharedWith.get(id) ?? []).map((grantee) => shareKey(folder, grantee))]
  })

type ReadPart = Part & { readonly items: ReadonlyMap<string, Item> }

async function readPart({ storage }: Places, part: Part): Promise<ReadPart> {
  const keys = [...part.keys.values()]
  const attributes = ['name', 'parentId', 'deleted']
  const items = await (part.isOneMoment
    ? snapshot(storage, keys, attributes)
    : batchGet(storage, keys, { consistent: true, attributes }))
  return { ...part, items }
}

/** See {@link folderPath}; `unread` is the first folder on the way up that was not read along. */
function foldersIn({ deploymentId }: Places, { keys, items }: ReadPart, folderId: number) {
  let unread: number | undefined
  const folders = folderPath(folderId, (id) => {
    const key = itemId(folderKey(deploymentId, id))
    if (!keys.has(key)) unread = id
    const item = items.get(key)
    return isLive(item) ? (item as Item & Pick<Folder, 'name' | 'parentId'>) : undefined
  })
  return { folders, unread }
}

/** The way up that is known, and the rest as the tree has it; no longer than it can count. */
const pathThrough = (known: readonly Folder[], rest: Path): Path =>
  [...new Set([...known.map(({ id }) => id).reverse(), ...rest])].slice(0, maxFolderLevels + 1)

const locationOf = (
  { deploymentId, sharedWith }: Places,
  { items }: ReadPart,
  folders: readonly Folder[],
): Location => ({
  folders: folders.map((folder) => ({
    ...folder,
    // Stryker disable next-line ArrayDeclaration: Nobody has a share of a text.
    grantees: (sharedWith.get(folder.id) ?? []).filter((grantee) =>
      isLive(items.get(itemId(shareKey(folderKey(deploymentId, folder.id), grantee)))),
    ),
  })),
  path: JSON.stringify(folders.map(({ id, name }) => ({ id, name }))),
})
