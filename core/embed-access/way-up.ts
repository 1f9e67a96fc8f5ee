import { getOne } from '../storage/batch-get.ts'
import { type ItemKey, isLive, itemId } from '../storage/item.ts'
import { snapshot } from '../storage/snapshot.ts'
import type { Storage } from '../storage/storage.ts'
import { accessReasons } from '../workbooks/access-sources.ts'
import { folderPath, maxFolderLevels } from '../workbooks/folder-path.ts'
import type { Grantee } from '../workbooks/grantee.ts'
import { folderKey, workbookKey } from '../workbooks/keys.ts'
import {
  folderAttributes,
  folderIn,
  granteesIn,
  type StoredWorkbook,
  workbookAttributes,
  workbookIn,
} from '../workbooks/stored.ts'

/** A workbook that is there, and the folders that were found on the way up, nearest first. */
export type WayUp = {
  readonly deploymentId: number
  readonly workbook: StoredWorkbook
  readonly folderIds: readonly number[]
  /** The keys of the workbook and of the folders. */
  readonly resources: readonly [ItemKey, ...ItemKey[]]
}

/**
 * Finds the way up from a workbook, and gives it to `read`. If `read` gives undefined, because
 * the workbook or a folder has moved meanwhile, it does both again.
 * @returns what `read` gives, or undefined if the workbook is not there
 */
export async function withWayUp<Result>(
  storage: Storage,
  deploymentId: number,
  workbookId: number,
  read: (way: WayUp) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let tries = 0; tries < 3; tries += 1) {
    const way = await findWayUp(storage, deploymentId, workbookId)
    if (!way) return undefined
    const result = await read(way)
    if (result !== undefined) return result
  }
  // An error of this name is answered like other conflicts: 503, try again.
  const name = 'TransactionConflictException'
  throw Object.assign(new Error('The workbook or folders above it kept moving.'), { name })
}

/** Reads a workbook, and then the folders above it, one after the other and consistently. */
async function findWayUp(
  storage: Storage,
  deploymentId: number,
  workbookId: number,
): Promise<WayUp | undefined> {
  const own = workbookKey(deploymentId, workbookId)
  const get = (key: ItemKey, attributes: readonly string[]) =>
    getOne(storage, key, { consistent: true, attributes })
  const workbook = workbookIn(await get(own, workbookAttributes))
  if (!workbook) return undefined
  const folderIds: number[] = []
  let id = workbook.folderId
  while (id !== null && !folderIds.includes(id) && folderIds.length <= maxFolderLevels) {
    folderIds.push(id)
    const folder = folderIn(await get(folderKey(deploymentId, id), folderAttributes))
    id = folder?.parentId ?? null
  }
  const resources = [own, ...folderIds.map((id) => folderKey(deploymentId, id))] as const
  return { deploymentId, workbook, folderIds, resources }
}

/**
 * Reads the workbook, the folders on the way up and some shares, together at most 100, as they are
 * at one moment.
 * @returns `folders`: see {@link folderPath}. `uncountedParent`: the parent that the topmost folder
 * names and that does not count, because it is deleted, missing or too high up; null at the top.
 * `reasonsOf`: why grantees see the workbook, by these shares. Undefined if the workbook is gone or
 * the way up leads elsewhere by now
 */
export async function readAtOneMoment(
  storage: Storage,
  { deploymentId, workbook, folderIds, resources: [own, ...folderKeys] }: WayUp,
  shareKeys: readonly ItemKey[],
) {
  const keys = [own, ...folderKeys, ...shareKeys]
  const items = await snapshot(storage, keys, [...folderAttributes, 'folderId'])
  const itemAt = (key: ItemKey) => items.get(itemId(key))
  const workbookNow = itemAt(own)
  if (!isLive(workbookNow) || (workbookNow.folderId ?? null) !== workbook.folderId) return undefined
  const { folders, above: uncountedParent } = folderPath(workbook.folderId, (id) =>
    folderIn(itemAt(folderKey(deploymentId, id))),
  )
  if (uncountedParent !== null && !folderIds.includes(uncountedParent)) return undefined
  const reasonsOf = (grantees: readonly Grantee[]) => {
    const above = folders.map((folder) => ({
      ...folder,
      grantees: granteesIn(items, folderKey(deploymentId, folder.id), grantees),
    }))
    return accessReasons(granteesIn(items, own, grantees), above)
  }
  return { folders, uncountedParent, itemAt, reasonsOf }
}
