import type { TableName } from '@embed-access/core/storage/tables.ts'

/** A write inside a transaction is allowed by the action of that write alone. */
export type TableAction = 'GetItem' | 'BatchGetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem'

/** What a function may do with a table: calls by key, and queries of these indexes and no others. */
export type TablePermission = {
  readonly table: TableName
  readonly actions?: readonly TableAction[]
  readonly indexes?: readonly string[]
}

/** Every function that is deployed, `functions/<name>.ts`, with all that its role allows. */
export const permissions: Readonly<Record<string, readonly TablePermission[]>> = {
  authorizer: [
    { table: 'credentials', actions: ['GetItem', 'UpdateItem'], indexes: ['byEmail', 'byUsername'] },
    { table: 'sessions', actions: ['GetItem'] },
    { table: 'catalog', actions: ['BatchGetItem'], indexes: ['byIssuerAndAudience'] },
  ],
  'list-embed-tenant-workbooks': [
    { table: 'catalog', actions: ['BatchGetItem'], indexes: ['byEmbedTenant', 'byAllEmbedUsers', 'byFolder'] },
  ],
  'generate-session': [
    { table: 'catalog', actions: ['BatchGetItem', 'PutItem'] },
    { table: 'sessions', actions: ['PutItem'] },
    { table: 'credentials', indexes: ['byEmail', 'byUsername'] },
  ],
  'exchange-session': [{ table: 'sessions', actions: ['DeleteItem', 'GetItem', 'PutItem'] }],
  'revoke-session': [{ table: 'sessions', actions: ['PutItem', 'DeleteItem'] }],
  'list-dbt-syncs': [
    {
      table: 'catalog',
      actions: ['BatchGetItem'],
      indexes: ['byDeployment', 'byStatus', 'byTrigger', 'byStatusAndTrigger'],
    },
  ],
  'list-notifications': [
    {
      table: 'catalog',
      actions: ['BatchGetItem'],
      indexes: ['byDeployment', 'byDashboard', 'byRecipient', 'byRecipientAndDashboard', 'byPublicId'],
    },
    { table: 'credentials', actions: ['GetItem'], indexes: ['byEmail'] },
  ],
  'get-key-set': [],
  'get-spec': [],
  'get-error-reference': [],
}
