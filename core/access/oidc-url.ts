import { BlockList, isIPv4, isIPv6 } from 'node:net'

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

/** Addresses that are not on the public internet (IANA's special-purpose registries). */
const special = new BlockList()
const subnets =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 ' +
  '224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20'
for (const subnet of subnets.split(' ')) {
  // The first isIPv6 of a process takes milliseconds, and this runs at each start.
  const [network = '', prefix] = subnet.split('/')
  special.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4')
}

/**
 * Of IPv6, only 2000::/3 is public. All names are public but `localhost` and the names below it.
 * @param hostname of a URL, which has one form for all spellings of an address
 */
function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(address)) return /^[23][\da-f]{3}:/.test(address) && !special.check(address, 'ipv6')
  return isIPv4(address) ? !special.check(address) : !/(^|\.)localhost\.?$/.test(address)
}
