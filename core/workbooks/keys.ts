import { ascending, key, ownKey } from '../storage/keys.ts'
import type { Grantee } from './grantee.ts'

export const workbookKey = (deploymentId: number, id: number) =>
  ownKey(deploymentId, 'workbook', id)
export const folderKey = (deploymentId: number, id: number) => ownKey(deploymentId, 'folder', id)

/** A share lies in the partition of the folder or workbook that it shares. */
export const shareKey = ({ pk }: { readonly pk: string }, grantee: Grantee) => ({
  pk,
  sk: shareSortKey(grantee),
})

export const shareSortKey = (grantee: Grantee): string =>
  grantee.type === 'embedTenant' ? key('share', grantee.name) : key('share')

/** The index that holds the shares with a grantee, its partition attribute and the partition. */
export function shareIndex(deploymentId: number, grantee: Grantee) {
  return grantee.type === 'embedTenant'
    ? { index: 'byEmbedTenant', attribute: 'tenant', partition: key(deploymentId, grantee.name) }
    : { index: 'byAllEmbedUsers', attribute: 'allEmbedUsers', partition: key(deploymentId) }
}

/**
 * Sort key of a folder or workbook in `folderTree`, and of its shares in the indexes of shares.
 * @example resourceEntry('folder', 12) // 'fb12'
 */
export const resourceEntry = (type: 'folder' | 'workbook', id: number): string =>
  `${type[0]}${ascending(id)}`

/** The id in a {@link resourceEntry}. */
export const idInEntry = (entry: string): number => Number(entry.slice(2))

/** Partition of `byFolder` and of `folderTree`. */
export const deploymentPartition = (deploymentId: number): string => key(deploymentId)

/**
 * Sort key of a workbook in `byFolder`.
 * @example folderEntry(12, 5) // 'b12a5'
 */
export const folderEntry = (folderId: number, workbookId: number): string =>
  `${ascending(folderId)}${ascending(workbookId)}`

/** The ids in a {@link folderEntry}. */
export function idsInFolderEntry(entry: string) {
  const [, folderId, id] = entry.split(/[a-z]/)
  return { folderId: Number(folderId), id: Number(id) }
}

/** A document that is stored in more bytes is a large one. */
export const largeDocumentBytes = 96 * 1024

/** Partition of `byPublicId`. */
export const publicIdPartition = (deploymentId: number, publicId: string): string =>
  key(deploymentId, publicId)
