import type { Principal } from '../access/principal.ts'
import { userIdsByEmail, userIdsByUsername } from '../access/user.ts'
import { Refusal } from '../refusal.ts'
import type { Storage } from '../storage/storage.ts'

/** An internal user named in a request, who is only handed out to callers that may act for them. */
export type InternalUser = {
  /** @throws Refusal `unknown_name` where nobody, or not one person alone, is meant; `internal_id_forbidden` */
  permittedTo(principal: Principal): number
}

/** Finds a user of the account by name or e-mail address, in any case of letters. */
export async function resolveInternalUser(storage: Storage, accountId: string, name: string): Promise<InternalUser> {
  const [byUsername, byEmail] = await Promise.all([
    userIdsByUsername(storage, accountId, name),
    userIdsByEmail(storage, accountId, name),
  ])
  const ids = [...new Set([...byUsername, ...byEmail])]
  return {
    permittedTo(principal) {
      const [id, another] = ids
      // It would renew itself without end, and outlive the key that it was made with.
      if (principal.embedded) {
        throw new Refusal('internal_id_forbidden', 'An embed token gives no further session of an internal user.')
      }
      // Who is no admin learns nothing about which users there are.
      if (!principal.admin && (id !== principal.userId || another !== undefined)) {
        throw new Refusal('internal_id_forbidden')
      }
      if (id === undefined) throw unknownUser('names no user of the account')
      if (another !== undefined) throw unknownUser('names more than one user of the account')
      return id
    },
  }
}

const unknownUser = (message: string) =>
  new Refusal('unknown_name', `internalId ${message}.`, [{ pointer: '/internalId', message }])
