import type { Location } from './folder-path.ts'
import type { AccessReason, Grantee } from './grantee.ts'

/* A file of its own, so that bundles of functions have no schemas that they do not use. */

/** Direct shares first, then shared folders, root first. */
export const accessReasons = (direct: readonly Grantee[], folders: Location): AccessReason[] => [
  ...direct.map(({ type }) => ({ source: sourceOf[type] })),
  ...folders.flatMap(({ id, name, grantees }) =>
    grantees.map((grantee) => ({ source: 'folder' as const, folder: { id, name }, grantee })),
  ),
]

export const sourceOf = { embedTenant: 'tenant', allEmbedUsers: 'allEmbedUsers' } as const
