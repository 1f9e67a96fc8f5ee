import type { Principal } from '@embed-access/core/access/principal.ts'
import {
  revokeEndUsers,
  revokeMinted,
  revokeSession,
  revokeToken,
} from '@embed-access/core/sessions/revoke.ts'
import type { Claims } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { admin } from '../support/catalog.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

type Way = {
  /** Whether it ends a token whose session was generated before. */
  readonly ends: (claims: Claims) => boolean
  readonly call: (storage: Storage, now: number) => Promise<void>
}

/** Those who revoke: in all deployments, or in one. */
const scopes: readonly Pick<Principal, 'accountId' | 'deploymentIds'>[] = [
  admin,
  { accountId: account, deploymentIds: [2] },
]

/** A way to end a token, and perhaps others with it. */
export function revoking(
  random: Random,
  { sessionId, claims }: { readonly sessionId?: string; readonly claims: Claims },
): Way {
  const { jti, exp, embedTenantName, mintedBy } = claims
  const { userId, key } = mintedBy
  const scope = random.pick(scopes)
  const opens = ({ deploymentId }: Claims) =>
    scope.deploymentIds === 'all' || scope.deploymentIds.includes(deploymentId)
  const itself: Way = {
    ends: (other) => other.jti === jti,
    call: (storage) => revokeToken(storage, admin, jti, exp),
  }
  const minter: Way = {
    ends: ({ mintedBy: other }) => (key ? other.key === key : other.userId === userId),
    call: (storage, now) => revokeMinted(storage, account, key ? { key } : { userId }, 0, now),
  }
  const ways = [itself, minter]
  if (sessionId !== undefined) {
    const session: Way = {
      ends: (other) => other.jti === jti && opens(other),
      call: (storage, now) => revokeSession(storage, scope, sessionId, now),
    }
    ways.push(session, session)
  }
  if (embedTenantName !== undefined) {
    const externalId = random.pick([claims.externalId, claims.externalId, undefined])
    const endUsers: Way = {
      ends: (other) =>
        other.embedTenantName === embedTenantName &&
        (externalId === undefined || other.externalId === externalId) &&
        opens(other),
      call: (storage, now) => revokeEndUsers(storage, scope, { embedTenantName, externalId }, now),
    }
    ways.push(endUsers, endUsers)
  }
  return random.pick(ways)
}
