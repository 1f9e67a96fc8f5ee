import type { Caller } from '../access/principal.ts'
import type { EndUsers } from '../access/revocation.ts'
import type { ChangedDefinition } from './definitions.ts'
import type { NoTokenReason, Redemption } from './redeem.ts'
import type { GenerateSession } from './request.ts'
import type { Owner } from './stored-session.ts'
import type { Claims } from './token.ts'

/**
 * An event for the audit log. The `jti` of the token connects the events of a session. No event has
 * a session id or a token.
 */
export type SessionEvent = Readonly<
  | { event: 'session.generated'; jti: string; by: Caller; for: Subject }
  | { event: 'session.impersonated'; jti: string; by: Caller; actor: Actor; for: Subject }
  | { event: 'session.redeemed'; jti: string; for: Subject }
  | {
      event: 'session.refused' | 'session.replayed'
      jti: string
      reason: NoTokenReason
      for?: Owner | undefined
    }
  | RevocationEvent
  | {
      event: 'definitions.changed'
      jti: string
      by: Caller
      embedTenantName?: string | undefined
      deploymentId: number
      changes: readonly ChangedDefinition[]
      unanswered?: Unanswered
    }
>

export type RevocationEvent = Readonly<
  | { event: 'session.revoked'; jti: string; by: Caller; unanswered?: Unanswered }
  | { event: 'sessions.revoked'; of: EndUsers; by: Caller; unanswered?: Unanswered }
>

/** The write failed or had no answer. The database may have made the change all the same. */
type Unanswered = true | undefined

type Actor = NonNullable<GenerateSession['actor']>

/** Lambda cuts a line of the log at 256 KB. The rest of a line is for what every line has. */
const maxBytes = 192 * 1024

/** Divides changes among lines of the log. One change has at most 20 KB. */
export function changesByLine(changes: readonly ChangedDefinition[]): ChangedDefinition[][] {
  const lines: ChangedDefinition[][] = []
  let room = 0
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(change)) + 1
    if (bytes > room) {
      lines.push([])
      room = maxBytes
    }
    room -= bytes
    lines.at(-1)?.push(change)
  }
  return lines
}

/** The end users as a line shows them. No token has a longer `externalId`. */
export const endUsersInLog = ({ embedTenantName, externalId }: EndUsers): EndUsers => ({
  embedTenantName,
  externalId: externalId?.slice(0, 10_240),
})

type Subject = ReturnType<typeof subjectOf>

/** Whose session it is, and who views as that end user, if anybody does. */
export const subjectOf = ({ accountId, deploymentId, sub, embedTenantName, act }: Claims) => ({
  accountId,
  deploymentId,
  sub,
  embedTenantName,
  act,
})

/**
 * A second redemption has an event of its own: somebody stole the id, or a page mounted twice. If
 * it comes before the first one has left its note, its reason is `unknown`, under the same `jti`.
 */
export function redemptionEvent(jti: string, redemption: Redemption): SessionEvent {
  if (redemption.token !== undefined)
    return { event: 'session.redeemed', jti, for: subjectOf(redemption.claims) }
  const { reason, owner } = redemption
  const event = reason === 'redeemed' ? 'session.replayed' : 'session.refused'
  return { event, jti, reason, for: owner }
}
