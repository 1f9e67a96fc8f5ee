import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchDocument, IssuerUnavailable } from '@embed-access/core/access/oidc-document.ts'
import { discoveryUrl, isFetchable, isIssuer, isLoopback, mayKeepKeysAt } from '@embed-access/core/access/oidc-url.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe('a document of an issuer', () => {
  let answer: (response: ServerResponse) => void = (response) => response.end('{}')
  const server = createServer((_, response) => answer(response))
  let url = ''
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const fetched = (signal = AbortSignal.timeout(10_000)) => fetchDocument(url, signal)
  const refused = async (reason: string) => {
    const error = await fetched().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(IssuerUnavailable)
    expect(error).toMatchObject({ name: 'IssuerUnavailable', message: `${url}: ${reason}` })
  }

  test('is its JSON, in however many parts it comes, characters cut in two included', async () => {
    const bytes = Buffer.from(JSON.stringify({ name: '漢字' }))
    answer = async (response) => {
      for (const byte of bytes) {
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
    await refused('more than 262144 bytes')
  })

  test('is refused unless it is JSON with a status of 200', async () => {
    for (const status of [201, 204, 404, 500]) {
      answer = (response) => response.writeHead(status).end(status === 204 ? undefined : '{}')
      await refused(`status ${status}`)
    }
    answer = (response) => response.writeHead(302, { location: url }).end()
    await refused('unexpected redirect')
    answer = (response) => response.end('<html>')
    await refused('not JSON')
    answer = (response) => response.end()
    await refused('not JSON')
  })

  test('is given up when the time is over', async () => {
    answer = () => {}
    await expect(fetched(AbortSignal.abort('late'))).rejects.toMatchObject({ message: `${url}: late` })
  })
})

test('A document is fetched over TLS or from loopback, without credentials in its URL', () => {
  const fetchable = [
    'https://idp.example',
    'http://localhost:1/x',
    'http://[::1]/x',
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://127.10.0.254',
  ]
  const not = [
    'http://idp.example',
    'http://128.0.0.1',
    'http://x.localhost.example',
    'http://1127.0.0.1.example',
    'ftp://localhost',
    'https://ada@idp.example',
    'https://:secret@idp.example',
    'idp.example',
    '',
  ]
  expect(fetchable.filter((url) => !isFetchable(url))).toEqual([])
  expect(not.filter(isFetchable)).toEqual([])
  expect(['127.0.0.1.example', 'x127.0.0.1', '127.0.0', '127.0.0.1.1'].filter(isLoopback)).toEqual([])
})

test('An issuer is a URL without query, fragment and spaces', () => {
  expect(['https://a.example', 'https://a.example/x/'].filter((url) => !isIssuer(url))).toEqual([])
  expect(
    ['https://a.example?x', 'https://a.example#x', 'https://a.example /x', 'http://a.example'].filter(isIssuer),
  ).toEqual([])
  expect(discoveryUrl('https://a.example')).toBe('https://a.example/.well-known/openid-configuration')
  expect(discoveryUrl('https://a.example/x/')).toBe('https://a.example/x/.well-known/openid-configuration')
})

test('The keys of an issuer are fetched from loopback only if the issuer is there too', () => {
  expect(mayKeepKeysAt('https://idp.example', 'https://keys.example/jwks')).toBe(true)
  expect(mayKeepKeysAt('http://localhost:1', 'http://127.0.0.1:2/jwks')).toBe(true)
  expect(mayKeepKeysAt('http://localhost:1', 'https://keys.example/jwks')).toBe(true)
  expect(mayKeepKeysAt('https://idp.example', 'http://127.0.0.1:2/jwks')).toBe(false)
  expect(mayKeepKeysAt('https://idp.example', 'https://[::1]/jwks')).toBe(false)
  expect(mayKeepKeysAt('http://localhost:1', 'http://keys.example/jwks')).toBe(false)
})

describe('The keys of an issuer are fetched from a literal address', () => {
  const remote = 'https://idp.example'
  const keysAt = (host: string) => `https://${host}/jwks`
  const isRefused = (host: string) =>
    !mayKeepKeysAt(remote, keysAt(host)) && !mayKeepKeysAt('http://localhost:1', keysAt(host))

  test('if it is public', () => {
    const open = ['8.8.8.8', '1.1.1.1:8443', '172.15.0.1', '172.32.0.1', '100.128.0.1', '223.255.255.255']
    const openToo = ['[2606:4700:4700::1111]', '[2a00:1450::1]:8443', '[2001:4860:4860::8888]']
    const names = ['keys.example', '10.example', 'localhost.example', 'xn--bcher-kva.example']
    expect([...open, ...openToo, ...names].filter((host) => !mayKeepKeysAt(remote, keysAt(host)))).toEqual([])
  })

  test.each([
    ['this host', ['0.0.0.0', '0.1.2.3', '[::]', '0', '0x0']],
    ['private use', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '[fd00:ec2::254]', '[fc00::1]']],
    ['providers between each other', ['100.64.0.1', '100.127.255.255']],
    ['one link', ['169.254.169.254', '169.254.170.2', '[fe80::1]', '[febf::1]']],
    ['many at once', ['224.0.0.1', '239.255.255.255', '[ff02::1]', '255.255.255.255', '240.0.0.1']],
    [
      'examples and measurements',
      ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '[2001:db8::1]', '[3fff::1]'],
    ],
    ['protocols', ['192.0.0.1', '[2001::1]', '[100::1]', '[5f00::1]']],
    [
      'another address within',
      [
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::ffff:8.8.8.8]',
        '[::127.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
      ],
    ],
    [
      'another spelling',
      ['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '10.0.0.1.', '１０.0.0.1'],
    ],
  ])('and never if it is for %s', (_, hosts) => {
    expect(hosts.filter((host) => !isRefused(host))).toEqual([])
  })

  test('and on loopback only if the issuer is there too, in whatever spelling', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '2130706433', '[::1]']) {
      expect([host, mayKeepKeysAt(remote, keysAt(host))]).toEqual([host, false])
      expect([host, mayKeepKeysAt('http://127.0.0.1:1', `http://${host}/jwks`)]).toEqual([host, true])
    }
    expect(['localhost.', 'a.localhost', 'a.localhost.'].filter((host) => !isRefused(host))).toEqual([])
  })
})
