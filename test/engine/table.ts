import { randomBytes } from 'node:crypto'
import { createTable } from '@embed-access/core/storage/create-tables.ts'
import { afterAll, beforeAll } from 'vitest'
import { connectToEngine } from '../support/database.ts'

/** A table for the tests of a file, with an index that carries keys only and one that carries `color` too. */
export function tableOfTests() {
  const storage = connectToEngine()
  const TableName = `test-${randomBytes(6).toString('hex')}`
  beforeAll(() =>
    createTable(storage, TableName, {
      partitionKey: 'pk',
      sortKey: 'sk',
      indexes: [
        { name: 'keysOnly', partitionKey: 'list', sortKey: 'order', carries: [] },
        { name: 'withColor', partitionKey: 'list', sortKey: 'order', carries: ['color'] },
      ],
      expiryAttribute: 'expiresAt',
    }),
  )
  afterAll(() => storage.client.destroy())
  return { TableName, client: storage.client }
}

/** What becomes of calls made at once: how many succeeded, and the errors of the others. */
export async function atOnce<Answer>(calls: readonly Promise<Answer>[]) {
  const settled = await Promise.allSettled(calls)
  return {
    answers: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    errors: settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : [])),
  }
}
