import type { TableName } from '@embed-access/core/storage/tables.ts'

export type TableRead = 'GetItem' | 'BatchGetItem'

/** Inside a transaction too, a write is allowed by its own action. */
export type TableWrite = 'PutItem' | 'UpdateItem' | 'DeleteItem'

/** What a function may do with a table, and nothing else. */
export type TablePermission = {
  readonly table: TableName
  /** By key, of any item. */
  readonly reads?: readonly TableRead[]
  /** Each with what the partition key of an item must begin with. */
  readonly writes?: Readonly<Partial<Record<TableWrite, readonly string[]>>>
  /** Those that may be queried. */
  readonly indexes?: readonly string[]
}

/** Every function that is deployed, `functions/<name>.ts`, with all that its role allows. */
export const permissions: Readonly<Record<string, readonly TablePermission[]>> = {
  authorizer: [
    {
      table: 'credentials',
      reads: ['GetItem'],
      writes: { PutItem: ['lastUse#'] },
      indexes: ['byEmail', 'byUsername'],
    },
    { table: 'sessions', reads: ['GetItem'] },
    { table: 'catalog', reads: ['BatchGetItem'], indexes: ['byIssuerAndAudience'] },
  ],
  'list-embed-tenant-workbooks': [
    { table: 'catalog', reads: ['BatchGetItem'], indexes: ['byEmbedTenant', 'byAllEmbedUsers', 'byFolder'] },
  ],
  'generate-session': [
    { table: 'catalog', reads: ['BatchGetItem'], writes: { UpdateItem: ['embedTenant#'] } },
    { table: 'sessions', writes: { PutItem: ['session#'] } },
    { table: 'credentials', indexes: ['byEmail', 'byUsername'] },
  ],
  'exchange-session': [
    { table: 'sessions', reads: ['GetItem'], writes: { DeleteItem: ['session#'], PutItem: ['end#'] } },
  ],
  'revoke-session': [{ table: 'sessions', writes: { PutItem: ['revocation#', 'end#'], DeleteItem: ['session#'] } }],
  'list-dbt-syncs': [
    {
      table: 'catalog',
      reads: ['BatchGetItem'],
      indexes: ['byDeployment', 'byStatus', 'byTrigger', 'byStatusAndTrigger'],
    },
  ],
  'list-notifications': [
    {
      table: 'catalog',
      reads: ['BatchGetItem'],
      indexes: ['byDeployment', 'byDashboard', 'byRecipient', 'byRecipientAndDashboard', 'byPublicId'],
    },
    { table: 'credentials', reads: ['GetItem'], indexes: ['byEmail'] },
  ],
  'get-key-set': [],
  'get-spec': [],
  'get-error-reference': [],
}
