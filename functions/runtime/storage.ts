import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'
import type { FunctionRecord } from '../operations/record.ts'
import { readVariable, tableVariables } from './environment.ts'
import type { StorageSource, Surroundings } from './runtime.ts'
import { sendingNothing } from './warm-up-storage.ts'

/** Storage with the tables of a function. The environment names no other table. */
export const storage: StorageSource = Object.assign(connected, { firstReads, sendingNothing })

function connected({ environment, tables }: Surroundings): Storage {
  const names = tables.map(({ table }) => [table, readVariable(environment, tableVariables[table], v.string())])
  return connect(Object.fromEntries(names) as Storage['tables'], environment.DYNAMODB_ENDPOINT || undefined)
}

/**
 * Reads from each table at once, each time an item that is never there, since no part of a key is empty. A function whose
 * role has no BatchGetItem reads signing keys instead.
 */
async function firstReads(storage: Storage, tables: FunctionRecord['tables']): Promise<void> {
  const calls = tables.map(async ({ table, reads = [], narrowReads = {} }) => {
    const [prefix] = narrowReads.BatchGetItem ?? (reads.includes('BatchGetItem') ? [''] : [])
    if (prefix === undefined) return
    const key = { pk: `${prefix}#`, ...(tableDefinitions[table].sortKey && { sk: ownSortKey }) }
    await batchGet(storage, [key], { table })
  })
  await Promise.all(calls)
}
