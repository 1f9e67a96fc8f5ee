/**
 * Whether a URL uses TLS and has no user name or password. Without TLS somebody could change a key
 * set on its way, and so make tokens. Loopback needs no TLS, so that tests can run an issuer.
 */
export function isFetchable(url: string): boolean {
  const parsed = URL.parse(url)
  if (!parsed || parsed.username || parsed.password) return false
  return (
    parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname))
  )
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/**
 * Whether a URL has the form of an issuer (OpenID Connect Discovery 1.0, section 3), and leads to
 * no address that only this service can reach. Tests may run an issuer on loopback.
 */
export const isIssuer = (issuer: string): boolean =>
  mayKeepKeysAt(issuer, issuer) && !/[?#\s]/.test(issuer)

/** The URL of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4.1). */
export const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/**
 * The issuer chooses the URL of its keys, which must not lead to what only this service can reach.
 * Only an issuer on loopback may have its keys there.
 */
export function mayKeepKeysAt(issuer: string, url: string): boolean {
  if (!isFetchable(url)) return false
  const { hostname } = new URL(url)
  return isPublicHost(hostname) || (isLoopback(hostname) && isLoopback(new URL(issuer).hostname))
}

/**
 * Whether a host is given by its name, and is not this machine. No issuer needs a literal address.
 * @param hostname of a URL, which has one form for all spellings of an address
 */
const isPublicHost = (hostname: string): boolean => !/^\[|(^|\.)(localhost|\d+)\.?$/.test(hostname)
