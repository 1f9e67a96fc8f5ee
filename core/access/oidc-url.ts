/**
 * Whether documents may be fetched from there: over TLS, since whoever can change a key set on its way can make tokens.
 * A loopback address has no way to be changed on, which lets an issuer run next to a test.
 */
export function isFetchable(url: string): boolean {
  const { protocol, hostname, username, password } = URL.parse(url) ?? {}
  if (username || password) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname ?? ''))
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/** An issuer identifier: a URL with neither query nor fragment (OpenID Connect Discovery 1.0, section 3). */
export const isIssuer = (issuer: string): boolean => isFetchable(issuer) && !/[?#\s]/.test(issuer)

/** Where an issuer describes itself; a slash at the end of the issuer is not doubled (Discovery, section 4.1). */
export const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
