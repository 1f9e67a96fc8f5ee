import type { TableName } from '@embed-access/core/storage/tables.ts'

/** A write inside a transaction is allowed by the action of that write alone. */
export type TableAction = 'GetItem' | 'BatchGetItem' | 'PutItem' | 'DeleteItem'

/** What a function may do with a table: calls by key, and queries of these indexes and no others. */
export type TablePermission = {
  readonly table: TableName
  readonly actions?: readonly TableAction[]
  readonly indexes?: readonly string[]
}

/** Every function that is deployed, `functions/<name>.ts`, with all that its role allows. */
export const permissions: Readonly<Record<string, readonly TablePermission[]>> = {
  authorizer: [{ table: 'credentials', actions: ['GetItem'] }],
  'list-embed-tenant-workbooks': [
    { table: 'catalog', actions: ['BatchGetItem'], indexes: ['byEmbedTenant', 'byAllEmbedUsers', 'byFolder'] },
  ],
  'generate-session': [
    { table: 'catalog', actions: ['BatchGetItem', 'PutItem'] },
    { table: 'sessions', actions: ['PutItem'] },
    { table: 'credentials', indexes: ['byEmail', 'byUsername'] },
  ],
  'exchange-session': [{ table: 'sessions', actions: ['DeleteItem'] }],
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
}
