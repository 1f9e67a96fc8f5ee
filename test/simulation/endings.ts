import { goneGraceSeconds } from '@embed-access/core/access/revocation.ts'
import type { Claims } from '@embed-access/core/sessions/token.ts'
import type { Timeline } from './timeline.ts'

/** A revocation or a deletion: the moments at which it was sent and acknowledged. */
type Span = { readonly from: number; readonly to?: number | undefined }

export type Revocation = Span & { readonly ends: (claims: Claims) => boolean }

/** What a simulation knows of the end of tokens. */
export class Endings {
  readonly revocations: Revocation[] = []
  readonly #timeline: Timeline

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** Whether the service must refuse a token because of what was acknowledged until a moment. */
  mustBeRevoked(claims: Claims, moment: number): boolean {
    const deletions = this.#deletionsOfTenant(claims)
    const isNewest = ({ order, to = Infinity }: (typeof deletions)[number]) =>
      deletions.every((other) => other.order <= order || other.from > to)
    return [...this.#revocationsOf(claims), ...deletions.filter(isNewest)].some(
      ({ from, to = Infinity }) => to <= moment && this.#isBefore(claims, from),
    )
  }

  /** Whether the service may refuse a token as revoked. */
  mayBeRevoked(claims: Claims): boolean {
    return (
      this.#revocationsOf(claims).some(({ from }) => this.#isBefore(claims, from, 1)) ||
      this.#deletionsOfTenant(claims).some(({ to }) => this.#isBefore(claims, to, 1))
    )
  }

  /** The same for a verifier that knows all until a moment. What is gone since then counts too. */
  mustBeRefused(claims: Claims, moment: number): boolean {
    const now = this.#timeline.tick()
    const isGone = (thing: string) =>
      this.#timeline.spans(thing, moment, now).every(({ content }) => !content)
    return this.mustBeRevoked(claims, moment) || thingsOf(claims).some(isGone)
  }

  mayBeRefused(claims: Claims): boolean {
    const deletions = thingsOf(claims).flatMap((thing) => this.#timeline.deletions(thing))
    return (
      this.mayBeRevoked(claims) ||
      deletions.some(({ to }) => this.#isBefore(claims, to, 1 + goneGraceSeconds))
    )
  }

  #revocationsOf(claims: Claims): Revocation[] {
    return this.revocations.filter(({ ends }) => ends(claims))
  }

  #deletionsOfTenant({ embedTenantName }: Claims) {
    return embedTenantName === 'north' ? this.#timeline.deletions('embedTenant acme') : []
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
