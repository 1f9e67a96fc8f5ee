import { allEmbedUsers, embedTenant, folder, share, workbook } from '../world.ts'

/** Workbook access as the specification tells it, over plain maps: what the service has to agree with. */
export type Model = {
  readonly folders: ReadonlyMap<number, number | null>
  /** Workbook id to its folder. */
  readonly workbooks: ReadonlyMap<number, number | null>
  readonly shares: readonly Share[]
}

export type Share = { readonly type: 'workbook' | 'folder'; readonly id: number; readonly tenant: string | null }

export type Source = 'tenant' | 'allEmbedUsers' | 'folder' | undefined

export function visibleWorkbooks(model: Model, tenant: string, source: Source): number[] {
  const shared = (type: Share['type'], id: number, grantees: readonly (string | null)[]) =>
    model.shares.some((each) => each.type === type && each.id === id && grantees.includes(each.tenant))
  const grants = {
    tenant: (id: number) => shared('workbook', id, [tenant]),
    allEmbedUsers: (id: number) => shared('workbook', id, [null]),
    folder: (id: number) => foldersAbove(model, id).some((above) => shared('folder', above, [tenant, null])),
  }
  return [...model.workbooks.keys()]
    .filter((id) => (source ? grants[source](id) : Object.values(grants).some((grants) => grants(id))))
    .sort((a, b) => a - b)
}

/** The folders a workbook lies in, root first; one that is gone ends the chain. */
export function foldersAbove(model: Model, workbookId: number): number[] {
  const above: number[] = []
  let next = model.workbooks.get(workbookId) ?? null
  while (next !== null && model.folders.has(next)) {
    above.unshift(next)
    next = model.folders.get(next) ?? null
  }
  return above
}

export const changesOf = (deploymentId: number, model: Model) => [
  ...[...model.folders].map(([id, parentId]) => folder(deploymentId, id, parentId)),
  ...[...model.workbooks].map(([id, folderId]) => workbook(deploymentId, id, { folderId })),
  ...model.shares.map(({ type, id, tenant }) =>
    share(deploymentId, type, id, tenant === null ? allEmbedUsers : embedTenant(tenant)),
  ),
]
