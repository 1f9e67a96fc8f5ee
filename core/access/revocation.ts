import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'

/** The key of a revocation. It has the account, so that no account can revoke another's token. */
export const revocationKey = (accountId: string, jti: string) => ({ pk: key('revocation', accountId, jti) })

/** Whether the token was revoked. The read is consistent, so a revocation counts as soon as it was answered. */
export async function isRevoked({ client, tables }: Storage, accountId: string, jti: string): Promise<boolean> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tables.sessions, Key: revocationKey(accountId, jti), ConsistentRead: true }),
  )
  return Item !== undefined
}
