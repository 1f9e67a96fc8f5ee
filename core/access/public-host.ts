import { BlockList, isIP, isIPv6 } from 'node:net'

function listOf(...subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network, prefix] = subnet.split('/') as [string, string]
    list.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** The part of IPv6 that hosts of the public internet have. */
const publicIpv6 = listOf('2000::/3')

/** What is not on the public internet, or is no host's own address (IANA's registries of special-purpose addresses). */
const special = listOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  ...['240.0.0.0/4', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
)

/**
 * Whether a host may be on the public internet. An address must be public. A name may be any but `localhost` and those
 * below it.
 * @param hostname of a URL, which has every spelling of an address in one form
 * @example ['idp.example', '169.254.169.254', '[::ffff:7f00:1]'].map(isPublicHost) // [true, false, false]
 */
export function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return !/(^|\.)localhost\.?$/.test(address)
  }
}
