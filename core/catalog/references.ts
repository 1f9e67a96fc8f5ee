import type { KindName } from './kind.ts'

/**
 * A field that names another thing. The thing's id or name is the field's value, unless `nameIn`
 * says which part of the value.
 */
export type Reference = {
  readonly field: string
  readonly to: KindName
  readonly nameIn?: (value: { readonly [part: string]: unknown }) => unknown
}

const toAccount: Reference = { field: 'accountId', to: 'account' }
const toDeployment: Reference = { field: 'deploymentId', to: 'deployment' }
const toResource = (to: 'workbook' | 'folder'): Reference => ({
  field: 'resource',
  to,
  nameIn: ({ type, id }) => (type === to ? id : undefined),
})

export const references: Readonly<Record<KindName, readonly Reference[]>> = {
  account: [],
  user: [toAccount],
  apiKey: [{ field: 'userId', to: 'user' }],
  deployment: [toAccount],
  embedTenant: [toAccount],
  group: [toAccount],
  tenantGroup: [toAccount],
  attributeDefinition: [toAccount],
  folder: [toDeployment, { field: 'parentId', to: 'folder' }],
  workbook: [toDeployment, { field: 'folderId', to: 'folder' }],
  share: [
    toResource('workbook'),
    toResource('folder'),
    { field: 'grantee', to: 'embedTenant', nameIn: ({ name }) => name },
  ],
  dbtSync: [toDeployment],
  notification: [toDeployment],
  recipient: [
    { field: 'notificationId', to: 'notification' },
    { field: 'recipient', to: 'user', nameIn: ({ userId }) => userId },
    { field: 'recipient', to: 'embedTenant', nameIn: ({ embedTenantName }) => embedTenantName },
  ],
}
