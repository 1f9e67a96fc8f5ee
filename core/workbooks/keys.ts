import { key, ownSortKey } from '../storage/keys.ts'

/** Keys of folders, workbooks and shares. A share lies in the partition of what it shares. */

export const workbookKey = (deploymentId: number, id: number) => ({
  pk: key(deploymentId, 'workbook', id),
  sk: ownSortKey,
})
export const folderKey = (deploymentId: number, id: number) => ({ pk: key(deploymentId, 'folder', id), sk: ownSortKey })

export type Grantee = { readonly type: 'embedTenant'; readonly name: string } | { readonly type: 'allEmbedUsers' }

export const shareSortKey = (grantee: Grantee): string =>
  grantee.type === 'embedTenant' ? key('share', grantee.name) : key('share')

export type ResourceType = 'workbook' | 'folder'

/** Partition of the index `byFolder`: all folders or all workbooks of a deployment. */
export const contents = (deploymentId: number, type: ResourceType): string => key(deploymentId, type)

/** The index that holds the shares of this kind of grantee, its partition attribute and the partition. */
export function shareIndex(deploymentId: number, type: ResourceType, grantee: Grantee) {
  return grantee.type === 'embedTenant'
    ? { index: 'byEmbedTenant', attribute: 'tenant', partition: key(deploymentId, type, grantee.name) }
    : { index: 'byAllEmbedUsers', attribute: 'allEmbedUsers', partition: key(deploymentId, type) }
}
