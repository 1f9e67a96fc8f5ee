import { isPublicHost } from './public-host.ts'

/**
 * Whether a document may be fetched from a URL. It must use TLS, because whoever can change a key set on its way can make
 * tokens. Loopback needs no TLS, so that tests can run an issuer.
 * @example [isFetchable('https://idp.example'), isFetchable('http://idp.example')] // [true, false]
 */
export function isFetchable(url: string): boolean {
  const parsed = URL.parse(url)
  if (!parsed || parsed.username || parsed.password) return false
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname))
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/** Whether a URL may be an issuer: it has no query and no fragment (OpenID Connect Discovery 1.0, section 3). */
export const isIssuer = (issuer: string): boolean => isFetchable(issuer) && !/[?#\s]/.test(issuer)

/**
 * The URL of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4.1).
 * @example discoveryUrl('https://idp.example/') // 'https://idp.example/.well-known/openid-configuration'
 */
export const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/**
 * Whether the keys of an issuer may be fetched from a URL. The issuer chooses it, so it must not lead to an address that only
 * this service can reach. Loopback is open to an issuer on loopback, which is a developer's.
 */
export function mayKeepKeysAt(issuer: string, url: string): boolean {
  if (!isFetchable(url)) return false
  const { hostname } = new URL(url)
  return isPublicHost(hostname) || (isLoopback(hostname) && isLoopback(new URL(issuer).hostname))
}
