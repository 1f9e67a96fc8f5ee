import { beforeAll, expect, test } from 'vitest'
import {
  addressHeader,
  edge,
  edgeHash,
  edgeHashes,
  edgeHeader,
} from '../../functions/runtime/edge.ts'
import { testLog } from '../support/log.ts'
import { keys, startService, world } from '../support/service.ts'
import { listening } from '../support/temporary.ts'

const secrets = ['current-secret-of-the-edge-00000', 'former-secret-of-the-edge-000000']
const { logged, log } = testLog()
const plain = world()
// Not by `world`, which compares answers with the document: of the refusal API Gateway is the
// author.
let url = ''

beforeAll(async () => {
  const service = await listening(
    await startService({ storage: plain.storage, log, edge: secrets.map(edgeHash) }),
  )
  url = service.url
  return service.end
})
const through = (secret: string, address = '203.0.113.7') => ({
  [edgeHeader]: secret,
  [addressHeader]: address,
})

const requests = [
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/.well-known/embed-revocations'],
  ['GET', '/api/v1/spec'],
  ['GET', '/docs/errors'],
  ['GET', '/api/v1/embed/session'],
  ['POST', '/api/v1/embed/session/token'],
  ['GET', '/api/v1/deployments/1/dbt-sync'],
] as const

async function answered(method: string, path: string, headers: Record<string, string>) {
  const body = method === 'POST' ? '{"sessionId":"unknown"}' : null
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${keys.reader}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  })
  return { status: response.status, text: await response.text() }
}

test.each(requests)(
  'behind an edge, %s %s is refused without its secret, and reads nothing',
  async (method, path) => {
    for (const headers of [
      {},
      through('another-secret'),
      through(''),
      through(secrets.join(',')),
    ]) {
      logged.length = 0
      expect(await answered(method, path, headers)).toEqual({
        status: 403,
        text: '{"message":"Forbidden"}',
      })
      expect(logged).toEqual([])
    }
    for (const secret of secrets)
      expect((await answered(method, path, through(secret))).status).not.toBe(403)
  },
)

test('behind an edge, the audit has the address that the edge says', async () => {
  logged.length = 0
  await answered('POST', '/api/v1/embed/session/token', through(secrets[0] as string))
  expect(logged.filter(({ event }) => event)).toEqual([
    expect.objectContaining({ sourceIp: '203.0.113.7' }),
  ])
})

test('without an edge, nobody chooses the address in the audit', async () => {
  plain.logged.length = 0
  await plain.post('/api/v1/embed/session/token', {
    headers: through(secrets[0] as string),
    body: { sessionId: 'unknown' },
  })
  expect(plain.logged.filter(({ event }) => event)).toEqual([
    expect.objectContaining({ sourceIp: '127.0.0.1' }),
  ])
})

test('no variable means no edge, and a variable without hashes lets nobody in', async () => {
  expect(edgeHashes({})).toBeUndefined()
  expect(edgeHashes({ EDGE_SECRET_HASHES: secrets.map(edgeHash).join(',') })).toEqual(
    secrets.map(edgeHash),
  )
  for (const wrong of ['', 'secret']) {
    const { before } = edge(edgeHashes({ EDGE_SECRET_HASHES: wrong }), 'refused')
    const event = { headers: { [edgeHeader]: wrong }, requestContext: { http: { sourceIp: '' } } }
    expect(before({ event })).toBe('refused')
  }
})
