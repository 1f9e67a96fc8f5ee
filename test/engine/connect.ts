import { randomBytes } from 'node:crypto'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { inject } from 'vitest'

/** Connects to tables of a test's own, which are still to be created. It waits for the engine as long as a busy machine takes. */
export function connectToEngine(): Storage {
  const storage = connect(tablesWithPrefix(`test-${randomBytes(6).toString('hex')}`), inject('engineEndpoint'))
  const handler = storage.client.config.requestHandler as {
    updateHttpClientConfig(limit: string, milliseconds: number): void
  }
  for (const limit of ['connectionTimeout', 'requestTimeout', 'socketTimeout']) {
    handler.updateHttpClientConfig(limit, 60_000)
  }
  return storage
}
