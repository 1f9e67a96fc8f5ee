import { hash, randomBytes } from 'node:crypto'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { briefly, once } from '../storage/client.ts'
import { type Document, unpack } from '../storage/document.ts'
import { getItem } from '../storage/get-item.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { SessionContext } from './context.ts'

/** A new session id: 256 random bits. It is a credential, so only its hash is stored. */
export const newSessionId = (): string => randomBytes(32).toString('base64url')

/** The context in a stored session, as `generate.ts` has packed it. */
export const storedContext = (item: Readonly<Record<string, unknown>>): SessionContext =>
  JSON.parse(unpack(item.context as Document))

export const sessionKey = (sessionId: string) => ({
  pk: key('session', hash('sha256', sessionId, 'hex')),
})

/** The `jti` of a session's token, from which nobody can find the session id. */
export const tokenIdOf = (sessionId: string): string =>
  hash('sha256', `jti:${sessionId}`, 'base64url').slice(0, 22)

const ends = ['redeemed', 'revoked'] as const
export type SessionEnd = (typeof ends)[number]

/** The account and the embed tenant of a session. Its stored end has only these. */
export type Owner = Pick<SessionContext, 'accountId' | 'embedTenantName'>

/** How long the end of a session is stored. Later the session counts as unknown. */
const storedSeconds = 24 * 60 * 60

const endKey = (jti: string) => ({ pk: key('end', jti) })

/** Stores how a session ended. If this fails, the audit shows a replay as an unknown session. */
export async function storeEnd(
  storage: Storage,
  { accountId, embedTenantName }: Owner,
  sessionId: string,
  end: SessionEnd,
  now: number,
) {
  const expiresAt = Math.ceil(now / 1000) + storedSeconds
  const Item = { ...endKey(tokenIdOf(sessionId)), end, accountId, embedTenantName, expiresAt }
  const put = new PutCommand({ TableName: storage.tables.sessions, Item })
  await storage.client.send(once(put), briefly()).catch(() => undefined)
}

/**
 * Reads how a session ended and whose it was, for the audit log. Undefined if it is not stored or
 * can't be read.
 */
export async function readEnd(
  { client, tables }: Storage,
  sessionId: string,
): Promise<{ readonly end: SessionEnd; readonly owner: Owner } | undefined> {
  const Key = endKey(tokenIdOf(sessionId))
  const get = new GetCommand({ TableName: tables.sessions, Key, ConsistentRead: true })
  const { Item } = await client.send(once(get), briefly()).catch(() => ({ Item: undefined }))
  const { accountId, embedTenantName } = Item ?? {}
  const end = ends.find((each) => each === Item?.end)
  return end && { end, owner: { accountId, embedTenantName } }
}

/** Reads a session's end for an operator, by the `jti` of the token. Fails if it can't be read. */
export const storedEndOf = (storage: Storage, jti: string) =>
  getItem(storage, 'sessions', endKey(jti))
