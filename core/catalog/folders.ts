import * as v from 'valibot'
import { exactly, id, text } from '../schema.ts'
import type { Item } from '../storage/batch-get.ts'
import { queryWhole } from '../storage/index-page.ts'
import { deepestFolder, type FolderTree } from '../workbooks/folder-tree.ts'
import { contents, folderKey } from '../workbooks/keys.ts'
import { folderIdsIn, folderPlace } from '../workbooks/place.ts'
import { endDependents, noteAwaited } from './dependents.ts'
import { type Batch, kind } from './kind.ts'
import { moveContents, moveShares } from './move.ts'
import { endRecord, NotApplicable, putRecord } from './record.ts'

/**
 * Folders move in an order that can stop anywhere:
 *
 *   parent written ──▶ shares and contents below get new places ──▶ the folder's own place written
 *   (from here on nobody sees anything through the old place)       (says that the move is finished)
 *
 * So a folder whose place is not the one its parents give has a move to finish, and any next change of it does so.
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
  previous: Item | undefined,
  revision: number | undefined,
): Promise<void> {
  const { storage } = batch
  const tree = batch.tree(deploymentId)
  await tree.load(parentId === null ? [] : [parentId])
  const oldPlace = (previous?.place as string | undefined) ?? folderPlace([id])
  await requireAllowed(batch, { deploymentId, id, parentId }, tree, previous && oldPlace)
  if (parentId !== null && !tree.get(parentId)) await noteAwaited(storage, folderKey(deploymentId, parentId))

  const key = folderKey(deploymentId, id)
  const newPlace = folderPlace([...tree.placeIds(parentId), id])
  const item = { ...key, id, name, parentId, contents: contents(deploymentId, 'folder') }
  const moves = previous !== undefined && previous.place !== newPlace
  // What a deletion that was interrupted has left.
  if (previous?.deleted === true) await endDependents(storage, key.pk)
  const written = await putRecord(
    storage,
    'catalog',
    previous,
    { ...item, place: moves ? oldPlace : newPlace },
    revision,
  )
  tree.set(id, { id, name, parentId })
  if (!moves) return
  await moveShares(storage, key.pk, newPlace)
  await moveContents(batch, deploymentId, oldPlace)
  await putRecord(storage, 'catalog', written, { ...item, place: newPlace }, revision)
}

async function endFolder(
  batch: Batch,
  { deploymentId, id }: { deploymentId: number; id: number },
  previous: Item | undefined,
  revision: number | undefined,
): Promise<void> {
  const { storage } = batch
  const key = folderKey(deploymentId, id)
  const oldPlace = (previous?.place as string | undefined) ?? folderPlace([id])
  const ending = await endRecord(storage, 'catalog', previous, key, revision, { place: oldPlace })
  batch.tree(deploymentId).set(id, undefined)
  await endDependents(storage, key.pk)
  await moveContents(batch, deploymentId, oldPlace)
  // What lies below counts as top level now, and waits for a folder of this id to come again.
  await endRecord(storage, 'catalog', ending, key, revision, { awaited: true })
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
    const level = folderIdsIn(oldPlace as string).length
    let deepest = level
    const range = { index: 'byFolder', partition: contents(deploymentId, 'folder'), prefix: oldPlace }
    for await (const folders of queryWhole(storage, range)) {
      for (const { place } of folders) deepest = Math.max(deepest, folderIdsIn(place as string).length)
    }
    return deepest - level
  }
}
