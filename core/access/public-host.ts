import { BlockList, isIP } from 'node:net'

/** What is not on the public internet, or is no host's own address (IANA's registry of special-purpose addresses, IPv4). */
const notPublic = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** The part of IPv6 that hosts of the public internet have, and what is special within it. */
const publicIpv6 = ['2000::', 3] as const
const notPublicIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const listOf = (family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}

const blockedIpv4 = listOf('ipv4', notPublic)
const openIpv6 = listOf('ipv6', [publicIpv6])
const blockedIpv6 = listOf('ipv6', notPublicIpv6)

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
      return !blockedIpv4.check(address, 'ipv4')
    case 6:
      return openIpv6.check(address, 'ipv6') && !blockedIpv6.check(address, 'ipv6')
    default:
      return !/(^|\.)localhost\.?$/.test(address)
  }
}
