import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemAt } from '../support/database.ts'
import { startService, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { listening } from '../support/temporary.ts'
import { slow } from '../support/time.ts'
import { published, rotate } from './rotate.ts'

const second = 1000
const hour = 3600 * second

const service = world(undefined, { isInMemory: true })
const { storage } = service
const everyPrivatePart = new Set<string>()

async function rotateHere() {
  const { keys } = await rotate(service)
  for (const key of keys) if ('d' in key) everyPrivatePart.add(key.d)
}

/**
 * Instances of the service read the keys at other times than the first. The next request goes to
 * another one than this.
 */
const instances: { end(): Promise<void> }[] = []
const urls: string[] = []
async function startAnother() {
  const another = await listening(
    await startService({ storage, now: () => service.now, issuer: service.issuer }),
  )
  instances.push(another)
  urls.push(another.url)
}
let turn = 0
const turnOver = () => Object.assign(service, { url: urls[turn++ % urls.length] })
beforeAll(() => urls.push(service.url))
afterAll(() => Promise.all(instances.map((instance) => instance.end())))

type Verify = (token: string) => Promise<void>

const sessions = sessionsOf(service)
const newToken = () => {
  turnOver()
  return sessions.newToken({ internalId: 'ada' })
}
const load = () => Promise.all(Array.from({ length: 3 }, newToken))

const clients = Array.from({ length: 4 }, newClient)
const signedBy = new Set<unknown>()
let tokens: string[] = []

// Four clients verify tokens of every key in seven rotations.
test(
  'A rotation breaks no valid token for any client, and shows no private part',
  slow,
  async () => {
    // As fast as rotations are let through, with clients whose caches are of every age.
    for (let rotation = 0; rotation < 4; rotation += 1) {
      for (let step = 0; step * 120 * second < published; step += 1) {
        await (clients[step % clients.length] as Verify)(tokens.at(-1) ?? (await newToken()))
        await everyTokenHolds([await newToken()])
        service.now += 120 * second
      }
      await startAnother()
      await rotateUnderLoad()
    }
    await everyInstanceReads()
    expect(signedBy.size).toBe(5)

    // Slowly, so that tokens end and with the last of them their keys.
    for (let rotation = 0; rotation < 3; rotation += 1) {
      service.now += 11 * hour
      await everyTokenHolds(await load())
      await rotateUnderLoad()
    }
    await everyInstanceReads()
    expect(signedBy.size).toBe(8)
    const { body, text } = await service.get('/.well-known/jwks.json')
    expect(body.keys).toHaveLength(5)

    // In a published set, a line of the log, or any other item of a table.
    const { signingKeys: _, ...others } = storage.tables
    const places: unknown[] = [
      text,
      service.logged,
      await itemAt(storage, 'signingKeys', { pk: 'public#keys' }),
    ]
    for (const TableName of Object.values(others)) {
      places.push((await storage.client.send(new ScanCommand({ TableName }))).Items)
    }
    const all = JSON.stringify(places)
    expect(everyPrivatePart.size).toBe(8)
    for (const d of everyPrivatePart) expect(all).not.toContain(d)
  },
)

/**
 * A client that keeps the key set for as long as its max-age says, and asks for it at no other
 * time.
 */
function newClient(): Verify {
  let keySet: ReturnType<typeof createLocalJWKSet> | undefined
  let until = 0
  return async (token) => {
    if (!keySet || service.now >= until) {
      turnOver()
      const { body, headers } = await service.get('/.well-known/jwks.json')
      const [, maxAge] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
      until = service.now + Number(maxAge) * second
      keySet = createLocalJWKSet(body as JSONWebKeySet)
    }
    await jwtVerify(token, keySet, { currentDate: new Date(service.now), algorithms: ['ES256'] })
  }
}

/** Every client verifies tokens of every key, and the service itself takes each as a credential. */
async function everyTokenHolds(fresh: readonly string[]) {
  for (const token of fresh) signedBy.add(decodeProtectedHeader(token).kid)
  tokens = [...tokens, ...fresh].filter(
    (token) => (decodeJwt(token).exp as number) * second > service.now,
  )
  // Of the earlier tokens, one of each key is enough: whether a client knows the key decides.
  const byKey = new Map(tokens.map((token) => [decodeProtectedHeader(token).kid, token]))
  const shown = [...fresh, ...byKey.values()]
  await Promise.all([
    ...shown.flatMap((token) => clients.map((verify) => verify(token))),
    ...shown.map(async (token) => {
      expect((await service.get('/api/v1/deployments/1/dbt-sync', bearer(token))).status).toBe(200)
    }),
  ])
}

/** Passes so much time that every instance has read the keys of the last rotation. */
async function everyInstanceReads() {
  service.now += published
  await everyTokenHolds(await load())
}

async function rotateUnderLoad() {
  const [fresh] = await Promise.all([load(), rotateHere()])
  await everyTokenHolds([...fresh, ...(await load())])
}
