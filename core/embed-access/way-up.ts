import { getOne, type Item, type ItemKey, isLive, itemId } from '../storage/batch-get.ts'
import { snapshot } from '../storage/snapshot.ts'
import type { Storage } from '../storage/storage.ts'
import { type Folder, folderPath, maxFolderLevels } from '../workbooks/folder-path.ts'
import { folderKey } from '../workbooks/keys.ts'

/** A workbook that is there, and the folders on the way up from it as far as they were looked for, nearest first. */
export type WayUp = {
  readonly workbook: Item & { readonly folderId: number | null }
  readonly folderIds: readonly number[]
}

/**
 * Reads a workbook, and then the folders above it, consistently. Returns undefined if the workbook is not there.
 * @param read is called again if it gives undefined, because a folder has moved since
 */
export async function fromWorkbook<Result>(
  storage: Storage,
  deploymentId: number,
  key: ItemKey,
  read: (way: WayUp) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const get = async (each: ItemKey) => {
    const attributes = ['folderId', 'parentId', 'document', 'deleted']
    const item = await getOne(storage, each, { consistent: true, attributes })
    return isLive(item) ? item : undefined
  }
  for (let tries = 0; tries < 3; tries += 1) {
    const workbook = (await get(key)) as WayUp['workbook'] | undefined
    if (!workbook) return undefined
    const folderIds: number[] = []
    for (let id = workbook.folderId; id !== null && !folderIds.includes(id) && folderIds.length <= maxFolderLevels; ) {
      folderIds.push(id)
      id = ((await get(folderKey(deploymentId, id)))?.parentId ?? null) as number | null
    }
    const result = await read({ workbook, folderIds })
    if (result !== undefined) return result
  }
  // By this name it is answered as other conflicts are: 503, try again.
  const name = 'TransactionConflictException'
  throw Object.assign(new Error('The folders above the workbook kept moving.'), { name })
}

/**
 * Reads the folders on the way up and some shares, together at most 100, as they are at one moment.
 * @returns `folders`: see {@link folderPath}. `end`: the folder in which the first of them lies, and which does not count.
 *   Undefined if the way up leads elsewhere by now
 */
export async function readAt(
  storage: Storage,
  deploymentId: number,
  { workbook, folderIds }: WayUp,
  shareKeys: readonly ItemKey[],
) {
  const keys = [...folderIds.map((id) => folderKey(deploymentId, id)), ...shareKeys]
  // A transaction has at least one key.
  const items =
    keys.length > 0 ? await snapshot(storage, keys, ['name', 'parentId', 'deleted']) : new Map<string, Item>()
  const itemAt = (key: ItemKey) => items.get(itemId(key))
  const folders = folderPath(workbook.folderId, (id) => {
    const folder = itemAt(folderKey(deploymentId, id))
    return isLive(folder) ? (folder as unknown as Folder) : undefined
  })
  const end = (folders[0] ? folders[0].parentId : workbook.folderId) ?? null
  return end === null || folderIds.includes(end) ? { folders, end, itemAt } : undefined
}
