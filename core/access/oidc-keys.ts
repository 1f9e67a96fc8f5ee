import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import { isRecent } from '../storage/memoized-for.ts'
import { fetchDocument, IssuerUnavailable } from './oidc-document.ts'
import { discoveryUrl, mayKeepKeysAt } from './oidc-url.ts'

/** How long a key still counts, at most, after the issuer has withdrawn it. */
const keySetMaxAgeMs = 10 * 60_000

/**
 * Older keys are fetched again. They still count meanwhile, so a short failure of the issuer keeps
 * nobody out.
 */
const freshMs = 5 * 60_000

/**
 * After a request that gave keys, an unknown `kid` causes no other request for this long, because
 * anybody can invent a `kid`.
 */
const unknownKeyCoolDownMs = 30_000

/**
 * How long all callers share a request and its result. It is longer than the timeout, so that not
 * every user waits for a failing issuer.
 */
const coolDownMs = 5_000

/** The timeout of both documents together. */
const timeoutMs = 3_000

/**
 * Finds the keys of issuers by discovery. It forgets no issuer: only accounts configure issuers,
 * and the keys of one issuer take a few kilobytes.
 */
export function issuerKeys(now: () => number): (issuer: string) => JWTVerifyGetKey {
  const remembered = new Map<string, JWTVerifyGetKey>()
  return (issuer) => {
    const keys = remembered.get(issuer) ?? keysOf(issuer, now)
    remembered.set(issuer, keys)
    return keys
  }
}

type Fetch = { readonly at: number; readonly keys: Promise<JWTVerifyGetKey> }

/**
 * jose's `createRemoteJWKSet` has no discovery, takes no clock and doesn't pause after a failure.
 *
 *   keys older than 5 min             ──▶ fetch
 *   key unknown, not fetched for 30 s ──▶ fetch, look again
 *   fetched less than 5 s ago         ──▶ share its result, also a failure
 *   fetch failed                      ──▶ keep the keys until they are 10 min old
 */
function keysOf(issuer: string, now: () => number): JWTVerifyGetKey {
  let latest: Fetch | undefined
  let latestGood: Fetch | undefined
  const isRecentlyGood = (withinMs: number): boolean => isRecent(latestGood?.at, withinMs, now())

  async function refresh(): Promise<JWTVerifyGetKey> {
    if (!latest || !isRecent(latest.at, coolDownMs, now()))
      latest = { at: now(), keys: discoverKeys(issuer) }
    const current = latest
    const keys = await current.keys
    latestGood = current
    return keys
  }

  const keysYoungerThan = (ms: number) => (isRecentlyGood(ms) ? latestGood?.keys : undefined)
  const currentKeys = () =>
    keysYoungerThan(freshMs) ??
    refresh().catch((error: unknown) => keysYoungerThan(keySetMaxAgeMs) ?? Promise.reject(error))

  return async (header, token) => {
    const keys = await currentKeys()
    try {
      return await keys(header, token)
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey
      if (!isUnknown || isRecentlyGood(unknownKeyCoolDownMs)) throw error
      return (await refresh())(header, token)
    }
  }
}

const Discovery = v.object({ issuer: v.string(), jwks_uri: v.string() })

/**
 * The discovery document must name its issuer, so that no issuer passes as another one (OpenID
 * Connect Discovery 1.0, section 4.3).
 */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const failed = (why: string) => new IssuerUnavailable(issuer, why)
  const signal = AbortSignal.timeout(timeoutMs)
  const discovery = v.safeParse(Discovery, await fetchDocument(discoveryUrl(issuer), signal))
  if (!discovery.success) throw failed('the discovery document lacks issuer or jwks_uri')
  const { issuer: named, jwks_uri } = discovery.output
  if (named !== issuer) throw failed('the discovery document names another issuer')
  if (!mayKeepKeysAt(issuer, jwks_uri)) throw failed('jwks_uri is not a safe URL')
  const keySet = v.safeParse(KeySet, await fetchDocument(jwks_uri, signal))
  if (!keySet.success) throw new IssuerUnavailable(jwks_uri, 'no key that verifies tokens')
  // If a key is listed twice, jose finds two keys for a token, and takes neither.
  const distinct = new Map(keySet.output.keys.map((key) => [JSON.stringify(key), key as JWK]))
  return createLocalJWKSet({ keys: [...distinct.values()] })
}

/**
 * A public key that can verify a token. It has a `kid`, since a token must name its key, and is not
 * for encryption.
 */
const VerifyingKey = v.object({
  kty: v.picklist(['RSA', 'EC', 'OKP']),
  kid: v.string(),
  use: v.optional(v.literal('sig')),
})

/**
 * The keys of a set that verify tokens. All other entries are left out (RFC 7517, section 5). A set
 * without such a key is a failure, because it would refuse all users.
 */
const KeySet = v.object({
  keys: v.pipe(
    v.array(v.unknown()),
    v.filterItems((key) => v.is(VerifyingKey, key)),
    v.minLength(1),
  ),
})
