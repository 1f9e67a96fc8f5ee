import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import * as v from 'valibot'
import type { FunctionRecord } from '../operations/operation.ts'
import { type Environment, readVariable } from './environment.ts'
import { tableVariables } from './table-variables.ts'

/** Storage with the tables of a function. The environment names no other table. */
export const storageOf =
  ({ tables }: FunctionRecord) =>
  (environment: Environment): Storage => {
    const names = tables.map(({ table }) => [table, readVariable(environment, tableVariables[table], v.string())])
    return connect(Object.fromEntries(names) as Storage['tables'], environment.DYNAMODB_ENDPOINT || undefined)
  }
