import * as v from 'valibot'
import { exactly } from '../schema.ts'
import { Grantee } from './grantee.ts'
import type { Location } from './locations.ts'
import { FolderPathEntry } from './workbook.ts'

/** Why a workbook can be seen: a direct share, or a shared folder that it lies in at some depth. */
export const AccessReason = v.variant('source', [
  exactly({ source: v.literal('tenant') }),
  exactly({ source: v.literal('allEmbedUsers') }),
  exactly({ source: v.literal('folder'), folder: FolderPathEntry, grantee: Grantee }),
])

export type AccessReason = Readonly<v.InferOutput<typeof AccessReason>>

/** Direct shares first, then shared folders, root first. */
export const accessReasons = (
  direct: readonly Grantee[],
  folders: Location['folders'],
): AccessReason[] => [
  ...direct.map(({ type }) => ({ source: sourceOf[type] })),
  ...folders.flatMap(({ id, name, grantees }) =>
    grantees.map((grantee) => ({ source: 'folder' as const, folder: { id, name }, grantee })),
  ),
]

export const sourceOf = { embedTenant: 'tenant', allEmbedUsers: 'allEmbedUsers' } as const
