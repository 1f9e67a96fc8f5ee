import * as v from 'valibot'
import { exactly, id, text } from '../schema.ts'
import type { Item } from '../storage/batch-get.ts'
import { queryWhole } from '../storage/query-index.ts'
import { deepestFolder, type FolderTree } from '../workbooks/folder-tree.ts'
import { contents, folderKey } from '../workbooks/keys.ts'
import { endOf, folderIdsIn, folderPlace } from '../workbooks/place.ts'
import { endDependents, noteAwaited } from './dependents.ts'
import { type Batch, kind } from './kind.ts'
import { moveContents, moveShares } from './move.ts'
import { endRecord, isLive, NotApplicable, putRecord } from './record.ts'

/**
 * Folders move in an order that can stop anywhere:
 *
 *   parent written ──▶ shares and contents below get new places ──▶ the folder's own place written
 *   (from here on nobody sees anything through the old place)       (says that the move is finished)
 *
 * So a folder whose place is not the one its parents give has a move to finish, and any next change of it begins with
 * that: until then things lie below both places. A folder ends the same way, with a tombstone that keeps its place.
 */
export const folder = kind({
  table: 'catalog',
  inTurn: true,
  data: exactly({ deploymentId: id, id, name: text, parentId: v.nullable(id) }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => folderKey(deploymentId, id),
  async apply(batch, change, { previous }) {
    if (change.op === 'put') await putFolder(batch, change.data, previous, change.revision)
    else await endFolder(batch, change.data, previous, change.revision)
    return 'applied'
  },
})

type FolderData = { deploymentId: number; id: number; name: string; parentId: number | null }

async function putFolder(
  batch: Batch,
  { deploymentId, id, name, parentId }: FolderData,
  found: Item | undefined,
  revision: number | undefined,
): Promise<void> {
  const { storage } = batch
  const previous = await settled(batch, deploymentId, found)
  const tree = batch.tree(deploymentId)
  await tree.load(parentId === null ? [] : [parentId])
  await requireAllowed(batch, { deploymentId, id, parentId }, tree, previous && placeOf(previous, id))
  if (parentId !== null && !tree.get(parentId)) await noteAwaited(storage, folderKey(deploymentId, parentId))

  const place = previous ? previous.place : folderPlace([...tree.placeIds(parentId), id])
  const item = { ...folderKey(deploymentId, id), id, name, parentId, contents: contents(deploymentId, 'folder'), place }
  const written = await putRecord(storage, 'catalog', previous, item, revision)
  tree.set(id, { id, name, parentId })
  await settled(batch, deploymentId, written)
}

async function endFolder(
  batch: Batch,
  { deploymentId, id }: { deploymentId: number; id: number },
  found: Item | undefined,
  revision: number | undefined,
): Promise<void> {
  const previous = await settled(batch, deploymentId, found)
  const tombstone = { id, place: placeOf(previous, id), ending: true }
  const ending = await endRecord(batch.storage, 'catalog', previous, folderKey(deploymentId, id), revision, tombstone)
  batch.tree(deploymentId).set(id, undefined)
  await settled(batch, deploymentId, ending)
}

/** Where a folder's contents lie before it arrives and after it ended: below its id, at the top. */
const placeOf = (folder: Item | undefined, id: number): string =>
  (folder?.place as string | undefined) ?? folderPlace([id])

/** The folder with its move or its end finished, where that is still to be done. */
async function settled(batch: Batch, deploymentId: number, folder: Item | undefined): Promise<Item | undefined> {
  const isEnding = folder?.ending === true
  if (!folder || !(isEnding || isLive(folder))) return folder
  const { storage } = batch
  const { pk, sk } = folder
  const id = folder.id as number
  const oldPlace = placeOf(folder, id)
  if (isEnding) {
    await endDependents(storage, pk)
    await moveContents(batch, deploymentId, oldPlace)
    // What lies below counts as top level now, and waits for a folder of this id to come again.
    return endRecord(storage, 'catalog', folder, { pk, ...(sk && { sk }) }, undefined, { awaited: true })
  }
  const parentId = folder.parentId as number | null
  const tree = batch.tree(deploymentId)
  await tree.load(parentId === null ? [] : [parentId])
  const place = folderPlace([...tree.placeIds(parentId), id])
  if (place === folder.place) return folder
  await moveShares(storage, pk, place)
  await moveContents(batch, deploymentId, oldPlace)
  return putRecord(storage, 'catalog', folder, { ...folder, place }, undefined)
}

/** Refuses a folder that would lie within itself or too deep, its subfolders included (catalog contract). */
async function requireAllowed(
  { storage }: Batch,
  { deploymentId, id, parentId }: Omit<FolderData, 'name'>,
  tree: FolderTree,
  oldPlace: string | undefined,
): Promise<void> {
  if (parentId === id || tree.placeIds(parentId).includes(id)) {
    throw new NotApplicable('parentId', `the folder would lie within itself, below folder ${parentId}`)
  }
  const depth = tree.chain(parentId).length + 1
  const below = oldPlace === undefined ? 0 : await levelsBelow()
  if (depth + below > deepestFolder) {
    const what = below > 0 ? 'its lowest subfolder' : 'the folder'
    throw new NotApplicable(
      'parentId',
      `${what} would lie ${depth + below} levels deep; at most ${deepestFolder} are possible`,
    )
  }

  async function levelsBelow(): Promise<number> {
    const from = oldPlace as string
    const level = folderIdsIn(from).length
    let deepest = level
    const range = { index: 'byFolder', partition: contents(deploymentId, 'folder'), from, to: endOf(from) }
    for await (const folders of queryWhole(storage, range)) {
      for (const { place } of folders) deepest = Math.max(deepest, folderIdsIn(place as string).length)
    }
    return deepest - level
  }
}
