import { partsOfKey } from '@embed-access/core/storage/keys.ts'
import * as v from 'valibot'
import { entriesIn } from '../log-entries.ts'

const text = v.string()

/** What an audit line says about a session (`core/sessions/audit.ts`), as far as it counts here. */
const SessionLine = v.object({
  event: v.picklist([
    'session.generated',
    'session.redeemed',
    'session.refused',
    'session.replayed',
    'session.revoked',
  ]),
  time: text,
  issuer: text,
  jti: text,
  /** Nobody knows whether it happened. */
  unanswered: v.optional(v.boolean()),
  for: v.optional(
    v.object({
      accountId: text,
      embedTenantName: v.optional(text),
      sub: v.optional(text),
      act: v.optional(v.object({ sub: text })),
    }),
  ),
  by: v.optional(
    v.object({
      accountId: text,
      credential: v.object({ jti: v.optional(text), embedTenantName: v.optional(text) }),
    }),
  ),
})

type SessionLine = v.InferOutput<typeof SessionLine>

/** What was counted for an embed tenant of an account. A name is undefined if the lines lack it. */
export type Usage = {
  accountId: string | undefined
  embedTenantName: string | undefined
  generated: number
  redeemed: number
  refused: number
  ended: number
  /** Those who got a token themselves, by the `sub` of their tokens. */
  endUsers: Set<string>
  internalUsers: Set<string>
  /** Tokens that name nobody. */
  anonymous: number
  /** Tokens with which somebody else views as an end user. */
  byActors: number
}

/**
 * Counts the audit lines of a month. It keeps the users of each embed tenant, and nothing else that
 * grows with the lines.
 * @param issuer only its lines count. Without it, all lines must have the issuer of the first
 */
export class Counting {
  lines = 0
  /** Lines that look like those of the audit and can't be read. */
  damaged = 0
  /** An issuer whose lines of the month did not count. */
  otherIssuer: string | undefined
  readonly #month: string
  #issuer: string | undefined
  readonly #isChosen: boolean
  readonly #rows = new Map<string, Usage>()

  constructor(month: string, issuer?: string) {
    this.#month = month
    this.#issuer = issuer
    this.#isChosen = issuer !== undefined
  }

  /**
   * @param line undefined if it is too long
   * @throws Error with a plain sentence if the lines are of several issuers and none is chosen
   */
  add(line: Buffer | string | undefined): void {
    this.lines += 1
    if (line === undefined) {
      this.damaged += 1
      return
    }
    // Parsing every line would take most of the time.
    if (!line.includes('session.')) return
    const text = line.toString()
    const entries = entriesIn(text)
    if (entries === undefined && namesSession(text)) this.damaged += 1
    for (const entry of entries ?? []) {
      // A line that is JSON may have a message that is not.
      if (!isOfSession(entry.event) && !namesSession(entry.message)) continue
      if (v.is(SessionLine, entry)) this.#count(entry)
      else this.damaged += 1
    }
  }

  /** Returns the rows by account and embed tenant. Rows without these names come first. */
  rows(): Usage[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, usage]) => usage)
  }

  #count(line: SessionLine): void {
    if (!line.time.startsWith(this.#month) || line.unanswered) return
    this.#issuer ??= line.issuer
    if (line.issuer !== this.#issuer) {
      this.otherIssuer = line.issuer
      if (this.#isChosen) return
      throw new Error(
        `The lines are of several services, such as ${this.#issuer} and ${line.issuer}. ` +
          'Choose one with --issuer.',
      )
    }
    countIn(this.#rowOf(line), line)
  }

  #rowOf({ for: subject, by, jti }: SessionLine): Usage {
    // If a token has ended itself, the line has its tenant in the credential.
    const { accountId, embedTenantName } = subject ?? {
      accountId: by?.accountId,
      embedTenantName: by?.credential.jti === jti ? by.credential.embedTenantName : undefined,
    }
    const key = JSON.stringify([accountId ?? '', embedTenantName ?? ''])
    const row = this.#rows.get(key) ?? emptyUsage(accountId, embedTenantName)
    this.#rows.set(key, row)
    return row
  }
}

const isOfSession = (event: unknown): boolean => v.is(SessionLine.entries.event, event)

/** Whether a text that cannot be read names an event of a session. */
const namesSession = (text: unknown): boolean => /"event\\*":\s*\\*"session\./.test(String(text))

const emptyUsage = (accountId?: string, embedTenantName?: string): Usage => ({
  accountId,
  embedTenantName,
  generated: 0,
  redeemed: 0,
  refused: 0,
  ended: 0,
  endUsers: new Set(),
  internalUsers: new Set(),
  anonymous: 0,
  byActors: 0,
})

function countIn(usage: Usage, { event, for: subject }: SessionLine): void {
  if (event === 'session.redeemed') {
    usage.redeemed += 1
    countUser(usage, subject)
  } else if (event === 'session.generated') usage.generated += 1
  else if (event === 'session.revoked') usage.ended += 1
  else usage.refused += 1
}

/** An actor is no end user, so nobody is billed for what support staff look at. */
function countUser(usage: Usage, { sub = '', act }: Partial<SessionLine['for']> = {}): void {
  const [, kind] = partsOfKey(sub)
  if (act) usage.byActors += 1
  else if (kind === 'external') usage.endUsers.add(sub)
  else if (kind === 'user') usage.internalUsers.add(sub)
  else usage.anonymous += 1
}
