import { batchGet, isLive, itemId } from '../storage/batch-get.ts'
import { type Document, maxDocumentBytes, unpackPage } from '../storage/document.ts'
import { bytesInAnswer, type Entry, pageBytes } from '../storage/page.ts'
import { accessReasons } from './access-sources.ts'
import type { Grantee } from './grantee.ts'
import type { Hit } from './hit.ts'
import { largeDocumentBytes, shareKey, workbookKey } from './keys.ts'
import { type Location, maxFolders, readLocations } from './locations.ts'
import type { Places } from './places.ts'

/** A hit whose workbook is there, in the folder that the hit names. */
type Found = {
  readonly hit: Hit
  readonly folderId: number | undefined
  readonly document: Document
  /**
   * The grantees whose direct shares to check: all of them if each workbook says why it is seen.
   */
  readonly grantees: readonly Grantee[]
}

/**
 * The hits that can be seen. Indexes say where to look, this says what is true, by key and
 * consistently, in this order (docs/decisions/05-indexes-and-keys.md):
 *
 *   the workbook ──▶ the folders above it with their shares, and its own shares
 *
 * In the other order, somebody could take a share away and then put a workbook into the folder, and
 * it would be shown. Notes the folders in which nothing is to be seen.
 * @returns the workbooks, and how many of the hits were checked, the first ones: as many as one
 * round trip can
 */
export async function visible(
  places: Places,
  hits: readonly Hit[],
): Promise<{ entries: Entry[]; checked: number }> {
  const workbooks = await readWorkbooks(places, hits)
  const folderIds = new Set(workbooks.flatMap(({ folderId }) => folderId ?? []))
  const keyOf = ({ hit }: Found, grantee: Grantee) =>
    shareKey(workbookKey(places.deploymentId, hit.id), grantee)
  const shareKeys = workbooks.flatMap((found) =>
    found.grantees.map((grantee) => keyOf(found, grantee)),
  )
  const { locations, items: shares } = await readLocations(places, folderIds, shareKeys)
  const unread = workbooks.find(
    ({ folderId }) => folderId !== undefined && !locations.has(folderId),
  )
  const shown = workbooks.slice(0, unread && workbooks.indexOf(unread)).flatMap((found) => {
    const location = found.folderId === undefined ? topLevel : locations.get(found.folderId)
    const direct = found.grantees.filter((grantee) =>
      isLive(shares.get(itemId(keyOf(found, grantee)))),
    )
    return location && isSeen(places, found, location, direct)
      ? [{ ...found, location, direct }]
      : []
  })
  const texts = unpackPage(shown.map(({ document }) => document))
  const entries = texts.map((json, index): Entry => {
    const { hit, location, direct } = shown[index] as (typeof shown)[number]
    const reasons = places.withReasons && JSON.stringify(accessReasons(direct, location.folders))
    const more = `,"folderPath":${location.path}${reasons ? `,"accessSources":${reasons}` : ''}}`
    return { position: hit.position, json: json.slice(0, -1) + more }
  })
  return { entries, checked: unread ? hits.indexOf(unread.hit) : hits.length }
}

const topLevel: Location = { folders: [], path: '[]' }

async function readWorkbooks(places: Places, hits: readonly Hit[]): Promise<Found[]> {
  const { storage, deploymentId, grantees, withReasons } = places
  const key = ({ id }: Hit) => workbookKey(deploymentId, id)
  places.trips -= 1
  const items = await batchGet(storage, hits.map(key), {
    consistent: true,
    attributes: ['folderId', 'document', 'deleted'],
  })
  return hits.flatMap((hit) => {
    const item = items.get(itemId(key(hit)))
    if (!isLive(item)) return []
    const folderId = (item.folderId ?? undefined) as number | undefined
    if (hit.folderId !== undefined && hit.folderId !== folderId) return []
    return [
      {
        hit,
        folderId,
        document: item.document as Document,
        grantees: withReasons ? grantees : hit.grantees,
      },
    ]
  })
}

function isSeen(
  places: Places,
  { hit, folderId }: Found,
  { folders }: Location,
  direct: readonly Grantee[],
): boolean {
  const isInShared = folders.some(({ grantees }) => grantees.length > 0)
  if (hit.folderId !== undefined) {
    if (!isInShared) places.hidden.add(hit.folderId)
    return isInShared
  }
  const isGivenByFolder = isInShared && places.folderIds.has(folderId as number)
  return !isGivenByFolder && hit.grantees.some((grantee) => direct.includes(grantee))
}

/** How many times the page's free room may be read. */
const readRatio = 1.9

/**
 * How many of the hits to read next. Their largest possible documents come to less than twice the
 * page's free room, and one round trip can read the folders above them, as the tree has these.
 */
export function countToRead(
  { tree }: Places,
  hits: readonly Hit[],
  entries: readonly Entry[],
): number {
  const room = pageBytes - entries.reduce((bytes, { json }) => bytes + bytesInAnswer(json), 0)
  const folders = new Set<number>()
  let bytes = 0
  const count = hits.findIndex(({ id, folderId }) => {
    bytes += tree.isLarge(id) ? maxDocumentBytes : largeDocumentBytes
    // Stryker disable CallExpression,EqualityOperator,ConditionalExpression: Reading too many costs; one trip checks no more.
    for (const above of tree.pathFrom(folderId)) folders.add(above)
    return bytes > readRatio * room || folders.size > maxFolders
    // Stryker restore CallExpression,EqualityOperator,ConditionalExpression
  })
  return count === -1 ? hits.length : Math.max(count, 1)
}
