import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { firstSigningKeys, rotated } from '@embed-access/core/sessions/rotation.ts'
import { keyInState, type SigningKeys, signingKeysMaxAgeSeconds } from '@embed-access/core/sessions/signing-keys.ts'
import {
  currentSigner,
  readPublicKeys,
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/sessions/stored-keys.ts'
import { memoizedFor } from '@embed-access/core/storage/memoized-for.ts'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keys as apiKeys, startOfTime, startService, world } from '../support/service.ts'
import { slow } from '../support/time.ts'

const second = 1000
const hour = 3600 * second
const terms = (now: number) => ({ now, lifetimeSeconds: 86_400 })

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
    const keys = await rotated(await readSigningKeys(storage), terms(service.now))
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

  async function newToken(): Promise<string> {
    turnOver()
    const { body } = await service.post('/api/v1/embed/generate-session', {
      key: apiKeys.admin,
      body: { deploymentId: 1, internalId: 'ada' },
    })
    const reply = await service.post('/api/v1/embed/session/token', { body: { sessionId: body.sessionId } })
    expect(reply.status).toBe(200)
    return reply.body.token
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
        const reply = await service.get('/api/v1/deployments/1/dbt-sync', { authorization: `Bearer ${token}` })
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

describe('a set of signing keys', () => {
  test('goes next, active, retired, and forgets the private part of what is retired', async () => {
    const first = await firstSigningKeys(startOfTime)
    const second = await rotated(first, terms(startOfTime + published))
    const [active, next] = [keyInState(first, 'active'), keyInState(first, 'next')]
    const since = (startOfTime + published) / 1000
    const { d: _, ...lasting } = active
    expect(second.keys).toEqual([
      { ...next, state: 'active', since },
      expect.objectContaining({ state: 'next', since, kid: expect.stringMatching(/^[\w-]{43}$/) }),
      { ...lasting, state: 'retired', since },
    ])
  })

  test('is not rotated before clients can know the next key, to the millisecond', async () => {
    const keys = await firstSigningKeys(startOfTime)
    await expect(rotated(keys, terms(startOfTime + published - 1))).rejects.toThrow(
      'Rotate again from 2100-06-01T12:11:00Z on.',
    )
    await expect(rotated(keys, terms(startOfTime + published))).resolves.toBeDefined()
  })

  test('keeps a retired key until its last token has ended, and a minute longer', async () => {
    const once = await rotated(await firstSigningKeys(startOfTime), terms(startOfTime + hour))
    const retired = once.keys.find(({ state }) => state === 'retired')?.kid
    const kids = async (now: number) => (await rotated(once, terms(now))).keys.map(({ kid }) => kid)
    const end = startOfTime + hour + 24 * hour + 300 * second + 60 * second
    expect(await kids(end - 1)).toContain(retired)
    expect(await kids(end)).not.toContain(retired)
  })

  test('has as many retired keys as there are tokens of', async () => {
    let keys = await firstSigningKeys(startOfTime)
    let now = startOfTime
    for (let count = 0; count < 20; count += 1) {
      now += published
      keys = await rotated(keys, terms(now))
    }
    expect(keys.keys).toHaveLength(22)
  })
})

describe('stored signing keys', async () => {
  const service = world()
  const { storage } = service
  const keys = await firstSigningKeys(startOfTime)
  const [active, next] = [keyInState(keys, 'active'), keyInState(keys, 'next')]
  const textOf = (...keys: SigningKeys['keys']) => JSON.stringify({ keys })
  const store = (pk: string, text: string) =>
    storage.client.send(
      new PutCommand({ TableName: storage.tables.signingKeys, Item: { pk, keys: text, version: 'by hand' } }),
    )

  test('give the key that signs and, without anything private, the keys that verify', async () => {
    await writeSigningKeys(storage, keys, await readStoredKeys(storage))
    const signer = await currentSigner({ storage, now: () => startOfTime })()
    const signed = await signer.sign({ jti: 'x' } as never)
    expect(decodeProtectedHeader(signed).kid).toBe(active.kid)
    const set = await readPublicKeys(storage)
    await jwtVerify(signed, createLocalJWKSet(set))
    for (const key of set.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    }
    await store('public#keys', textOf(next, active))
    expect((await readPublicKeys(storage)).keys.map((key) => Object.keys(key).includes('d'))).toEqual([false, false])
  })

  test('are written by one of two who read the same, and by nobody who read none', async () => {
    const stored = await readStoredKeys(storage)
    const [first, second] = await Promise.all([firstSigningKeys(startOfTime), firstSigningKeys(startOfTime)])
    const outcomes = await Promise.allSettled([first, second].map((keys) => writeSigningKeys(storage, keys, stored)))
    const written = outcomes.findIndex(({ status }) => status === 'fulfilled')
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await readSigningKeys(storage)).toEqual([first, second][written])
    expect((await readPublicKeys(storage)).keys.map(({ kid }) => kid)).toEqual(
      [first, second][written]?.keys.map(({ kid }) => kid),
    )
    await expect(writeSigningKeys(storage, keys, undefined)).rejects.toThrow('changed the signing keys meanwhile')
    await expect(writeSigningKeys(storage, keys, stored)).rejects.toThrow('changed the signing keys meanwhile')
    expect(await readSigningKeys(storage)).toEqual([first, second][written])
  })

  test('that are not as they should be are refused without a word of them', async () => {
    const { d: _, ...halved } = active
    const bad = [
      textOf(active),
      textOf(next),
      textOf(next, active, { ...active, kid: 'other' }),
      textOf(next, { ...active, kid: next.kid }),
      textOf(next, halved as never),
      textOf(next, { ...active, d: `${active.d}x` }),
      textOf(next, active).slice(1),
      JSON.stringify([active, next]),
      JSON.stringify({ keys: [{ ...active, state: undefined }, next] }),
    ]
    for (const text of bad) {
      await store('private#keys', text)
      const message = await readSigningKeys(storage).catch((error: Error) => error.stack)
      expect(message).toContain('must be a set of signing keys')
      for (const secret of [active.d, next.d, active.x, next.x]) expect(message).not.toContain(secret)
    }
  })

  test('that cannot be read cost no session: it still waits when they can be', async () => {
    const generated = await service.post('/api/v1/embed/generate-session', {
      key: apiKeys.admin,
      body: { deploymentId: 1, externalId: 'u' },
    })
    const redeem = () => service.post('/api/v1/embed/session/token', { body: generated.body })
    await store('private#keys', 'nonsense')
    service.now += signingKeysMaxAgeSeconds * second - 60 * second
    const waiting = await redeem()
    expect(waiting.status).toBe(500)
    await writeSigningKeys(storage, keys, await readStoredKeys(storage))
    expect((await redeem()).status).toBe(200)
  })

  test('are read once, and again when they are five minutes old', async () => {
    let reads = 0
    let now = startOfTime
    const current = memoizedFor(
      async () => ++reads,
      signingKeysMaxAgeSeconds * second,
      () => now,
    )
    expect(await Promise.all([current(), current()])).toEqual([1, 1])
    now += 299_999
    expect(await current()).toBe(1)
    now += 1
    expect(await current()).toBe(2)
  })

  test('that could not be read are asked for again by the next request', async () => {
    const answers = [() => Promise.reject(new Error('down')), async () => 'up']
    const current = memoizedFor(
      async () => (answers.shift() as () => Promise<string>)(),
      1000,
      () => startOfTime,
    )
    await expect(current()).rejects.toThrow('down')
    expect(await current()).toBe('up')
  })
})
