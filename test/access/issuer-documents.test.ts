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

describe('Keys are fetched from a host with a name', () => {
  const remote = 'https://idp.example'
  const keysAt = (host: string) => `https://${host}/jwks`
  const isRefused = (host: string) =>
    !mayKeepKeysAt(remote, keysAt(host)) && !mayKeepKeysAt('http://localhost:1', keysAt(host))

  test('also one with digits, or in another script', () => {
    const names =
      'keys.example 10.example localhost.example 1.a1 xn--bcher-kva.example bücher.example'
    expect(names.split(' ').filter(isRefused)).toEqual([])
  })

  test.each([
    '0.0.0.0 0 8.8.8.8 10.0.0.1 169.254.169.254 172.16.0.1:8443 192.168.1.1 255.255.255.255',
    '[::] [::2]:8443 [2606:4700:4700::1111] [fd00:ec2::254] [fe80::1] [::ffff:127.0.0.1]',
    '2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 10.0.0.1. １０.0.0.1',
    'a.localhost a.localhost. LOCALHOST.',
  ])('and never from an address or this machine: %s', (hosts) => {
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
