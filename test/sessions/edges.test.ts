import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { minterRevocationsKey } from '@embed-access/core/access/revocation.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { prepareSession } from '@embed-access/core/sessions/prepare.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { revokeMinted, revokeSession } from '@embed-access/core/sessions/revoke.ts'
import { firstSigningKeys, rotated } from '@embed-access/core/sessions/rotation.ts'
import { sessionKey, tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { keyInState } from '@embed-access/core/sessions/signing-keys.ts'
import {
  currentPublicKeys,
  currentSigner,
  readPublicKeys,
  readSigningKeys,
  writeSigningKeys,
} from '@embed-access/core/sessions/stored-keys.ts'
import { embedTokenBytes } from '@embed-access/core/sessions/token.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { key } from '@embed-access/core/storage/keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { cancelling, connectToEngine, refusing, sentBy, throttled } from '../support/database.ts'
import { admin, keys, people, put, startOfTime, world } from '../support/service.ts'

const exchange = '/api/v1/embed/session/token'
const twin = { accountId: 'acme', roles: [], deploymentIds: [1] }

describe('a session', () => {
  const service = world([
    ...people,
    put('user', { ...twin, id: 80, email: 'twin@acme.example' }),
    put('user', { ...twin, id: 81, email: 'two@acme.example', username: 'twin@acme.example' }),
    put('apiKey', { accountId: 'acme', userId: 80, name: 'x', tokenHash: hashOfApiKey('sk-twin') }),
  ])
  const limits = { issuer: 'https://embed.test', audience: 'https://embed.test', lifetimeSeconds: 60 }
  const recent = recentLookups(() => service.now)

  async function newSession(request: object = {}): Promise<string> {
    const body = { deploymentId: 1, ...request }
    return (await service.post('/api/v1/embed/generate-session', { key: keys.admin, body })).body.sessionId
  }
  const redeem = (sessionId: string) => service.post(exchange, { body: { sessionId } })
  const eventsOf = (sessionId: string) =>
    service.logged.filter(({ jti }) => jti === tokenIdOf(sessionId)).map(({ event, reason }) => [event, reason])

  test('is stored and taken in three attempts, with longer and longer pauses', async () => {
    const id = await newSession()
    const signer = await currentSigner({ storage: service.storage, now: () => service.now })()
    const failing = (name: string) =>
      refusing(service.storage, name, (command) => command instanceof PutCommand || command instanceof DeleteCommand)
    const work = {
      take: (on: Storage) => redeemSession(on, id, service.now, limits, signer),
      store: (on: Storage) =>
        generateSession(on, admin, { deploymentId: 1 }, service.now, { ...limits, maxTokenBytes: 7168 }, recent),
    }
    const due = { take: [200, 400], store: [200, 20, 400, 40] }
    for (const what of ['take', 'store'] as const) {
      const { storage, pauses } = failing('ThrottlingException')
      await expect(work[what](storage)).rejects.toThrow('ThrottlingException')
      expect(pauses).toEqual(due[what])
      const denied = failing('AccessDeniedException')
      await expect(work[what](denied.storage)).rejects.toThrow('AccessDeniedException')
      expect(denied.pauses).toEqual([])
    }
    expect((await redeem(id)).status).toBe(200)
  })

  test('is revoked by a credential of very many deployments, if it is in one of them', async () => {
    const scope = (first: number) => Array.from({ length: 250 }, (_, index) => first + index)
    const revoke = (id: string, deploymentIds: readonly number[]) =>
      revokeSession(service.storage, { accountId: 'acme', deploymentIds }, id, service.now)
    for (const first of [1, -100, -200, -248]) {
      const id = await newSession()
      await revoke(id, scope(first))
      expect([first, (await redeem(id)).status]).toEqual([first, 401])
    }
    for (const first of [2, -249]) {
      const id = await newSession()
      await revoke(id, scope(first))
      expect([first, (await redeem(id)).status]).toEqual([first, 200])
    }
  })

  test('is left alone by a credential of no deployment', async () => {
    const id = await newSession()
    await revokeSession(service.storage, { accountId: 'acme', deploymentIds: [] }, id, service.now)
    expect((await redeem(id)).status).toBe(200)
  })

  test('is not said to be revoked where the database did not delete it', async () => {
    const id = await newSession()
    const isDelete = (command: object) => command instanceof DeleteCommand
    const storage = sentBy(service.storage, (command, on) =>
      isDelete(command) ? Promise.reject(new Error('no')) : on(command),
    )
    await expect(revokeSession(storage, { accountId: 'acme', deploymentIds: 'all' }, id, service.now)).rejects.toThrow(
      'no',
    )
  })

  test('is refused, with all of its maker, for as long as any token may live', async () => {
    await revokeMinted(service.storage, 'acme', { userId: 1 }, 30, startOfTime + 1)
    const get = { TableName: service.storage.tables.sessions, Key: minterRevocationsKey('acme') }
    const { Item } = await service.storage.client.send(new GetCommand(get))
    const now = startOfTime / 1000
    expect(Item).toMatchObject({ 'user#1': now + 30, expiresAt: now + 1 + 300 + 86_400 + 30 + 60 })
  })

  test('is redeemed after waits that grow, where the database throttles', async () => {
    const id = await newSession()
    let refusals = 2
    const { storage, pauses } = throttled(service.storage, () => refusals-- > 0)
    const issuance = { ...limits, lifetimeSeconds: 60 }
    const signer = await currentSigner({ storage: service.storage, now: () => service.now })()
    expect(await redeemSession(storage, id, service.now, issuance, signer)).toMatchObject({ token: expect.any(String) })
    expect(pauses).toEqual([200, 400])
  })

  test('that was redeemed is still told as redeemed after it is revoked', async () => {
    const id = await newSession()
    expect((await redeem(id)).status).toBe(200)
    await service.post('/api/v1/embed/session/revoke', { key: keys.admin, body: { sessionId: id } })
    service.logged.length = 0
    await redeem(id)
    expect(eventsOf(id)).toEqual([['session.replayed', 'redeemed']])
  })

  test('waits for five minutes in the table too', async () => {
    const id = await newSession()
    const get = { TableName: service.storage.tables.sessions, Key: sessionKey(id) }
    const { Item } = await service.storage.client.send(new GetCommand(get))
    expect(Item).toMatchObject({ accountId: 'acme', deploymentId: 1, expiresAt: startOfTime / 1000 + 300 })
  })

  test('is told as redeemed for a day', async () => {
    const id = await newSession()
    await redeem(id)
    const { Item } = await service.storage.client.send(
      new GetCommand({ TableName: service.storage.tables.sessions, Key: { pk: key('end', tokenIdOf(id)) } }),
    )
    expect(Item).toMatchObject({ end: 'redeemed', expiresAt: startOfTime / 1000 + 86_400 })
  })

  test('of an internal user has no defaults of attributes', async () => {
    await newSession({ embedTenantName: 'defaults', userAttributeDefinitions: [{ name: 'a', defaultValue: 'x' }] })
    const claimsOf = async (more: object) =>
      (
        await service.post('/api/v1/embed/generate-session?dryRun=true', {
          key: keys.admin,
          body: { deploymentId: 1, embedTenantName: 'defaults', ...more },
        })
      ).body.claims
    expect((await claimsOf({})).userAttributes).toEqual([{ name: 'a', value: 'x' }])
    expect(await claimsOf({ internalId: 'ada' })).not.toHaveProperty('userAttributes')
  })

  test('has a subject that says whom it is for: a user, an end user or nobody', async () => {
    const subjectOf = async (more: object) =>
      (
        await service.post('/api/v1/embed/generate-session?dryRun=true', {
          key: keys.admin,
          body: { deploymentId: 1, ...more },
        })
      ).body.claims
    expect((await subjectOf({ internalId: 'ada' })).sub).toBe('acme#user#1')
    expect((await subjectOf({ externalId: 'U', embedTenantName: 'north' })).sub).toBe('acme#external#north#u')
    expect((await subjectOf({ externalId: 'u' })).sub).toBe('acme#external##u')
    const { sub, jti } = await subjectOf({})
    expect(sub).toBe(`acme#anonymous#${jti}`)
  })

  test('for one of two users of the same name is refused, to one of them too', async () => {
    const { status, body } = await service.post('/api/v1/embed/generate-session', {
      key: 'sk-twin',
      body: { deploymentId: 1, internalId: 'twin@acme.example' },
    })
    expect([status, body.code]).toEqual([403, 'internal_id_forbidden'])
  })

  test('whose token is as large as it may be is made, and none that is larger by a byte', async () => {
    const request = { deploymentId: 1, externalId: 'u' }
    const made = (maxTokenBytes: number) =>
      prepareSession(service.storage, admin, request, service.now, { ...limits, maxTokenBytes }, recent)
    const { tokenBytes, claims } = await made(7168)
    expect(tokenBytes).toBe(embedTokenBytes(claims))
    expect((await made(tokenBytes)).tokenBytes).toBe(tokenBytes)
    await expect(made(tokenBytes - 1)).rejects.toMatchObject({ code: 'context_too_large' })
  })

  const defining = (name: string) => ({ deploymentId: 1, userAttributeDefinitions: [{ name }] })
  const made = ({ storage }: ReturnType<typeof cancelling>, name: string) =>
    generateSession(storage, admin, defining(name), service.now, { ...limits, maxTokenBytes: 7168 }, recent)

  test.each(['ConditionalCheckFailed', 'TransactionConflict', 'ValidationError'])(
    'that loses a race (%s) is tried again, each time after a longer wait',
    async (code) => {
      const losing = cancelling(service.storage, 9, 'None', code)
      await made(losing, `lost-${code}`)
      expect(losing.pauses).toEqual([20, 40, 80, 160, 320, 640, 800, 800, 800])
    },
  )

  test('that loses a race is tried again also where the other actions have no reason', async () => {
    const losing = cancelling(service.storage, 1, undefined, 'TransactionConflict')
    await made(losing, 'unnamed')
    expect(losing.pauses).toEqual([20])
  })

  test('whose transaction is cancelled for another reason is not tried again', async () => {
    const refused = cancelling(service.storage, 1, 'None', 'AccessDenied')
    await expect(made(refused, 'denied')).rejects.toMatchObject({ name: 'TransactionCanceledException' })
    expect(refused.pauses).toEqual([])
  })
})

describe('signing keys', () => {
  test('say what is wrong where there are none, or they are rotated too early', async () => {
    const storage = connectToEngine()
    await createTables(storage)
    const none = 'There are no signing keys. Make them with: npm run keys -- init'
    await expect(readSigningKeys(storage)).rejects.toThrow(none)
    await expect(readPublicKeys(storage)).rejects.toThrow(none)
    const first = await firstSigningKeys(startOfTime)
    await writeSigningKeys(storage, first, undefined)
    await expect(writeSigningKeys(storage, first, undefined)).rejects.toMatchObject({
      message: 'Somebody else has changed the signing keys meanwhile. Nothing is written.',
    })
    const early = rotated(first, { now: startOfTime, lifetimeSeconds: 60 })
    await expect(early).rejects.toMatchObject({
      message:
        'The next key was published at 2100-06-01T12:00:00Z, and clients may still use a key set without it. ' +
        'Rotate again from 2100-06-01T12:11:00Z on.',
    })
  })

  test('are not said to have changed where the database refuses them for another reason', async () => {
    const storage = connectToEngine()
    await createTables(storage)
    const CancellationReasons = [{ Code: 'None' }, { Code: 'AccessDenied' }]
    const error = new TransactionCanceledException({ message: 'no', $metadata: {}, CancellationReasons })
    const denying = sentBy(storage, () => Promise.reject(error))
    await expect(writeSigningKeys(denying, await firstSigningKeys(startOfTime), undefined)).rejects.toBe(error)
  })

  test('are used for five minutes, and read again then, also where one is retired', async () => {
    const storage = connectToEngine()
    await createTables(storage)
    const first = await firstSigningKeys(startOfTime)
    const keys = await rotated(first, { now: startOfTime + 660_000, lifetimeSeconds: 60 })
    await writeSigningKeys(storage, keys, undefined)
    expect(await readSigningKeys(storage)).toEqual(keys)
    let reads = 0
    const counting = sentBy(storage, (command, on) => {
      reads += 1
      return on(command)
    })
    let now = startOfTime
    for (const read of [currentSigner, currentPublicKeys].map((current) =>
      current({ storage: counting, now: () => now }),
    )) {
      now = startOfTime
      reads = 0
      await read()
      now += 299_999
      await read()
      expect(reads).toBe(1)
      now += 1
      await read()
      expect(reads).toBe(2)
    }
  })

  test('are refused in one sentence, whatever is wrong with them', async () => {
    const storage = connectToEngine()
    await createTables(storage)
    const { keys } = await firstSigningKeys(startOfTime)
    const [active, next] = keys
    const ours =
      'The stored signing keys are not usable: the text must be a set of signing keys as `npm run keys` makes it: ' +
      'one next, one active, any others retired, each with its kid and since.'
    const wrong = [
      'text',
      '{}',
      '{"keys":[]}',
      JSON.stringify({ keys: [active] }),
      JSON.stringify({ keys: [active, active] }),
      JSON.stringify({ keys: [active, next, next] }),
      JSON.stringify({ keys: [active, { ...next, state: 'other' }] }),
      JSON.stringify({ keys: [active, { ...next, since: 1.5 }] }),
      JSON.stringify({ keys: [active, { ...next, kid: '' }] }),
      JSON.stringify({ keys: [active, { ...next, x: `${next?.x}x` }] }),
      JSON.stringify({ keys: [active, { ...next, y: 'x' }] }),
      JSON.stringify({ keys: [active, { ...next, crv: 'P-384' }] }),
      JSON.stringify({ keys: [active, { ...next, kty: 'RSA' }] }),
    ]
    for (const text of wrong) {
      for (const pk of ['private#keys', 'public#keys']) {
        const Item = { pk, version: 'v', keys: text }
        await storage.client.send(new PutCommand({ TableName: storage.tables.signingKeys, Item }))
      }
      await expect(readSigningKeys(storage)).rejects.toThrow(ours)
    }
    const theirs = 'must be a JSON Web Key Set of ES256 keys, each with its kid.'
    for (const text of [...wrong.slice(0, 3), ...wrong.slice(8)]) {
      const Item = { pk: 'public#keys', version: 'v', keys: text }
      await storage.client.send(new PutCommand({ TableName: storage.tables.signingKeys, Item }))
      await expect(readPublicKeys(storage)).rejects.toThrow(
        `The stored signing keys are not usable: the text ${theirs}`,
      )
    }
  })

  test('have one key that signs, whose state began with the second that ended', async () => {
    const keys = await firstSigningKeys(startOfTime + 1)
    expect(keys.keys.map(({ state, since }) => [state, since])).toEqual([
      ['active', startOfTime / 1000 + 1],
      ['next', startOfTime / 1000 + 1],
    ])
    expect(keyInState(keys, 'next').kid).not.toBe(keyInState(keys, 'active').kid)
  })
})
