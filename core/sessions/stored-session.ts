import { hash, randomBytes } from 'node:crypto'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { briefly, once } from '../storage/client.ts'
import { read } from '../storage/conditional-writes.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'

/**
 * A new session id: 256 random bits in base64url. It is a credential, so only its hash is stored.
 */
export const newSessionId = (): string => randomBytes(32).toString('base64url')

export const sessionKey = (sessionId: string) => ({
  pk: key('session', hash('sha256', sessionId, 'hex')),
})

/**
 * The `jti` of a session's token, by which its owner finds all its traces. Nobody can find the
 * session id from the `jti`.
 */
export const tokenIdOf = (sessionId: string): string =>
  hash('sha256', `jti:${sessionId}`, 'base64url').slice(0, 22)

export type SessionEnd = 'redeemed' | 'revoked'

/** Later the session counts as unknown. */
const storedSeconds = 24 * 60 * 60

const endKey = (jti: string) => ({ pk: key('end', jti) })

/**
 * Stores how a session ended. If this fails, the audit log shows a replay as an unknown session.
 * Nothing else is different.
 */
export async function storeEnd(
  storage: Storage,
  accountId: string,
  sessionId: string,
  end: SessionEnd,
  now: number,
) {
  const expiresAt = Math.ceil(now / 1000) + storedSeconds
  const Item = { ...endKey(tokenIdOf(sessionId)), end, accountId, expiresAt }
  const put = new PutCommand({ TableName: storage.tables.sessions, Item })
  await storage.client.send(once(put), briefly()).catch(() => undefined)
}

/**
 * Reads how a session ended, for the audit log. Undefined if that is not stored or can't be read.
 */
export async function readEnd(
  { client, tables }: Storage,
  sessionId: string,
): Promise<SessionEnd | undefined> {
  const Key = endKey(tokenIdOf(sessionId))
  const get = new GetCommand({ TableName: tables.sessions, Key, ConsistentRead: true })
  const { Item } = await client.send(once(get), briefly()).catch(() => ({ Item: undefined }))
  return Item?.end as SessionEnd | undefined
}

/**
 * What is stored of the end of the session whose token has this `jti`, for an operator: it fails if
 * it can't be read.
 */
export const storedEndOf = (storage: Storage, jti: string) => read(storage, 'sessions', endKey(jti))
