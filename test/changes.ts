export type Change = {
  readonly kind: string
  readonly op?: 'put' | 'delete'
  readonly revision?: number
  readonly data: object
}

export const put = (kind: string, data: object): Change => ({ kind, data })

/** A workbook with all that is required and what is given. */
export const workbook = (deploymentId: number, id: number, more: object = {}) =>
  put('workbook', {
    id,
    deploymentId,
    name: `Workbook ${id}`,
    meta: {},
    calculatedFields: {},
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-02',
    type: 'WORKBOOK',
    ...more,
  })

export const folder = (deploymentId: number, id: number, parentId: number | null, name = `Folder ${id}`) =>
  put('folder', { deploymentId, id, name, parentId })

export const embedTenant = (name: string): { type: 'embedTenant'; name: string } => ({ type: 'embedTenant', name })
export const allEmbedUsers = { type: 'allEmbedUsers' } as const

export const share = (deploymentId: number, type: 'workbook' | 'folder', id: number, grantee: object) =>
  put('share', { deploymentId, resource: { type, id }, grantee })

/** The same change taking a thing away. */
export const without = (change: { kind: string; data: object }) => ({ ...change, op: 'delete' as const })
