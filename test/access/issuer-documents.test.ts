import type { ServerResponse } from 'node:http'
import { fetchDocument } from '@embed-access/core/access/oidc-document.ts'
import {
  isFetchable,
  isIssuer,
  isLoopback,
  mayKeepKeysAt,
} from '@embed-access/core/access/oidc-url.ts'
import { describe, expect, test } from 'vitest'
import { served } from './issuer.ts'

describe('a document of an issuer', () => {
  let answer: (response: ServerResponse) => void
  const server = served((_, response) => answer(response))
  const fetched = () => fetchDocument(server.url, AbortSignal.timeout(10_000))

  test('is its JSON, in however many parts it comes, characters cut in two included', async () => {
    answer = async (response) => {
      for (const byte of Buffer.from(JSON.stringify({ name: '漢字' }))) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    }
    expect(await fetched()).toEqual({ name: '漢字' })
  })

  test('may have 256 KiB, and not a byte more', async () => {
    const sized = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
    answer = (response) => response.end(sized(262_144))
    expect(await fetched()).toHaveLength(262_142)
    answer = (response) => response.end(sized(262_145))
    await expect(fetched()).rejects.toMatchObject({
      name: 'IssuerUnavailable',
      message: `${server.url}: more than 262144 bytes`,
    })
  })

  test('that is missing is named in the audit by the beginning of its URL', async () => {
    answer = (response) => void response.writeHead(404).end()
    const url = `${server.url}/#${'"'.repeat(200_000)}`
    await expect(fetchDocument(url, AbortSignal.timeout(10_000))).rejects.toMatchObject({
      message: `${url.slice(0, 2100)}: status 404`,
    })
  })
})

test('A document is fetched over TLS or from loopback, without credentials in its URL', () => {
  const fetchable = ['https://idp.example', 'http://localhost:1/x', 'http://[::1]/x']
  const loopback = ['http://127.0.0.1', 'http://127.9.9.9', 'http://127.10.0.254']
  const open = [
    'http://idp.example',
    'http://128.0.0.1',
    'http://x.localhost.example',
    'http://1127.0.0.1.example',
  ]
  const odd = [
    'ftp://localhost',
    'https://ada@idp.example',
    'https://:secret@idp.example',
    'idp.example',
    '',
  ]
  expect([...fetchable, ...loopback].filter((url) => !isFetchable(url))).toEqual([])
  expect([...open, ...odd].filter(isFetchable)).toEqual([])
  expect(['127.0.0.1.example', 'x127.0.0.1', '127.0.0', '127.0.0.1.1'].filter(isLoopback)).toEqual(
    [],
  )
})

test('An issuer is a URL to fetch from, without query, fragment or space', () => {
  const right = ['https://idp.example', 'https://idp.example/realms/a/', 'http://[::1]:8080']
  const longer = [
    'https://idp.example?tenant=a',
    'https://idp.example#a',
    'https://idp.example/a b',
  ]
  expect([...right, ...longer, 'http://idp.example'].filter(isIssuer)).toEqual(right)
  const inside = ['https://169.254.169.254', 'https://10.0.0.5/x', 'https://[::ffff:127.0.0.1]']
  expect([...inside, 'https://a.localhost'].filter(isIssuer)).toEqual([])
})

describe('Keys are fetched from a literal address', () => {
  const remote = 'https://idp.example'
  const keysAt = (host: string) => `https://${host}/jwks`
  const isRefused = (host: string) =>
    !mayKeepKeysAt(remote, keysAt(host)) && !mayKeepKeysAt('http://localhost:1', keysAt(host))

  test('if it is public', () => {
    const ipv4 = '8.8.8.8 1.1.1.1:8443 172.15.0.1 172.32.0.1 100.128.0.1 223.255.255.255'
    const ipv6 = '[2606:4700:4700::1111] [2a00:1450::1]:8443 [2001:4860:4860::8888] [3ffe::1]'
    const names = 'keys.example 10.example localhost.example xn--bcher-kva.example'
    expect(`${ipv4} ${ipv6} ${names}`.split(' ').filter(isRefused)).toEqual([])
  })

  test.each([
    ['this host', '0.0.0.0 0.1.2.3 [::] 0 0x0'],
    [
      'private use',
      '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 [fd00:ec2::254] [fd00:2345::1] [fc00::1]',
    ],
    ['providers between each other', '100.64.0.1 100.127.255.255'],
    ['one link', '169.254.169.254 169.254.170.2 [fe80::1] [febf::1]'],
    ['many at once', '224.0.0.1 239.255.255.255 [ff02::1] 255.255.255.255 240.0.0.1'],
    ['examples', '192.0.2.1 198.51.100.1 203.0.113.1 [2001:db8::1] [3fff::1]'],
    ['measurements', '198.18.0.1 198.19.255.255'],
    [
      'protocols',
      '192.0.0.1 192.88.99.1 [2001::1] [100::1] [5f00::1] [200::1] [1fff::1] [4000::1]',
    ],
    ['another address within', '[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:8.8.8.8] [::127.0.0.1]'],
    ['another address, translated', '[64:ff9b::7f00:1] [2002:7f00:1::]'],
    [
      'another spelling',
      '2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 10.0.0.1. １０.0.0.1',
    ],
  ])('and never if it is for %s', (_, hosts) => {
    expect(hosts.split(' ').filter((host) => !isRefused(host))).toEqual([])
  })

  test('and on loopback only if the issuer is there too, in whatever spelling', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '2130706433', '[::1]']) {
      expect([host, mayKeepKeysAt(remote, keysAt(host))]).toEqual([host, false])
      expect([host, mayKeepKeysAt('http://127.0.0.1:1', `http://${host}/jwks`)]).toEqual([
        host,
        true,
      ])
    }
    expect(mayKeepKeysAt('http://localhost:1', 'http://keys.example/jwks')).toBe(false)
    expect(
      ['localhost.', 'a.localhost', 'a.localhost.'].filter((host) => !isRefused(host)),
    ).toEqual([])
  })
})
