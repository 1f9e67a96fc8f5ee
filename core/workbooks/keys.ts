import { ascending, key, ownSortKey } from '../storage/keys.ts'
import type { Grantee } from './grantee.ts'

/**
 * Keys and index attributes of folders, workbooks and shares. A share lies in the partition of what
 * it shares.
 */

export const workbookKey = (deploymentId: number, id: number) => ({
  pk: key(deploymentId, 'workbook', id),
  sk: ownSortKey,
})
export const folderKey = (deploymentId: number, id: number) => ({
  pk: key(deploymentId, 'folder', id),
  sk: ownSortKey,
})

/** @param resource the key of the folder or workbook that is shared */
export const shareKey = ({ pk }: { readonly pk: string }, grantee: Grantee) => ({
  pk,
  sk: shareSortKey(grantee),
})

export const shareSortKey = (grantee: Grantee): string =>
  grantee.type === 'embedTenant' ? key('share', grantee.name) : key('share')

export type ResourceType = 'workbook' | 'folder'

/** The index that holds the shares with a grantee, its partition attribute and the partition. */
export function shareIndex(deploymentId: number, grantee: Grantee) {
  return grantee.type === 'embedTenant'
    ? { index: 'byEmbedTenant', attribute: 'tenant', partition: key(deploymentId, grantee.name) }
    : { index: 'byAllEmbedUsers', attribute: 'allEmbedUsers', partition: key(deploymentId) }
}

/**
 * Sort key of a folder or workbook in `folderTree`, and of its share among those with the grantee:
 * folders come first, then workbooks, each by id.
 * @example resourceEntry('folder', 12) // 'fb12'
 */
export const resourceEntry = (type: ResourceType, id: number): string =>
  `${type === 'folder' ? 'f' : 'w'}${ascending(id)}`

/**
 * Partition of the index `byFolder`: the workbooks of a deployment that lie in a folder; and of
 * `folderTree`: its folders that have a parent, and its workbooks whose documents are large.
 */
export const deploymentPartition = (deploymentId: number): string => key(deploymentId)

/**
 * Sort key of a workbook in `byFolder`: by the folder's id, then by its own.
 * @example folderEntry(12, 5) // 'b12a5'
 */
export const folderEntry = (folderId: number, workbookId: number): string =>
  `${ascending(folderId)}${ascending(workbookId)}`

/** A document that is stored in more bytes is a large one. */
export const largeDocumentBytes = 96 * 1024

/** Partition of `byPublicId`: who publishes a dashboard of the deployment under this id. */
export const publicIdPartition = (deploymentId: number, publicId: string): string =>
  key(deploymentId, publicId)
