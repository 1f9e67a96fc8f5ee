import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { firstSigningKeys, RotationTooEarly, rotated } from '@embed-access/core/sessions/rotation.ts'
import { keyInState, type SigningKeys, verificationKeysFrom } from '@embed-access/core/sessions/signing-keys.ts'
import { build } from 'esbuild'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { signer, verificationKeys } from '../../functions/runtime/tokens.ts'
import { keys as apiKeys, startOfTime, world } from '../world.ts'

const second = 1000
const hour = 3600 * second
const terms = (now: number) => ({ now, lifetimeSeconds: 86_400, inForceWithinSeconds: 0 })

/** How long a key has to be published before it signs, in milliseconds: max-age of the key set and a minute. */
const published = 360 * second

describe('a rotation under load', async () => {
  let signingKeys = await firstSigningKeys(startOfTime)
  const service = world(undefined, { signingKeys: () => signingKeys })
  const everyPrivatePart = new Set<string>()

  const rotate = async () => {
    signingKeys = await rotated(signingKeys, terms(service.now))
    for (const key of signingKeys.keys) if ('d' in key) everyPrivatePart.add(key.d)
  }

  /** A client that keeps the key set for as long as its max-age says, and asks for it at no other time. */
  class Client {
    #keySet: ReturnType<typeof createLocalJWKSet> | undefined
    #until = 0

    async verify(token: string): Promise<void> {
      if (!this.#keySet || service.now >= this.#until) {
        const { body, headers } = await service.get('/.well-known/jwks.json')
        const [, maxAge] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
        this.#until = service.now + Number(maxAge) * second
        this.#keySet = createLocalJWKSet(body as JSONWebKeySet)
      }
      await jwtVerify(token, this.#keySet, { currentDate: new Date(service.now), algorithms: ['ES256'] })
    }
  }

  async function newToken(): Promise<string> {
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

  /** Every client verifies every token, and the service itself takes each as a credential. */
  async function everyTokenHolds(fresh: readonly string[]): Promise<void> {
    for (const token of fresh) signedBy.add(decodeProtectedHeader(token).kid)
    tokens = [...tokens, ...fresh].filter((token) => (decodeJwt(token).exp as number) * second > service.now)
    // A few of those of before are enough for the service; the clients verify them all.
    const shown = [...fresh, ...tokens.slice(0, 3)]
    await Promise.all([
      ...tokens.flatMap((token) => clients.map((client) => client.verify(token))),
      ...shown.map(async (token) => {
        const reply = await service.get('/api/v1/deployments/1/dbt-sync', { authorization: `Bearer ${token}` })
        expect(reply.status).toBe(200)
      }),
    ])
  }

  const load = () => Promise.all(Array.from({ length: 6 }, newToken))

  test('fails no valid token, and every new one verifies with the key sets that clients have cached', async () => {
    // As fast as rotations are let through, with clients whose caches are of every age.
    for (let rotation = 0; rotation < 4; rotation += 1) {
      for (let step = 0; step < published; step += 45 * second) {
        const client = clients[(step / (45 * second)) % clients.length] as Client
        const token = tokens.at(-1) ?? (await newToken())
        await client.verify(token)
        await everyTokenHolds([await newToken()])
        service.now += 45 * second
      }
      const before = keyInState(signingKeys, 'active').kid
      const [fresh] = await Promise.all([load(), rotate()])
      await everyTokenHolds([...fresh, ...(await load())])
      expect(keyInState(signingKeys, 'active').kid).not.toBe(before)
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
  })

  test('leaves no private part in a published set, a log line or a table', async () => {
    const places = [(await service.get('/.well-known/jwks.json')).text, JSON.stringify(service.logged)]
    for (const TableName of Object.values(service.storage.tables)) {
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
    await expect(rotated(keys, terms(startOfTime + published - 1))).rejects.toThrow(RotationTooEarly)
    await expect(rotated(keys, terms(startOfTime + published - 1))).rejects.toThrow(
      'Rotate again from 2026-06-01T12:06:00Z on.',
    )
    await expect(rotated(keys, terms(startOfTime + published))).resolves.toBeDefined()
    const deployed = { ...terms(startOfTime + published), inForceWithinSeconds: 3600 }
    await expect(rotated(keys, deployed)).rejects.toThrow('Rotate again from 2026-06-01T13:06:00Z on.')
  })

  test('keeps a retired key until its last token has ended and a minute longer', async () => {
    const once = await rotated(await firstSigningKeys(startOfTime), terms(startOfTime + hour))
    const retired = once.keys.find(({ state }) => state === 'retired')?.kid
    const kids = async (now: number) => (await rotated(once, terms(now))).keys.map(({ kid }) => kid)
    const end = startOfTime + hour + 24 * hour + 60 * second
    expect(await kids(end - 1)).toContain(retired)
    expect(await kids(end)).not.toContain(retired)
  })

  test('does not outgrow the environment of a function', async () => {
    let keys = await firstSigningKeys(startOfTime)
    let now = startOfTime
    const rotate = async () => {
      now += published
      keys = await rotated(keys, terms(now))
    }
    for (let count = 0; count < 8; count += 1) await rotate()
    expect(Buffer.byteLength(JSON.stringify(keys))).toBeLessThan(3072)
    await expect(rotate()).rejects.toThrow(
      'Tokens of 8 retired keys are still valid, and there is no room for another key.',
    )
  })
})

describe('SIGNING_KEYS', async () => {
  const keys = await firstSigningKeys(startOfTime)
  const [active, next] = [keyInState(keys, 'active'), keyInState(keys, 'next')]
  const textOf = (...keys: SigningKeys['keys']) => JSON.stringify({ keys })

  test('give the key that signs and, without anything private, the keys that verify', async () => {
    const signed = await (await signer({ SIGNING_KEYS: textOf(next, active) })).sign({ jti: 'x' } as never)
    expect(decodeProtectedHeader(signed).kid).toBe(active.kid)
    const VERIFICATION_KEYS = verificationKeysFrom(textOf(next, active))
    const set = verificationKeys({ VERIFICATION_KEYS })
    await jwtVerify(signed, createLocalJWKSet(set))
    for (const key of set.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    }
    expect(verificationKeys({ VERIFICATION_KEYS: textOf(next, active) })).toEqual(set)
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
    for (const SIGNING_KEYS of bad) {
      const messages = [
        await Promise.resolve()
          .then(() => signer({ SIGNING_KEYS }))
          .catch((error: Error) => error.stack),
        await Promise.resolve()
          .then(() => verificationKeysFrom(SIGNING_KEYS))
          .catch((error: Error) => error.stack),
      ]
      for (const message of messages) {
        expect(message).toContain('must be a set of signing keys')
        for (const secret of [active.d, next.d, active.x, next.x]) expect(message).not.toContain(secret)
      }
    }
  })

  test('are in no bundle, though they are in the environment of the build', async () => {
    process.env.SIGNING_KEYS = textOf(next, active)
    const { outputFiles, metafile } = await build({
      entryPoints: ['functions/exchange-session.ts', 'functions/get-key-set.ts', 'functions/authorizer.ts'],
      outdir: 'nowhere',
      bundle: true,
      platform: 'node',
      format: 'esm',
      metafile: true,
      write: false,
      logLevel: 'error',
    })
    delete process.env.SIGNING_KEYS
    for (const { text } of outputFiles) {
      for (const { d } of [active, next]) expect(text).not.toContain(d)
    }
    expect(Object.keys(metafile.inputs).filter((input) => /^local\/|signing-keys\.json$/.test(input))).toEqual([])
  })
})
