import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { rotated } from '@embed-access/core/sessions/rotation.ts'
import { keyInState } from '@embed-access/core/sessions/signing-keys.ts'
import { readSigningKeys, readStoredKeys, writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { slow } from '../support/time.ts'

const second = 1000
const hour = 3600 * second

/**
 * How long a key has to be known before it signs, in milliseconds: until every function has read it, max-age of the key
 * set, and a minute.
 */
const published = 660 * second

describe('a rotation under load', () => {
  const service = world()
  const { storage } = service
  const everyPrivatePart = new Set<string>()
  let activeKey = ''

  const rotate = async () => {
    const keys = await rotated(await readSigningKeys(storage), { now: service.now, lifetimeSeconds: 86_400 })
    await writeSigningKeys(storage, keys, await readStoredKeys(storage))
    for (const key of keys.keys) if ('d' in key) everyPrivatePart.add(key.d)
    activeKey = keyInState(keys, 'active').kid
  }

  /** Instances of the service that read the keys at other times than the first. */
  const instances: { stop(): Promise<void> }[] = []
  const urls: string[] = []
  async function startAnother(): Promise<void> {
    const another = await startService({ storage, now: () => service.now, issuer: service.issuer })
    instances.push(another)
    urls.push(await another.listen())
  }
  let turn = 0
  /** The next request goes to another instance than this one. */
  const turnOver = () => Object.assign(service, { url: urls[turn++ % urls.length] })
  beforeAll(() => urls.push(service.url))
  afterAll(() => Promise.all(instances.map((instance) => instance.stop())))

  /** A client that keeps the key set for as long as its max-age says, and asks for it at no other time. */
  class Client {
    #keySet: ReturnType<typeof createLocalJWKSet> | undefined
    #until = 0

    async verify(token: string): Promise<void> {
      if (!this.#keySet || service.now >= this.#until) {
        turnOver()
        const { body, headers } = await service.get('/.well-known/jwks.json')
        const [, maxAge] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
        this.#until = service.now + Number(maxAge) * second
        this.#keySet = createLocalJWKSet(body as JSONWebKeySet)
      }
      await jwtVerify(token, this.#keySet, { currentDate: new Date(service.now), algorithms: ['ES256'] })
    }
  }

  const sessions = sessionsOf(service)
  const newToken = () => {
    turnOver()
    return sessions.newToken({ internalId: 'ada' })
  }

  const clients = Array.from({ length: 8 }, () => new Client())
  let tokens: string[] = []
  const signedBy = new Set<unknown>()

  /** Every client verifies tokens of every key, and the service itself takes each as a credential. */
  async function everyTokenHolds(fresh: readonly string[]): Promise<void> {
    for (const token of fresh) signedBy.add(decodeProtectedHeader(token).kid)
    tokens = [...tokens, ...fresh].filter((token) => (decodeJwt(token).exp as number) * second > service.now)
    // Of the earlier tokens, one of each key is enough: whether a client knows the key decides.
    const byKey = new Map(tokens.map((token) => [decodeProtectedHeader(token).kid, token]))
    const shown = [...fresh, ...byKey.values()]
    await Promise.all([
      ...shown.flatMap((token) => clients.map((client) => client.verify(token))),
      ...shown.map(async (token) => {
        const reply = await service.get('/api/v1/deployments/1/dbt-sync', bearer(token))
        expect(reply.status).toBe(200)
      }),
    ])
  }

  const load = () => Promise.all(Array.from({ length: 6 }, newToken))

  // Eight clients verify tokens of every key in ten rotations.
  test('fails no valid token, whatever clients have cached, and leaves no private part', slow, async () => {
    // As fast as rotations are let through, with clients whose caches are of every age.
    for (let rotation = 0; rotation < 4; rotation += 1) {
      for (let step = 0; step < published; step += 90 * second) {
        const client = clients[(step / (90 * second)) % clients.length] as Client
        const token = tokens.at(-1) ?? (await newToken())
        await client.verify(token)
        await everyTokenHolds([await newToken()])
        service.now += 90 * second
      }
      await startAnother()
      const before = activeKey
      const [fresh] = await Promise.all([load(), rotate()])
      await everyTokenHolds([...fresh, ...(await load())])
      expect(activeKey).not.toBe(before)
    }
    expect(signedBy.size).toBe(5)

    // Slowly, so that tokens end and with the last of them their keys.
    for (let rotation = 0; rotation < 6; rotation += 1) {
      service.now += 11 * hour
      await everyTokenHolds(await load())
      const [fresh] = await Promise.all([load(), rotate()])
      await everyTokenHolds([...fresh, ...(await load())])
    }
    expect(signedBy.size).toBe(11)
    const { body } = await service.get('/.well-known/jwks.json')
    expect(body.keys).toHaveLength(5)

    // In a published set, a line of the log, or any other item of a table.
    const places = [(await service.get('/.well-known/jwks.json')).text, JSON.stringify(service.logged)]
    const { signingKeys, ...others } = storage.tables
    const publicKeys = new GetCommand({ TableName: signingKeys, Key: { pk: 'public#keys' } })
    places.push(JSON.stringify((await storage.client.send(publicKeys)).Item))
    for (const TableName of Object.values(others)) {
      places.push(JSON.stringify((await service.storage.client.send(new ScanCommand({ TableName }))).Items))
    }
    expect(everyPrivatePart.size).toBe(11)
    for (const d of everyPrivatePart) {
      for (const place of places) expect(place).not.toContain(d)
    }
  })
})
