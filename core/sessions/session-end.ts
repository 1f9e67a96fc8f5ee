import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { briefly, once } from '../storage/client.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { tokenIdOf } from './session-id.ts'

/** Why a session id gives no token. The reason is for the audit log and not for the caller. */
export type SessionEnd = 'redeemed' | 'revoked' | 'expired' | 'unknown'

/** How long the end of a session is stored. Later the session counts as unknown. */
const storedSeconds = 24 * 60 * 60

/** What is stored of a session's end. An earlier version did not store the account. */
type StoredEnd = { readonly end: 'redeemed' | 'revoked'; readonly accountId?: string }

const endKey = (jti: string) => ({ pk: key('end', jti) })

/**
 * Stores how a session ended. If this fails, the audit log shows a replay as an unknown session, and nothing else is
 * different.
 * @param now milliseconds since the epoch
 */
export async function storeEnd(
  { client, tables }: Storage,
  accountId: string,
  sessionId: string,
  end: 'redeemed' | 'revoked',
  now: number,
): Promise<void> {
  const expiresAt = Math.ceil(now / 1000) + storedSeconds
  const Item = { ...endKey(tokenIdOf(sessionId)), end, accountId, expiresAt }
  const put = new PutCommand({ TableName: tables.sessions, Item })
  await client.send(once(put), briefly()).catch(() => undefined)
}

/** Reads how a session ended: `unknown` if it never existed, still waits, ended more than a day ago, or can't be read. */
export async function readEnd({ client, tables }: Storage, sessionId: string): Promise<SessionEnd> {
  const get = new GetCommand({ TableName: tables.sessions, Key: endKey(tokenIdOf(sessionId)), ConsistentRead: true })
  const { Item } = await client.send(once(get), briefly()).catch(() => ({ Item: undefined }))
  return (Item?.end as SessionEnd | undefined) ?? 'unknown'
}

/** What is stored of the end of the session whose token has this `jti`. Undefined where {@link readEnd} says `unknown`. */
export async function storedEndOf({ client, tables }: Storage, jti: string): Promise<StoredEnd | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tables.sessions, Key: endKey(jti), ConsistentRead: true }),
  )
  return Item as StoredEnd | undefined
}
