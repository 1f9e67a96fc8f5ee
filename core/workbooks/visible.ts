import { batchGet } from '../storage/batch-get.ts'
import { maxDocumentBytes } from '../storage/document.ts'
import { type ItemKey, isLive, itemId } from '../storage/item.ts'
import { bytesInAnswer, type Entry, pageBytes } from '../storage/page.ts'
import { unpackPage } from '../storage/unpack-page.ts'
import { accessReasons } from './access-sources.ts'
import type { Grantee } from './grantee.ts'
import type { Hit } from './hit.ts'
import { largeDocumentBytes, shareKey, workbookKey } from './keys.ts'
import { type Location, maxFolders, readLocations } from './locations.ts'
import type { Places } from './places.ts'
import { type StoredWorkbook, workbookAttributes, workbookIn } from './stored.ts'

/** A workbook that is there. If its hit names a folder, the workbook is still in that folder. */
type Found = StoredWorkbook & {
  readonly hit: Hit
  /** The direct shares to check: those that the hit names. If reasons are asked for, all. */
  readonly shares: readonly { readonly grantee: Grantee; readonly key: ItemKey }[]
}

/** A workbook, the folders above it, and the grantees with whom it is shared directly now. */
type Located = Found & { readonly location: Location; readonly direct: readonly Grantee[] }

/**
 * Finds the hits that can be seen, by key and consistently. Reads the workbooks, and only then the
 * folders above them and all shares: docs/decisions/05-indexes-and-keys.md says why.
 * @returns `entries`: the workbooks that can be seen. `checked`: how many of the first hits were
 * checked, since one round trip may not have room for all
 */
export async function readVisible(places: Places, hits: readonly Hit[]) {
  const workbooks = await readWorkbooks(places, hits)
  const folderIds = new Set(workbooks.flatMap(({ folderId }) => folderId ?? []))
  const keys = workbooks.flatMap(({ shares }) => shares.map(({ key }) => key))
  const { locations, items } = await readLocations(places, folderIds, keys)
  const located: Located[] = []
  let checked = hits.length
  for (const found of workbooks) {
    const location = found.folderId === null ? topLevel : locations.get(found.folderId)
    if (location === undefined) {
      // Its folder did not fit the round trip.
      checked = hits.indexOf(found.hit)
      break
    }
    if (location === 'moving') continue
    const shared = found.shares.filter(({ key }) => isLive(items.get(itemId(key))))
    located.push({ ...found, location, direct: shared.map(({ grantee }) => grantee) })
  }
  const seen = located.filter((each) => isSeen(places, each))
  const texts = unpackPage(seen.map(({ document }) => document))
  const entries = seen.flatMap((each, index) => {
    const json = texts[index]
    // There is no text of what comes after a full page.
    return json === undefined ? [] : [entryOf(places, each, json)]
  })
  return { entries, checked }
}

const topLevel: Location = { folders: [], path: '[]' }

async function readWorkbooks(places: Places, hits: readonly Hit[]): Promise<Found[]> {
  const { storage, deploymentId, grantees, withReasons, trips } = places
  const keyOf = ({ id }: Hit) => workbookKey(deploymentId, id)
  trips.left -= 1
  const how = { consistent: true, attributes: workbookAttributes }
  const items = await batchGet(storage, hits.map(keyOf), how)
  return hits.flatMap((hit) => {
    const key = keyOf(hit)
    const workbook = workbookIn(items.get(itemId(key)))
    if (!workbook) return []
    const hasMoved = hit.folderId !== undefined && hit.folderId !== workbook.folderId
    if (hasMoved) return []
    const asked = withReasons ? grantees : hit.grantees
    const shares = asked.map((grantee) => ({ grantee, key: shareKey(key, grantee) }))
    return [{ ...workbook, hit, shares }]
  })
}

const isInSharedFolder = ({ folders }: Location): boolean =>
  folders.some(({ grantees }) => grantees.length > 0)

function isSeen(places: Places, { hit, location, direct }: Located): boolean {
  const isNamedByFolder = hit.folderId !== undefined
  if (isNamedByFolder) return isInSharedFolder(location)
  if (comesWithItsFolder(places, location)) return false
  return hit.grantees.some((grantee) => direct.includes(grantee))
}

/** Whether the list has a workbook by its folder. Then it does not come again by its own shares. */
function comesWithItsFolder({ folderIds }: Places, location: Location): boolean {
  const folder = location.folders.at(-1)
  return folder !== undefined && folderIds.has(folder.id) && isInSharedFolder(location)
}

function entryOf({ withReasons }: Places, { hit, location, direct }: Located, json: string): Entry {
  const { folders, path } = location
  const reasons = withReasons && JSON.stringify(accessReasons(direct, folders))
  const more = `,"folderPath":${path}${reasons ? `,"accessSources":${reasons}` : ''}}`
  return { position: hit.position, json: json.slice(0, -1) + more }
}

/**
 * Documents are counted with the largest size that they can have, and most are smaller. So a
 * reading may have this many times the bytes that the page has free.
 */
const overestimate = 1.9

/**
 * How many of the hits to read next; at least one. There are two limits: the bytes of their
 * documents, and the number of folders above them, which are read in one round trip.
 */
export function countToRead(
  { tree }: Places,
  hits: readonly Hit[],
  entries: readonly Entry[],
): number {
  const used = entries.reduce((bytes, { json }) => bytes + bytesInAnswer(json), 0)
  const maxBytes = overestimate * (pageBytes - used)
  const folders = new Set<number>()
  let bytes = 0
  const count = hits.findIndex(({ id, folderId }) => {
    bytes += tree.isLarge(id) ? maxDocumentBytes : largeDocumentBytes
    for (const above of tree.wayUpFrom(folderId)) folders.add(above)
    return bytes > maxBytes || folders.size > maxFolders
  })
  return count === -1 ? hits.length : Math.max(count, 1)
}
