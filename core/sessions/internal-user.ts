import type { Principal } from '../access/principal.ts'
import { readUser, type User } from '../access/user.ts'
import { Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import type { Storage } from '../storage/storage.ts'
import type { GenerateSession } from './request.ts'

/**
 * Reads the internal user that a session is for.
 * @param ids of the users of the account whom the request's `internalId` fits
 * @throws Refusal `internal_id_forbidden`; `unknown_name` unless exactly one user fits; `invalid_body` for an `email` that is
 * not the user's own
 */
export async function readInternalUser(
  storage: Storage,
  { accountId, admin, userId, operations }: Principal,
  { email }: GenerateSession,
  [id, another]: readonly number[],
): Promise<User> {
  // The user's token would open what the key doesn't.
  if (operations) throw new Refusal('internal_id_forbidden', limitedKey)
  // A caller that is no admin must not learn which users exist.
  if (!admin && (id !== userId || another !== undefined)) throw new Refusal('internal_id_forbidden')
  if (another !== undefined) throw unknownUser('names more than one user of the account')
  const user = id === undefined ? undefined : await readUser(storage, accountId, id)
  // Stryker disable next-line StringLiteral: No index of the engine names a user that is gone.
  if (!user) throw unknownUser('must be the name or e-mail address of a user of the account')
  if (email === undefined || lowerCase(email) === lowerCase(user.email)) return user
  const message = 'must be that of the user that internalId names, or be left out'
  throw new Refusal('invalid_body', `/email ${message}.`, [{ pointer: '/email', message }])
}

const limitedKey = 'An API key that is limited to some operations generates sessions for external users only.'

const unknownUser = (message: string) =>
  new Refusal('unknown_name', `internalId ${message}.`, [{ pointer: '/internalId', message }])
