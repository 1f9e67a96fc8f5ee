import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { deploymentKey } from '@embed-access/core/access/keys.ts'
import {
  goneGraceSeconds,
  goneRevocationKey,
  revocationKey,
} from '@embed-access/core/access/revocation.ts'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { itemAt, putItem } from '../support/database.ts'
import {
  type Call,
  embeddingAccount,
  keys,
  startOfTime,
  userOf,
  without,
  world,
} from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const session = '/api/v1/embed/session'

describe('an embed token that asks about itself', () => {
  const service = world(undefined, { isInMemory: true })
  beforeEach(() => {
    service.now = startOfTime
  })

  const { newToken } = sessionsOf(service)
  const external = { externalId: 'u-1', embedTenantName: 'north', roles: ['admin'] }
  const status = async (call: Call) => (await service.get(session, call)).status

  test('learns what it says and how long it is good, whomever it is for', async () => {
    for (const request of [
      external,
      { internalId: 'ada' },
      {},
      { deploymentId: 2, externalId: 'u-2' },
    ]) {
      service.now = startOfTime
      const token = await newToken(request)
      service.now += 1500
      for (const scheme of ['Bearer', 'embed-token']) {
        const { status, body, headers } = await service.get(session, {
          authorization: `${scheme} ${token}`,
        })
        expect([status, body]).toEqual([200, { claims: decodeJwt(token), expiresIn: 86_398 }])
        expect(headers.get('cache-control')).toBe('no-store')
      }
    }
  })

  test('is told to the second that it has expired', async () => {
    const call = bearer(await newToken({ ...external, tokenLifetimeSeconds: 60 }))
    service.now += 59_999
    expect((await service.get(session, call)).body.expiresIn).toBe(0)
    service.now += 1
    expect(await status(call)).toBe(401)
  })

  test('ends with its account, deployment or internal user, also if that comes back', async () => {
    const [account, deployment, ...admin] = embeddingAccount('brief', 70)
    const user = userOf('brief', 2, 'b@brief.example', { deploymentIds: 'all' })
    await service.apply([account, deployment, ...admin, user])
    const made = async (request: object) =>
      bearer(await newToken({ deploymentId: 70, ...request }, 'sk-brief'))
    const [outside, inside] = [await made(external), await made({ internalId: 'b@brief.example' })]
    const both = async () => [await status(outside), await status(inside)]
    for (const [gone, what, expected] of [
      [user, ['user', 2], [200, 401]],
      [deployment, ['deployment', 70], [401, 401]],
      [account, ['account'], [401, 401]],
    ] as const) {
      // A change without a revision is newer than all before it.
      for (const change of [without(gone), gone]) {
        await service.apply([change])
        expect(await both()).toEqual(expected)
      }
      // Sessions that an instance still generates just after the deletion end too.
      service.now += (goneGraceSeconds + 2) * 1000
      expect(await status(await made(external))).toBe(200)
      // The table of sessions may be one from before the deletion.
      await service.apply([without(gone)])
      const { client, tables } = service.storage
      const Key = goneRevocationKey('brief', ...what)
      await client.send(new DeleteCommand({ TableName: tables.sessions, Key }))
      expect(await both()).toEqual(expected)
      await service.apply([gone])
      expect(await both()).toEqual([200, 200])
    }
  })

  test('of one account is not good by what another account has', async () => {
    const call = bearer(await newToken({ externalId: 'olga', deploymentId: 9 }, keys.otherAdmin))
    expect(await status(call)).toBe(200)
    // As if the id had gone over to another account, which no change can do.
    await putItem(service.storage, 'catalog', { ...deploymentKey(9), accountId: 'acme' })
    expect(await status(call)).toBe(401)
  })

  // test/access/forged-tokens.test.ts has all kinds of these.
  test('is refused if forged, edited or no embed token, without a look-up', async () => {
    const token = await newToken(external)
    await status(bearer(token))
    // Both functions have read the signing keys, which is no look-up of a token.
    await service.delete(session, bearer(await newToken(external)))
    service.logged.length = 0
    const credentials = [`${token}x`, token.slice(0, -4), keys.admin, 'sk-nobody', '..'].map(
      (key) => `Bearer ${key}`,
    )
    const schemes = [
      '',
      'Bearer',
      token,
      `Api-Key ${token}`,
      `Basic ${token}`,
      `Bearer ${token}, x`,
    ]
    for (const authorization of [...credentials, ...schemes]) {
      for (const ask of [service.get, service.delete]) {
        const { status, body, headers } = await ask(session, { authorization })
        const answer = [status, body.code, headers.get('www-authenticate')]
        expect([authorization, ...answer]).toEqual([
          authorization,
          401,
          'unauthenticated',
          'Bearer',
        ])
        expect(body.detail).toBe('The request lacks an embed token that is still good.')
      }
    }
    expect((await service.get(session)).status).toBe(401)
    const lines = service.logged.filter(({ invocation }) => invocation !== undefined)
    expect(lines.map(({ calls }) => calls)).toEqual(lines.map(() => 0))
    expect(service.logged.filter(({ event }) => event === 'authorization.refused')).toHaveLength(
      lines.length,
    )
    expect(JSON.stringify(service.logged)).not.toContain(token.split('.')[2])
    expect(await status(bearer(token))).toBe(200)
  })

  test('ends itself, and no other, for as long as it would have lived', async () => {
    const token = await newToken(external)
    const [own, other] = [bearer(token), bearer(await newToken(external))]
    service.logged.length = 0
    const { status: ended, text } = await service.delete(session, own)
    expect([ended, text]).toEqual([204, ''])
    expect([await status(own), await status(other)]).toEqual([401, 200])
    expect((await service.delete(session, own)).status).toBe(401)
    const { jti } = decodeJwt(token) as { jti: string }
    const Key = revocationKey('acme', jti)
    // A minute more, for a function whose clock is behind.
    const item = { ...Key, everywhere: true, expiresAt: startOfTime / 1000 + 86_400 + 60 }
    expect(await itemAt(service.storage, 'sessions', Key)).toMatchObject(item)
    expect(service.logged.find(({ event }) => event === 'session.revoked')).toMatchObject({
      jti,
      by: { accountId: 'acme', credential: { kind: 'embedToken', jti, deploymentId: 1 } },
    })
  })
})
