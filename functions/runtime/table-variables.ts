import type { TableName } from '@embed-access/core/storage/tables.ts'

/** The environment variables with the names of the tables. */
export const tableVariables: Readonly<Record<TableName, string>> = {
  catalog: 'CATALOG_TABLE',
  sessions: 'SESSIONS_TABLE',
  credentials: 'CREDENTIALS_TABLE',
  signingKeys: 'SIGNING_KEYS_TABLE',
}
