/** The operations that an API key may be limited to: all that an API key opens. */
export const keyOperations = [
  'list-embed-tenant-workbooks',
  'list-workbook-embed-access',
  'generate-session',
  'revoke-session',
  'list-dbt-syncs',
  'list-notifications',
] as const
