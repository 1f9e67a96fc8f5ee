import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { firstSigningKeys, rotated } from '@embed-access/core/signing/rotation.ts'
import {
  keyInState,
  type SigningKeys,
  signingKeysMaxAgeSeconds,
} from '@embed-access/core/signing/signing-keys.ts'
import {
  currentPublicKeys,
  currentSigner,
  readPublicKeys,
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/signing/stored-keys.ts'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { newTables, putItem, sentBy } from '../support/database.ts'
import { startOfTime, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { published } from './rotate.ts'

const hour = 3_600_000
const first = await firstSigningKeys(startOfTime)
const [active, next] = [keyInState(first, 'active'), keyInState(first, 'next')]

describe('a set of signing keys', () => {
  test('begins with one key that signs and another that is next, at a full second', async () => {
    const { keys } = await firstSigningKeys(startOfTime + 1)
    const since = startOfTime / 1000 + 1
    expect(keys.map(({ state, since }) => [state, since])).toEqual([
      ['active', since],
      ['next', since],
    ])
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2)
  })

  test('goes next, active, retired, and forgets the private part of what is retired', async () => {
    const since = (startOfTime + published) / 1000
    const { d: _, ...lasting } = active
    expect((await rotated(first, startOfTime + published)).keys).toEqual([
      { ...next, state: 'active', since },
      expect.objectContaining({ state: 'next', since, kid: expect.stringMatching(/^[\w-]{43}$/) }),
      { ...lasting, state: 'retired', since },
    ])
  })

  test('is not rotated before clients can know the next key, to the millisecond', async () => {
    await expect(rotated(first, startOfTime + published - 1)).rejects.toMatchObject({
      message:
        'The next key was published at 2100-06-01T12:00:00Z, and clients may still use a ' +
        'key set without it. ' +
        'Rotate again from 2100-06-01T12:16:00Z on.',
    })
    await expect(rotated(first, startOfTime + published)).resolves.toBeDefined()
  })

  test('keeps a retired key until its last token has ended, and a minute longer', async () => {
    const once = await rotated(first, startOfTime + hour)
    const kids = async (now: number) => (await rotated(once, now)).keys.map(({ kid }) => kid)
    const end = startOfTime + 25 * hour + signingKeysMaxAgeSeconds * 1000 + 60_000
    expect(await kids(end - 1)).toContain(active.kid)
    expect(await kids(end)).not.toContain(active.kid)
  })
})

describe('stored signing keys', () => {
  const service = world()
  const { storage } = service
  const { newSession, redeem } = sessionsOf(service)
  const textOf = (...keys: readonly object[]) => JSON.stringify({ keys })
  const store = (pk: string, text: string) =>
    putItem(storage, 'signingKeys', { pk, keys: text, version: 'by hand' })
  const write = async (keys: SigningKeys) =>
    writeSigningKeys(storage, keys, await readStoredKeys(storage))

  test('are asked for where there are none', async () => {
    const empty = await newTables()
    const none = 'If there were some, restore their table. In a new stage, make keys with: npx'
    await expect(readSigningKeys(empty)).rejects.toThrow(none)
    await expect(readPublicKeys(empty)).rejects.toThrow(none)
  })

  test('give the key that signs and, without anything private, the keys that verify', async () => {
    await write(await rotated(first, startOfTime + published))
    const signer = await currentSigner({ storage, now: () => startOfTime })()
    const signed = await signer.sign({ jti: 'x' } as never)
    expect(decodeProtectedHeader(signed).kid).toBe(next.kid)
    const set = await readPublicKeys(storage)
    await jwtVerify(signed, createLocalJWKSet(set))
    expect(set.keys).toHaveLength(3)
    await store('public#keys', textOf(next, active))
    for (const key of [...set.keys, ...(await readPublicKeys(storage)).keys]) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    }
  })

  test('are written by one of two who read the same, and by nobody who read none', async () => {
    const stored = await readStoredKeys(storage)
    const both = await Promise.all([firstSigningKeys(startOfTime), firstSigningKeys(startOfTime)])
    const outcomes = await Promise.allSettled(
      both.map((keys) => writeSigningKeys(storage, keys, stored)),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const written = both[outcomes.findIndex(({ status }) => status === 'fulfilled')]
    for (const expected of [undefined, stored]) {
      await expect(writeSigningKeys(storage, first, expected)).rejects.toThrow(
        'changed the signing keys meanwhile',
      )
    }
    expect(await readSigningKeys(storage)).toEqual(written)
    expect((await readPublicKeys(storage)).keys.map(({ kid }) => kid)).toEqual(
      written?.keys.map(({ kid }) => kid),
    )
  })

  test('are not said to have changed if the database refuses them otherwise', async () => {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'AccessDenied' }]
    const error = new TransactionCanceledException({
      message: 'no',
      $metadata: {},
      CancellationReasons,
    })
    const denying = sentBy(storage, () => Promise.reject(error))
    await expect(writeSigningKeys(denying, first, undefined)).rejects.toBe(error)
  })

  test('are refused in one sentence without a word of them, whatever is wrong', async () => {
    const unusable = 'The stored signing keys are not usable: the text '
    const ours =
      `${unusable}must be a set of signing keys as \`npx embed-access keys\` makes it: ` +
      'one next, one active, any others retired, each with its kid and since.'
    const theirs = `${unusable}must be a JSON Web Key Set of ES256 keys, each with its kid.`
    const { d: _, ...halved } = active
    const wrongInBoth = [
      'text',
      textOf(next, active).slice(1),
      JSON.stringify([active, next]),
      '{}',
      textOf(),
      ...[{ kid: '' }, { x: `${next.x}x` }, { y: 'x' }, { crv: 'P-384' }, { kty: 'RSA' }].map(
        (part) => textOf(active, { ...next, ...part }),
      ),
    ]
    const wrongInOurs = [
      textOf(active),
      textOf(next),
      textOf(active, active),
      textOf(active, next, next),
      textOf(next, active, { ...active, kid: 'other' }),
      textOf(next, { ...active, kid: next.kid }),
      textOf(next, halved),
      textOf(next, { ...active, d: `${active.d}x` }),
      textOf(active, { ...next, state: 'other' }),
      textOf(active, { ...next, state: undefined }),
      textOf(active, { ...next, since: 1.5 }),
    ]
    for (const text of [...wrongInBoth, ...wrongInOurs]) {
      await store('private#keys', text)
      const error = await readSigningKeys(storage).catch((error: Error) => error)
      expect([text, (error as Error).message]).toEqual([text, ours])
      for (const secret of [active.d, next.d, active.x, next.x])
        expect((error as Error).stack).not.toContain(secret)
    }
    for (const text of wrongInBoth) {
      await store('public#keys', text)
      await expect(readPublicKeys(storage)).rejects.toThrow(theirs)
    }
    await write(first)
  })

  test('that cannot be read cost no session: it still waits when they can be', async () => {
    const sessionId = await newSession({ externalId: 'u' })
    await store('private#keys', 'nonsense')
    service.now += signingKeysMaxAgeSeconds * 1000 - 60_000
    expect((await redeem(sessionId)).status).toBe(500)
    await write(first)
    expect((await redeem(sessionId)).status).toBe(200)
    service.now = startOfTime
  })

  test.each([
    ['sign', currentSigner],
    ['verify', currentPublicKeys],
  ])('that %s are used for five minutes, and read again then', async (_, current) => {
    let [reads, now] = [0, startOfTime]
    const counting = sentBy(storage, (command, on) => {
      reads += 1
      return on(command)
    })
    const read = current({ storage: counting, now: () => now })
    await Promise.all([read(), read()])
    now += 299_999
    await read()
    expect(reads).toBe(1)
    now += 1
    await read()
    expect(reads).toBe(2)
  })
})
