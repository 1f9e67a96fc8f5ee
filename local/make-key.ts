import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { userIdsByLogin } from '@embed-access/core/access/user.ts'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { HTTPException } from 'hono/http-exception'

const lifetimeMs = 24 * 3_600_000

/**
 * Makes an API key that ends after a day, for the playground.
 * @param login the user's name or e-mail address
 * @returns the key, of which only the hash is stored
 * @throws HTTPException that says why there is none
 */
export async function makeKey(storage: Storage, accountId: string, login: string, now: number): Promise<string> {
  const [userId, another] = await userIdsByLogin(storage, accountId, login)
  if (userId === undefined) throw new HTTPException(400, { message: `The account has no user ${login}.` })
  if (another !== undefined)
    throw new HTTPException(400, { message: `Several users of the account are called ${login}.` })
  const apiKey = newApiKey({ accountId, userId })
  const data = {
    accountId,
    userId,
    tokenHash: hashOfApiKey(apiKey),
    name: 'made in the playground',
    expiresAt: new Date(now + lifetimeMs).toISOString(),
  }
  const [result] = await applyChanges(storage, [{ kind: 'apiKey', data }], { now: () => now })
  if (result?.outcome !== 'applied')
    throw new HTTPException(400, { message: 'The key could not be stored. Try it again.' })
  return apiKey
}
