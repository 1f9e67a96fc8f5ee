import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'
import { type Environment, readVariable } from './environment.ts'

/** Where the names of the tables stand. */
export const tableVariables: Readonly<Record<TableName, string>> = {
  catalog: 'CATALOG_TABLE',
  sessions: 'SESSIONS_TABLE',
  credentials: 'CREDENTIALS_TABLE',
}

/** Storage from the environment, with these tables; a table that a function has no business with has no name there. */
export const storageWith =
  (...tables: readonly TableName[]) =>
  (environment: Environment): Storage => {
    const names = tables.map((table) => [table, readVariable(environment, tableVariables[table], v.string())])
    return connect(Object.fromEntries(names) as Storage['tables'], environment.DYNAMODB_ENDPOINT || undefined)
  }
