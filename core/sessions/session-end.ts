import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { tokenIdOf } from './session-id.ts'

/** Why a session id gives no token, for the audit; whoever sent it learns nothing of this. */
export type SessionEnd = 'redeemed' | 'revoked' | 'expired' | 'unknown'

/** How long after its end a session id is still told from one that never was, in seconds. */
const rememberedSeconds = 24 * 60 * 60

const endKey = (sessionId: string) => ({ pk: key('end', tokenIdOf(sessionId)) })

export async function recordEnd(
  { client, tables }: Storage,
  sessionId: string,
  end: 'redeemed' | 'revoked',
  now: number,
  abortSignal?: AbortSignal,
): Promise<void> {
  const expiresAt = Math.ceil(now / 1000) + rememberedSeconds
  const put = new PutCommand({ TableName: tables.sessions, Item: { ...endKey(sessionId), end, expiresAt } })
  await client.send(put, { ...(abortSignal && { abortSignal }) })
}

export async function readEnd({ client, tables }: Storage, sessionId: string): Promise<SessionEnd> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tables.sessions, Key: endKey(sessionId), ConsistentRead: true }),
  )
  return (Item?.end as SessionEnd | undefined) ?? 'unknown'
}
