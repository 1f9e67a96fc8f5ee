import * as api from '@embed-access/client'
import { createClient } from '@embed-access/client'
import { expect, test } from 'vitest'

test.each(['', 'api.example.com', 'ftp://api.example.com', 'https://', '/', 'undefined'])(
  'a client refuses %j as the address of the service when it is made',
  (baseUrl) => {
    const message = `baseUrl must be the address of the service, such as https://api.example.com, not ${JSON.stringify(baseUrl)}.`
    expect(() => createClient({ baseUrl })).toThrow(new TypeError(message))
  },
)

test('an error of the network names method and address, and has the cause', async () => {
  const cause = new TypeError('fetch failed')
  const client = createClient({ baseUrl: 'https://embed.test', token: undefined, fetch: () => Promise.reject(cause) })
  const message = 'POST https://embed.test/api/v1/embed/session/token got no answer: fetch failed'
  await expect(client.redeem('a session')).rejects.toMatchObject({ message, cause })
})

test('a request that its caller aborts ends with the caller’s reason', async () => {
  const reason = new Error('the page was closed')
  const client = createClient({ baseUrl: 'https://embed.test', fetch: (request) => fetch(request) })
  const asked = client.api.GET('/api/v1/spec', { signal: AbortSignal.abort(reason) })
  await expect(asked).rejects.toBe(reason)
})

test('the package exports what its readme names, and nothing for tests', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ApiError',
    'TokenRefused',
    'createClient',
    'createVerifier',
    'serveSessions',
    'sessionFromHost',
  ])
})
