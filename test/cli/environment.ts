import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import { inject } from 'vitest'
import { tableVariables } from '../../functions/runtime/environment.ts'

/** The environment of a command that works on the tables of a test. */
export function environmentOf(tables: Storage['tables']): Record<string, string> {
  const named = Object.entries(tableVariables).map(([table, variable]) => [variable, tables[table as TableName]])
  return { DYNAMODB_ENDPOINT: inject('engineEndpoint'), ...Object.fromEntries(named) }
}
