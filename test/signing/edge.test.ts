import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { startService, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { listening } from '../support/temporary.ts'
import { published, rotate } from './rotate.ts'

const second = 1000

const service = world()
const sessions = sessionsOf(service)

async function readKeySet() {
  const { body, headers } = await service.get('/.well-known/jwks.json')
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  return body as JSONWebKeySet
}

/** Keeps the key set for five minutes. */
function kept(read: typeof readKeySet): typeof readKeySet {
  let keySet: JSONWebKeySet | undefined
  let until = 0
  return async () => {
    if (!keySet || service.now >= until) {
      keySet = await read()
      until = service.now + 300 * second
    }
    return keySet
  }
}

test('A client behind an edge knows the key that signs, however old all caches are', async () => {
  const inEdge = kept(readKeySet)
  const inClient = kept(inEdge)
  service.now += published
  await readKeySet()
  await rotate(service)
  service.now += 299 * second
  await inEdge()
  service.now += 299 * second
  await inClient()
  service.now += published - 598 * second
  await rotate(service)
  const { storage, issuer } = service
  const another = await startService({ storage, issuer, now: () => service.now })
  const instance = await listening(another)
  try {
    Object.assign(service, { url: instance.url })
    const token = await sessions.newToken({ internalId: 'ada' })
    const currentDate = new Date(service.now)
    await jwtVerify(token, createLocalJWKSet(await inClient()), { currentDate })
  } finally {
    await instance.end()
  }
})
