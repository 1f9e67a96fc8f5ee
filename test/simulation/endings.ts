import { goneGraceSeconds } from '@embed-access/core/access/revocation.ts'
import type { Claims } from '@embed-access/core/sessions/token.ts'
import type { Timeline } from './timeline.ts'

/** A revocation or a deletion: the moments at which it was sent and acknowledged. */
type Span = { readonly from: number; readonly to?: number | undefined }

type Revocation = Span & { readonly ends: (claims: Claims) => boolean }

/** What a simulation knows of the end of tokens. */
export class Endings {
  readonly revocations: Revocation[] = []
  readonly #timeline: Timeline
  readonly #refusedSince = new Map<string, number>()

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** The service has refused a token as revoked. It must never open anything again. */
  isRefused({ jti }: Claims): void {
    if (!this.#refusedSince.has(jti)) this.#refusedSince.set(jti, this.#timeline.tick())
  }

  /** Whether the service must refuse a token because of what was acknowledged until a moment. */
  mustBeRevoked(claims: Claims, moment: number): boolean {
    const refused = this.#refusedSince.get(claims.jti) ?? Infinity
    if (refused < moment) return true
    const deletions = hasTenant(claims) ? this.#newestDeletions(tenant) : []
    return [...this.#revocationsOf(claims), ...deletions].some(
      ({ from, to = Infinity }) => to <= moment && this.#isBefore(claims, from),
    )
  }

  /** Whether the service, or a verifier, may refuse a token as revoked. */
  mayBeRevoked(claims: Claims): boolean {
    return (
      this.#revocationsOf(claims).some(({ from }) => this.#isBefore(claims, from, 1)) ||
      endsWith(claims).some((thing) =>
        this.#timeline
          .deletions(thing)
          .some(({ to }) => this.#isBefore(claims, to, 1 + graceOf(thing))),
      )
    )
  }

  /** The same for a verifier that knows all until a moment. What is gone since then counts too. */
  mustBeRefused(claims: Claims, moment: number): boolean {
    const now = this.#timeline.tick()
    const isGone = (thing: string) =>
      this.#timeline.spans(thing, moment, now).every(({ content }) => !content)
    return this.mustBeRevoked(claims, moment) || thingsOf(claims).some(isGone)
  }

  #revocationsOf(claims: Claims): Revocation[] {
    return this.revocations.filter(({ ends }) => ends(claims))
  }

  /** Deletions that no later one had overtaken when they were acknowledged. */
  #newestDeletions(thing: string) {
    const deletions = this.#timeline.deletions(thing)
    return deletions.filter(({ order, to = Infinity }) =>
      deletions.every((other) => other.order <= order || other.from > to),
    )
  }

  /** Whether a session was generated before a moment, or so many seconds later. */
  #isBefore({ mintedBy }: Claims, moment: number | undefined, seconds = 0): boolean {
    if (moment === undefined) return true
    return mintedBy.at <= Math.floor(this.#timeline.timeAt(moment) / 1000) + seconds
  }
}

/** What has to be there for a token. */
const thingsOf = ({ accountId, deploymentId, userId }: Claims): string[] => [
  `account ${accountId}`,
  `deployment ${accountId} ${deploymentId}`,
  ...(userId === undefined ? [] : [`user ${accountId} ${userId}`]),
]

const tenant = 'embedTenant acme'
const hasTenant = ({ embedTenantName }: Claims) => embedTenantName === 'north'

/** What ends a token with its deletion. A session makes a tenant that is not there. */
const endsWith = (claims: Claims): string[] =>
  hasTenant(claims) ? [...thingsOf(claims), tenant] : thingsOf(claims)

const graceOf = (thing: string) => (thing === tenant ? 0 : goneGraceSeconds)
