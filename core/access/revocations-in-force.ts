import { hash } from 'node:crypto'
import type { Item } from '../storage/item.ts'
import { ascending, key, partsOfKey } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import {
  deletionCutOff,
  deploymentCutOff,
  everywhereCutOff,
  inForce,
  type TokenRevocation,
} from './revocation.ts'

const maxEntries = 20_000

type RevocationsInForce = {
  /** Whether these are all. */
  readonly complete: boolean
  /**
   * For each {@link publishedHash} a time in seconds since the epoch. A token is refused if its
   * session was generated until then. For a single token, the time is the end of its
   * revocation. The session was generated before that, so the token is always refused.
   */
  readonly revoked: Readonly<Record<string, number>>
}

/**
 * Reads all that is revoked and could still be in use, as verifiers get it
 * (docs/verify-a-token.md#revocations). The index lags, usually by less than a second.
 * @param now in milliseconds since the epoch
 */
export async function revocationsInForce(
  storage: Storage,
  now: number,
): Promise<RevocationsInForce> {
  const revoked = new Map<string, number>()
  let after: string | undefined = ascending(Math.floor(now / 1000))
  while (after !== undefined && revoked.size <= maxEntries) {
    const range = { index: 'revocationsInForce', partition: inForce, after }
    const { items, end } = await queryIndex(storage, range)
    for (const item of items) {
      for (const [text, at] of entriesOf(item)) {
        const name = publishedHash(text)
        revoked.set(name, Math.max(at, revoked.get(name) ?? 0))
      }
    }
    after = end
  }
  const entries = [...revoked].slice(0, maxEntries)
  return { complete: revoked.size <= maxEntries, revoked: Object.fromEntries(entries) }
}

/** The first 16 bytes of a text's SHA-256, in base64url. */
export const publishedHash = (text: string): string =>
  hash('sha256', text, 'buffer').subarray(0, 16).toString('base64url')

/** What an item revokes, each as the text that a verifier hashes, and until when. */
function* entriesOf({ pk, expiresAt, ...attributes }: Item): Generator<[string, number]> {
  const [, accountId = '', ...whom] = partsOfKey(pk)
  if (whom.length === 1) {
    // The item of a single token: `whom` is its jti.
    const token = key(accountId, 'token', ...whom)
    for (const scope of scopesOf(attributes as TokenRevocation))
      yield [`${token}${scope}`, Number(expiresAt)]
    return
  }
  const all = key(accountId, ...whom)
  for (const [name, until] of Object.entries(attributes)) {
    if (name === everywhereCutOff || name === deletionCutOff) yield [all, Number(until)]
    if (name.startsWith(deploymentCutOff(''))) yield [`${all}#${name}`, Number(until)]
  }
}

/** What the texts of a single token end with: where it is revoked. Empty means everywhere. */
function scopesOf({ everywhere, deploymentIds = new Set(), minters = new Set() }: TokenRevocation) {
  if (everywhere) return ['']
  return [...Array.from(deploymentIds, deploymentCutOff), ...minters].map((scope) => `#${scope}`)
}
