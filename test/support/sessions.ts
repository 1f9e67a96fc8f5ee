import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { interrupted } from './database.ts'
import { admin, type Call, keys, startOfTime, type World } from './service.ts'

const issuer = 'https://embed.test'
export const issuance = { issuer, audience: issuer, lifetimeSeconds: 60, maxTokenBytes: 7168 }

/** Generates a session in deployment 1 past the gateway, by an admin whose instance has read nothing yet. */
export const generateOn = (storage: Storage, request: object = {}, now = startOfTime) =>
  generateSession(
    storage,
    admin,
    { deploymentId: 1, ...request },
    now,
    issuance,
    recentLookups(() => now),
  )

/**
 * Generates a session past the gateway, while something else happens just before it is written.
 * @returns how often it was written
 */
export async function generateWhile(storage: Storage, request: object, happens: () => Promise<unknown>) {
  let writes = 0
  const isWrite = (command: object) => {
    if (command instanceof TransactWriteCommand) writes += 1
    return command instanceof TransactWriteCommand
  }
  await generateOn(interrupted(storage, 1, isWrite, happens), request)
  return writes
}

/** The calls about sessions, for deployment 1 and by an admin's key unless they say otherwise. */
export function sessionsOf(service: Pick<World, 'post'>) {
  const generate = (request: object = {}, key: string = keys.admin) =>
    service.post('/api/v1/embed/generate-session', { key, body: { deploymentId: 1, ...request } })
  const newSession = async (request?: object, key?: string): Promise<string> =>
    (await generate(request, key)).body.sessionId
  const redeem = (sessionId: string) => service.post('/api/v1/embed/session/token', { body: { sessionId } })
  const tokenOf = async (sessionId: string): Promise<string> => (await redeem(sessionId)).body.token
  return {
    generate,
    dryRun: (request: object = {}, key: string = keys.admin) =>
      service.post('/api/v1/embed/generate-session?dryRun=true', { key, body: { deploymentId: 1, ...request } }),
    newSession,
    redeem,
    tokenOf,
    newToken: async (request?: object, key?: string) => tokenOf(await newSession(request, key)),
    /** What the token of a new session says. */
    claims: async (request?: object, key?: string) => claimsIn(await tokenOf(await newSession(request, key))),
    revoke: (body: object, key: string = keys.admin) => service.post('/api/v1/embed/session/revoke', { key, body }),
  }
}

export const claimsIn = (token: string) => JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString())

export const bearer = (token: string): Call => ({ authorization: `Bearer ${token}` })

export const pointersOf = (errors: readonly { readonly pointer: string }[]) => errors.map(({ pointer }) => pointer)
