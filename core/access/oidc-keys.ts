import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import { fetchDocument, IssuerUnavailable } from './oidc-document.ts'
import { discoveryUrl, isFetchable, isLoopback } from './oidc-url.ts'

/** After this an issuer's keys are fetched again, so that a key it withdrew is not trusted for longer. */
export const keysLiveMs = 10 * 60_000

/** How long a key that is not there is not asked for again: made-up `kid`s must not become requests to the issuer. */
export const keysCoolDownMs = 30_000

/** How long an issuer that failed is left alone, its users answered at once instead of after a timeout each. */
export const failureCoolsDownMs = 5_000

/** For both documents together. */
const timeoutMs = 3_000

/** How many issuers' keys are kept at once. */
const mostIssuers = 200

/** The keys of each issuer, by discovery, for as long as this runs. */
export function issuerKeys(now: () => number): (issuer: string) => JWTVerifyGetKey {
  const known = new Map<string, JWTVerifyGetKey>()
  return (issuer) => {
    const keys = known.get(issuer) ?? keysOf(issuer, now)
    if (!known.has(issuer) && known.size >= mostIssuers) known.delete(known.keys().next().value as string)
    known.set(issuer, keys)
    return keys
  }
}

/**
 * The keys of one issuer with the semantics of jose's `createRemoteJWKSet`, which knows neither discovery, nor the
 * clock that is passed in, nor a rest after a failure.
 */
function keysOf(issuer: string, now: () => number): JWTVerifyGetKey {
  let fetched: { readonly keys: JWTVerifyGetKey; readonly at: number } | undefined
  let failed: { readonly error: unknown; readonly at: number } | undefined
  let fetching: Promise<JWTVerifyGetKey> | undefined

  // What seems to come from the future tells of a clock that was set back, and of nothing recent.
  const isRecent = (at: number | undefined, lastsMs: number) => at !== undefined && at <= now() && now() < at + lastsMs

  async function fetchKeys(): Promise<JWTVerifyGetKey> {
    if (failed && isRecent(failed.at, failureCoolsDownMs)) throw failed.error
    try {
      const keys = await discoverKeys(issuer)
      fetched = { keys, at: now() }
      failed = undefined
      return keys
    } catch (error) {
      failed = { error, at: now() }
      throw error
    }
  }

  /** One request serves all that wait for it. */
  function refresh(): Promise<JWTVerifyGetKey> {
    fetching ??= fetchKeys().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  return async (header, token) => {
    const keys = fetched && isRecent(fetched.at, keysLiveMs) ? fetched.keys : await refresh()
    try {
      return await keys(header, token)
    } catch (error) {
      const isNew = error instanceof errors.JWKSNoMatchingKey && !isRecent(fetched?.at, keysCoolDownMs)
      if (!isNew) throw error
      return (await refresh())(header, token)
    }
  }
}

const Discovery = v.object({ issuer: v.string(), jwks_uri: v.string() })

/**
 * The document must name the issuer that was asked, so that no issuer can pass as another (OpenID Connect Discovery
 * 1.0, section 4.3).
 */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const signal = AbortSignal.timeout(timeoutMs)
  const discovery = v.safeParse(Discovery, await fetchDocument(discoveryUrl(issuer), signal))
  if (!discovery.success) throw new IssuerUnavailable(`${issuer}: no discovery document`)
  if (discovery.output.issuer !== issuer) throw new IssuerUnavailable(`${issuer}: the document is another issuer's`)
  const { jwks_uri } = discovery.output
  if (!mayKeepKeysAt(issuer, jwks_uri)) throw new IssuerUnavailable(`${issuer}: its keys are at no safe place`)
  try {
    return createLocalJWKSet((await fetchDocument(jwks_uri, signal)) as JSONWebKeySet)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new IssuerUnavailable(`${jwks_uri}: ${error.code}`)
    throw error
  }
}

/** A loopback address of ours is none of a remote issuer's business: other things listen there. */
const mayKeepKeysAt = (issuer: string, url: string): boolean =>
  isFetchable(url) && (isLoopback(new URL(issuer).hostname) || !isLoopback(new URL(url).hostname))
