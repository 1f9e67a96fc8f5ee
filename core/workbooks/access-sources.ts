import type { Grantee } from './grantee.ts'

/** Why a workbook can be seen: a direct share, or a shared folder that it lies in at some depth. */
export type AccessReason =
  | { readonly source: 'tenant' | 'allEmbedUsers' }
  | {
      readonly source: 'folder'
      readonly folder: { readonly id: number; readonly name: string }
      readonly grantee: Grantee
    }

/** Direct shares first, then shared folders, root first. */
export const accessReasons = (
  direct: readonly Grantee[],
  folders: readonly {
    readonly id: number
    readonly name: string
    readonly grantees: readonly Grantee[]
  }[],
): AccessReason[] => [
  ...direct.map(({ type }) => ({ source: sourceOf[type] })),
  ...folders.flatMap(({ id, name, grantees }) =>
    grantees.map((grantee) => ({ source: 'folder' as const, folder: { id, name }, grantee })),
  ),
]

export const sourceOf = { embedTenant: 'tenant', allEmbedUsers: 'allEmbedUsers' } as const
