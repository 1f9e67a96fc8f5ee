import { batchGet } from '../storage/batch-get.ts'
import { maxDocumentBytes, unpackPage } from '../storage/document.ts'
import { type ItemKey, itemId } from '../storage/item.ts'
import { bytesInAnswer, type Entry, pageBytes } from '../storage/page.ts'
import { accessReasons } from './access-sources.ts'
import type { Location } from './folder-path.ts'
import type { Grantee } from './grantee.ts'
import type { Hit } from './hit.ts'
import { largeDocumentBytes, shareKey, workbookKey } from './keys.ts'
import { maxFolders, readLocations } from './locations.ts'
import type { Places } from './places.ts'
import { granteesIn, type StoredWorkbook, workbookAttributes, workbookIn } from './stored.ts'

/** A workbook that is there. If its hit names a folder, the workbook is still in that folder. */
type Found = StoredWorkbook & { readonly hit: Hit; readonly key: ItemKey }

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
  // Reasons also name shares that did not put the workbook on the list.
  const granteesToCheck = ({ hit }: Found) => (places.withReasons ? places.grantees : hit.grantees)
  const shareKeys = workbooks.flatMap((found) =>
    granteesToCheck(found).map((grantee) => shareKey(found.key, grantee)),
  )
  const { locations, items } = await readLocations(places, folderIds, shareKeys)
  const seen: Located[] = []
  let checked = hits.length
  for (const found of workbooks) {
    const location = found.folderId === null ? [] : locations.get(found.folderId)
    if (location === undefined) {
      // Its folder did not fit the round trip.
      checked = hits.indexOf(found.hit)
      break
    }
    if (location === 'moving') continue
    const direct = granteesIn(items, found.key, granteesToCheck(found))
    const located = { ...found, location, direct }
    if (isSeen(places, located)) seen.push(located)
  }
  const texts = unpackPage(seen.map(({ document }) => document))
  // The texts end where the page is full. The workbooks after that are not on the page.
  const entries = texts.map((json, index) => entryOf(places, seen[index] as Located, json))
  return { entries, checked }
}

async function readWorkbooks(places: Places, hits: readonly Hit[]): Promise<Found[]> {
  const { storage, deploymentId, trips } = places
  const keyOf = ({ id }: Hit) => workbookKey(deploymentId, id)
  trips.left -= 1
  const how = { consistent: true, attributes: workbookAttributes }
  const items = await batchGet(storage, hits.map(keyOf), how)
  return hits.flatMap((hit): Found[] => {
    const key = keyOf(hit)
    const workbook = workbookIn(items.get(itemId(key)))
    const hasMoved = hit.folderId !== undefined && hit.folderId !== workbook?.folderId
    return workbook && !hasMoved ? [{ ...workbook, hit, key }] : []
  })
}

function isSeen({ folderIds }: Places, { hit, location, direct }: Located): boolean {
  const isInSharedFolder = location.some(({ grantees }) => grantees.length > 0)
  if (hit.folderId !== undefined) return isInSharedFolder
  // A workbook that the list has by its folder does not come again by its own shares.
  const folder = location.at(-1)
  const comesWithItsFolder = isInSharedFolder && folder && folderIds.has(folder.id)
  return !comesWithItsFolder && hit.grantees.some((grantee) => direct.includes(grantee))
}

function entryOf({ withReasons }: Places, { hit, location, direct }: Located, json: string): Entry {
  const folderPath = location.map(({ id, name }) => ({ id, name }))
  const accessSources = withReasons ? accessReasons(direct, location) : undefined
  const added = JSON.stringify({ folderPath, accessSources })
  return { position: hit.position, json: `${json.slice(0, -1)},${added.slice(1)}` }
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
export function countToRead({ tree }: Places, hits: readonly Hit[], entries: readonly Entry[]) {
  const used = entries.reduce((bytes, { json }) => bytes + bytesInAnswer(json), 0)
  const maxBytes = overestimate * (pageBytes - used)
  const folders = new Set<number>()
  let bytes = 0
  for (const [index, { id, folderId }] of hits.entries()) {
    bytes += tree.isLarge(id) ? maxDocumentBytes : largeDocumentBytes
    for (const above of tree.wayUpFrom(folderId)) folders.add(above)
    if (bytes > maxBytes || folders.size > maxFolders) return Math.max(index, 1)
  }
  return hits.length
}
