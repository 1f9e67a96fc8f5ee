import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { keys, startOfTime, world } from '../support/service.ts'
import { sessionsOf, tokenStatus } from '../support/sessions.ts'

describe('the exchange of a session id for an embed token', () => {
  const service = world()
  const { claims, newSession, redeem, revoke } = sessionsOf(service)

  test('gives one token to 100 simultaneous requests', async () => {
    const sessionId = await newSession()
    const replies = await Promise.all(Array.from({ length: 100 }, () => redeem(sessionId)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(99)
  })

  test('leaves no token that works if it is revoked at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const sessionId = await newSession()
      const [{ status, body }] = await Promise.all([redeem(sessionId), revoke({ sessionId })])
      if (status === 200) expect(await tokenStatus(service, body.token)).toBe(401)
      expect((await redeem(sessionId)).status).toBe(401)
    }
  })

  test('gives a token that the keys verify, with all that was captured', async () => {
    const context = {
      deploymentId: 1,
      email: 'end.user@customer.example',
      externalId: 'u-1',
      embedTenantName: 'north',
      embedTenantProfile: { displayName: 'North' },
      creatorMode: true,
      userProfile: { displayName: 'End User', picture: 'https://customer.example/u-1.png' },
      embedTheme: {
        analyticsChat: {
          backgroundColor: '#fff',
          chatInput: { backgroundColor: '#eee', borderColor: '#ddd' },
        },
        chat: { inputColor: '#000' },
        font: 'Inter',
        primaryColor: '#0a0',
      },
      groups: ['finance'],
      tenantGroups: ['editors'],
      userAttributes: [
        { name: 'city', value: 'Oslo' },
        { name: 'level', value: 3 },
        { name: 'beta', value: true },
        { name: 'regions', value: ['north', 'west'] },
        { name: 'stores', value: [1, 2] },
      ],
      roles: ['viewer'],
      branchName: 'any text ..',
      publicDashboardId: 'pd-1',
      isEphemeral: true,
      settings: { allowAi: false, showMemberNames: true, locale: 'nb-NO', timezone: 'Europe/Oslo' },
    }
    await service.apply([{ kind: 'group', data: { accountId: 'acme', name: 'finance' } }])
    const sessionId = await newSession({
      ...context,
      externalId: ' U-1 ',
      tenantGroupDefinitions: [{ name: 'editors', description: 'May edit' }],
      userAttributeDefinitions: [{ name: 'plan', defaultValue: 'basic' }],
      securityContext: { tenantId: 42, nested: { deep: [1, null, 'x'] } },
    })
    service.now = startOfTime + 10_000
    const { body, headers } = await redeem(sessionId)
    expect(body).toEqual({ token: expect.any(String), expiresIn: 86_400 })
    expect(headers.get('cache-control')).toBe('no-store')

    const keySet = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(body.token, keySet, { currentDate: new Date(service.now) })
    const seconds = startOfTime / 1000 + 10
    expect(payload).toEqual({
      iss: service.issuer,
      aud: service.issuer,
      sub: 'acme#external#north#u-1',
      iat: seconds,
      nbf: seconds,
      exp: seconds + 86_400,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      accountId: 'acme',
      mintedBy: { userId: 1, key: hashOfApiKey(keys.admin).slice(0, 12), at: seconds - 10 },
      ...context,
      userAttributes: [...context.userAttributes, { name: 'plan', value: 'basic' }],
      securityContext: {
        tenantId: 42,
        nested: { deep: [1, null, 'x'] },
        platformCloud: { groups: ['finance', 'system:tenant:north:group:editors'] },
      },
    })
    expect(decodeProtectedHeader(body.token)).toEqual({
      alg: 'ES256',
      typ: 'embed+jwt',
      kid: expect.any(String),
    })
    service.now = startOfTime
  })

  test('leaves out of the token what was left out of the request', async () => {
    const said = await claims({ externalId: null, settings: null })
    expect(said.sub).toBe(`acme#anonymous#${said.jti}`)
    expect(Object.keys(said).sort().join(' ')).toBe(
      'accountId aud deploymentId exp iat iss jti mintedBy nbf sub',
    )
  })

  test('refuses ids that are unknown, used, expired or nonsense alike', async () => {
    const used = await newSession()
    await redeem(used)
    const expired = await newSession()
    service.now += 300_000
    const nonsense = ['A'.repeat(43), '', 'x'.repeat(100_000), '\u0000', '💥']
    const replies = await Promise.all([used, expired, ...nonsense].map(redeem))
    service.now = startOfTime
    for (const { status, body, headers } of replies) {
      expect(status).toBe(401)
      expect({ ...body, requestId: '' }).toEqual({ ...replies[0]?.body, requestId: '' })
      expect(headers.get('www-authenticate')).toBe('Bearer')
      expect(headers.get('content-type')).toBe('application/problem+json')
    }
  })

  test('gives the token though the note of it never gets an answer', async () => {
    const sessionId = await newSession({ externalId: 'u-1' })
    const silent = sendingThrough(service.storage, (command, { abortSignal } = {}) =>
      command instanceof PutCommand
        ? new Promise((_, reject) =>
            abortSignal?.addEventListener('abort', () => reject(abortSignal.reason)),
          )
        : service.storage.client.send(command),
    )
    const { token } = await redeemSession(
      silent,
      sessionId,
      startOfTime,
      { issuer: service.issuer, audience: service.issuer, lifetimeSeconds: 60 },
      { sign: async ({ externalId }) => `signed for ${externalId}` },
    )
    expect(token).toBe('signed for u-1')
  })

  test('lets a session wait for five minutes and not a millisecond longer', async () => {
    const [inTime, late] = [await newSession(), await newSession()]
    service.now = startOfTime + 299_999
    expect((await redeem(inTime)).status).toBe(200)
    service.now = startOfTime + 300_000
    expect((await redeem(late)).status).toBe(401)
    service.now = startOfTime
  })

  test('keeps no session id in the table, only its hash', async () => {
    const sessionId = await newSession()
    const { Items } = await service.storage.client.send(
      new ScanCommand({ TableName: service.storage.tables.sessions }),
    )
    expect(Items?.length).toBeGreaterThan(0)
    expect(JSON.stringify(Items)).not.toContain(sessionId)
  })
})
