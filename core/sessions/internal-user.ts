import type { Principal } from '../access/principal.ts'
import { readUser, type User, userIdsByLogin } from '../access/user.ts'
import { Refusal } from '../refusal.ts'
import type { Storage } from '../storage/storage.ts'

/** The internal user that a request names. A caller learns the id only if it may act for that user. */
export type InternalUser = {
  /**
   * The user.
   * @throws Refusal `internal_id_forbidden`; `unknown_name` unless the name fits exactly one user
   */
  permittedTo(principal: Principal): Promise<User>
}

/**
 * Finds a user of the account by user name or e-mail address, without regard to case.
 * @example (await resolveInternalUser(storage, 'acme', 'Ada@acme.example')).permittedTo(admin) // resolves to { id: 7, … }
 */
export async function resolveInternalUser(storage: Storage, accountId: string, name: string): Promise<InternalUser> {
  const [id, another] = await userIdsByLogin(storage, accountId, name)
  return {
    async permittedTo(principal) {
      // A caller that is no admin must not learn which users exist.
      if (!principal.admin && (id !== principal.userId || another !== undefined)) {
        throw new Refusal('internal_id_forbidden')
      }
      if (id === undefined) throw unknownUser('must be the name or e-mail address of a user of the account')
      if (another !== undefined) throw unknownUser('names more than one user of the account')
      const user = await readUser(storage, accountId, id)
      if (!user) throw unknownUser('must be the name or e-mail address of a user of the account')
      return user
    },
  }
}

const unknownUser = (message: string) =>
  new Refusal('unknown_name', `internalId ${message}.`, [{ pointer: '/internalId', message }])
