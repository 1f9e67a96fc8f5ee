import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'
import type { FunctionRecord } from '../operations/record.ts'
import { type Environment, readVariable } from './environment.ts'
import { rehearsalStorage } from './rehearsal-storage.ts'
import { tableVariables } from './table-variables.ts'

/** How a function gets its storage, and warms it up. */
export type StorageSource = {
  readonly connect: (environment: Environment) => Storage
  /** Opens a connection for each table. */
  readonly firstReads: (storage: Storage) => Promise<unknown>
  readonly rehearsal: (storage: Storage) => Storage
}

/** Storage with the tables of a function. The environment names no other table. */
export const storageOf = ({ tables }: FunctionRecord): StorageSource => ({
  connect(environment) {
    const names = tables.map(({ table }) => [table, readVariable(environment, tableVariables[table], v.string())])
    return connect(Object.fromEntries(names) as Storage['tables'], environment.DYNAMODB_ENDPOINT || undefined)
  },
  firstReads: (storage) => readNothing(storage, tables),
  rehearsal: rehearsalStorage,
})

/**
 * Reads from each table at once, each time an item that is never there, since no part of a key is empty. A function whose
 * role has no BatchGetItem reads signing keys instead.
 */
async function readNothing(storage: Storage, tables: FunctionRecord['tables']): Promise<void> {
  const reads = tables.map(async ({ table, reads = [], narrowReads = {} }) => {
    const [prefix] = narrowReads.BatchGetItem ?? (reads.includes('BatchGetItem') ? [''] : [])
    if (prefix === undefined) return
    const key = { pk: `${prefix}#`, ...(tableDefinitions[table].sortKey && { sk: ownSortKey }) }
    await batchGet(storage, [key], { table })
  })
  await Promise.all(reads)
}
