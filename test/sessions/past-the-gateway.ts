import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { admin } from '../support/catalog.ts'
import { interrupted } from '../support/database.ts'
import { startOfTime } from '../support/time.ts'

export const issuance = {
  issuer: 'https://embed.test',
  audience: 'https://embed.test',
  lifetimeSeconds: 60,
  maxTokenBytes: 7168,
}

/**
 * Generates a session in deployment 1 past the gateway, by a caller whose instance has read nothing
 * yet.
 */
export const generateOn = (storage: Storage, request: object = {}, principal = admin) =>
  generateSession(
    {
      storage,
      principal,
      request: { deploymentId: 1, ...request },
      now: startOfTime,
      limits: issuance,
      recent: recentLookups(() => startOfTime),
    },
    () => {},
  )

/**
 * Generates a session past the gateway, while something else happens just before it is written.
 * @returns how often it was written
 */
export async function generateWhile(
  storage: Storage,
  request: object,
  happens: () => Promise<unknown>,
  principal = admin,
) {
  let writes = 0
  const isWrite = (command: object) => {
    if (command instanceof TransactWriteCommand) writes += 1
    return command instanceof TransactWriteCommand
  }
  await generateOn(interrupted(storage, 1, isWrite, happens), request, principal)
  return writes
}
