import { allEmbedUsers, embedTenant, folder, share, workbook } from '../support/catalog.ts'

/**
 * Workbook access as the specification and the catalog contract tell it, over plain maps: what the
 * service has to agree with.
 */
export type Model = {
  /** Folder id to its parent. */
  readonly folders: ReadonlyMap<number, number | null>
  /** Workbook id to its folder. */
  readonly workbooks: ReadonlyMap<number, number | null>
  readonly shares: readonly Share[]
}

/** A share without a tenant is one with all embed users. */
export type Share = {
  readonly type: 'workbook' | 'folder'
  readonly id: number
  readonly tenant: string | null
}

export const sources = ['tenant', 'allEmbedUsers', 'folder', undefined] as const
export type Source = (typeof sources)[number]

/** The most levels between a folder and the top, its own included. */
const maxLevels = 32

/**
 * The ids of the workbooks that a tenant sees, in the order of the list: what folders give by
 * folder and workbook, then what direct shares give by workbook.
 */
export function visibleWorkbooks(model: Model, tenant: string, source: Source): number[] {
  const isShared = (type: Share['type'], id: number, ...tenants: (string | null)[]) =>
    model.shares.some(
      (each) => each.type === type && each.id === id && tenants.includes(each.tenant),
    )
  const ids = [...model.workbooks.keys()].sort((a, b) => a - b)
  const byFolder = ids
    .filter((id) =>
      foldersAbove(model, id).some((above) => isShared('folder', above, tenant, null)),
    )
    .sort((a, b) => Number(model.workbooks.get(a)) - Number(model.workbooks.get(b)) || a - b)
  if (source === 'folder') return byFolder
  const direct = source === undefined ? [tenant, null] : [source === 'tenant' ? tenant : null]
  const shared = ids.filter((id) => isShared('workbook', id, ...direct))
  return source ? shared : [...byFolder, ...shared.filter((id) => !byFolder.includes(id))]
}

/** The folders that a workbook lies in, root first. */
export const foldersAbove = (model: Model, workbookId: number): number[] =>
  pathOf(model.folders, model.workbooks.get(workbookId) ?? null)

/**
 * A folder with those above it, root first. A parent that is gone counts as none. A folder from
 * which the top is not reached within 32 levels, its own included, counts as top level, and so does
 * one within itself.
 */
function pathOf(folders: Model['folders'], folderId: number | null): number[] {
  const path: number[] = []
  for (let id = folderId; id !== null && folders.has(id); id = folders.get(id) ?? null) {
    path.unshift(id)
    if (path.length > maxLevels) return [folderId as number]
  }
  return path
}

export const granteeOf = (tenant: string | null) =>
  tenant === null ? allEmbedUsers : embedTenant(tenant)

/**
 * By which shares with these tenants, or with all, a workbook can be seen: those of its own, then
 * folders, root first.
 */
export function reasonsOf(
  model: Model,
  workbookId: number,
  tenants: readonly Share['tenant'][],
): object[] {
  const sharedWith = (type: Share['type'], id: number) =>
    tenants.filter((tenant) =>
      model.shares.some((each) => each.type === type && each.id === id && each.tenant === tenant),
    )
  return [
    ...sharedWith('workbook', workbookId).map((tenant) => ({
      source: tenant === null ? 'allEmbedUsers' : 'tenant',
    })),
    ...foldersAbove(model, workbookId).flatMap((id) =>
      sharedWith('folder', id).map((tenant) => ({
        ...{ source: 'folder', folder: { id, name: `Folder ${id}` }, grantee: granteeOf(tenant) },
      })),
    ),
  ]
}

export const changesOf = (deploymentId: number, model: Model) => [
  ...[...model.folders].map(([id, parentId]) => folder(deploymentId, id, parentId)),
  ...[...model.workbooks].map(([id, folderId]) => workbook(deploymentId, id, { folderId })),
  ...model.shares.map(({ type, id, tenant }) => share(deploymentId, type, id, granteeOf(tenant))),
]
