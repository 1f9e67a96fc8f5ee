import { randomBytes } from 'node:crypto'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { inject } from 'vitest'

/**
 * Whether the engine counts capacity units as AWS documents them. DynamoDB Local counts none for the keys of a batch at which
 * there is no item.
 */
export const countsUnits = process.env.DYNAMODB_ENDPOINT === undefined

export const withoutUnits = 'This engine does not count units as AWS documents them.'

const ownTables = () => tablesWithPrefix(`test-${randomBytes(6).toString('hex')}`)

/**
 * Connects to tables that are still to be created. It waits for the engine as long as a busy
 * machine takes, and asks again in time for the test if an answer never comes.
 */
export function connectToEngine(tables: Storage['tables'] = ownTables()): Storage {
  const storage = connect(tables, inject('engineEndpoint'))
  const handler = storage.client.config.requestHandler as {
    updateHttpClientConfig(limit: string, milliseconds: number): void
  }
  for (const limit of ['connectionTimeout', 'requestTimeout', 'socketTimeout']) {
    handler.updateHttpClientConfig(limit, 10_000)
  }
  return storage
}
