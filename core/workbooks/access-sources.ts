import { type Item, itemId } from '../storage/batch-get.ts'
import type { Folder } from './folder-tree.ts'
import { type Grantee, shareSortKey } from './keys.ts'
import type { SharedFolders } from './shared-folders.ts'

/** Why a workbook can be seen: one direct share, or a shared folder that it lies in at some depth. */
export type AccessReason =
  | { readonly source: 'tenant' | 'allEmbedUsers' }
  | {
      readonly source: 'folder'
      readonly folder: { readonly id: number; readonly name: string }
      readonly grantee: Grantee
    }

/** Keys of the direct shares of a workbook with these grantees. */
export const shareKeys = (workbookPartition: string, grantees: readonly Grantee[]) =>
  grantees.map((grantee) => ({ pk: workbookPartition, sk: shareSortKey(grantee) }))

/** All reasons: direct shares first, then folders, root first. */
export function accessReasons(
  workbookPartition: string,
  grantees: readonly Grantee[],
  shares: ReadonlyMap<string, Item>,
  folders: readonly Folder[],
  shared: SharedFolders,
): AccessReason[] {
  const direct = grantees.filter((grantee) =>
    isThere(shares.get(itemId({ pk: workbookPartition, sk: shareSortKey(grantee) }))),
  )
  return [
    ...direct.map(({ type }) => ({ source: type === 'embedTenant' ? ('tenant' as const) : type })),
    ...folders.flatMap(({ id, name }) =>
      (shared.grantees.get(id) ?? []).map((grantee) => ({ source: 'folder' as const, folder: { id, name }, grantee })),
    ),
  ]
}

export const isThere = (share: Item | undefined): share is Item => share !== undefined && share.deleted !== true
