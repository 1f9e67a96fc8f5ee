import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'

/** By account, so that nobody's revocation reaches another account's token. */
export const revocationKey = (accountId: string, jti: string) => ({ pk: key('revocation', accountId, jti) })

/** Whether the token with this `jti` was revoked. Read consistently: a revocation holds from its answer on. */
export async function isRevoked({ client, tables }: Storage, accountId: string, jti: string): Promise<boolean> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tables.sessions, Key: revocationKey(accountId, jti), ConsistentRead: true }),
  )
  return Item !== undefined
}
