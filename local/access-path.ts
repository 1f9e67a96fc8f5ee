import { read } from '@embed-access/core/catalog/conditional-put.ts'
import { explainAccess } from '@embed-access/core/catalog/explain.ts'
import { type Item, isLive } from '@embed-access/core/storage/batch-get.ts'
import { type Document, unpack } from '@embed-access/core/storage/document.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { type Folder, folderPath, maxFolderLevels } from '@embed-access/core/workbooks/folder-path.ts'
import { folderKey, type Grantee, shareKey, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import type { Explained, Place } from './playground/directory.ts'

/**
 * Why an embed tenant sees a workbook, or does not, with what can be drawn of it.
 * @param tenant in lower case
 */
export async function explain(
  storage: Storage,
  deploymentId: number,
  tenant: string,
  workbookId: number,
): Promise<Explained> {
  const [explanation, workbook] = await Promise.all([
    explainAccess(storage, deploymentId, tenant, workbookId),
    read(storage, 'catalog', workbookKey(deploymentId, workbookId)),
  ])
  return { ...explanation, path: isLive(workbook) ? await pathOf(storage, deploymentId, tenant, workbook) : [] }
}

async function pathOf(storage: Storage, deploymentId: number, tenant: string, workbook: Item): Promise<Place[]> {
  const folders = new Map<number, Folder>()
  const folderId = workbook.folderId as number | null
  for (let id = folderId; id !== null && !folders.has(id) && folders.size <= maxFolderLevels; ) {
    const folder = await read(storage, 'catalog', folderKey(deploymentId, id))
    if (!isLive(folder)) break
    folders.set(id, folder as unknown as Folder)
    id = folder.parentId as number | null
  }
  const { id, name } = JSON.parse(unpack(workbook.document as Document)) as { id: number; name: string }
  const grantees: Grantee[] = [{ type: 'embedTenant', name: tenant }, { type: 'allEmbedUsers' }]
  const placeOf = async (type: Place['type'], id: number, name: string): Promise<Place> => {
    const key = type === 'folder' ? folderKey(deploymentId, id) : workbookKey(deploymentId, id)
    const shares = grantees.map(async (grantee) => {
      const share = await read(storage, 'catalog', shareKey(key, grantee))
      const state = isLive(share) ? 'shared' : share ? 'no longer shared' : 'not shared'
      return { grantee: grantee.type === 'embedTenant' ? tenant : 'all embed users', state } as const
    })
    return { type, id, name, shares: await Promise.all(shares) }
  }
  const above = folderPath(folderId, (each) => folders.get(each))
  return Promise.all([
    ...above.map((folder) => placeOf('folder', folder.id, folder.name)),
    placeOf('workbook', id, name),
  ])
}
