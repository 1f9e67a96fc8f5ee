import type { TableName } from '@embed-access/core/storage/tables.ts'

/** Where the names of the tables stand. */
export const tableVariables: Readonly<Record<TableName, string>> = {
  catalog: 'CATALOG_TABLE',
  sessions: 'SESSIONS_TABLE',
  credentials: 'CREDENTIALS_TABLE',
}
