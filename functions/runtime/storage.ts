import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'
import { type Environment, readVariable } from './environment.ts'
import { tableVariables } from './table-variables.ts'

/** Storage from the environment, with these tables; a table that a function has no business with has no name there. */
export const storageWith =
  (...tables: readonly TableName[]) =>
  (environment: Environment): Storage => {
    const names = tables.map((table) => [table, readVariable(environment, tableVariables[table], v.string())])
    return connect(Object.fromEntries(names) as Storage['tables'], environment.DYNAMODB_ENDPOINT || undefined)
  }
