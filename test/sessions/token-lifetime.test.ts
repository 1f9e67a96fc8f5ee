import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { sendTo } from '../faults/in-process.ts'
import { interrupted } from '../support/database.ts'
import { keys, startOfTime, startService, world } from '../support/service.ts'
import { claimsIn, sessionsOf } from '../support/sessions.ts'

const generate = '/api/v1/embed/generate-session'
const exchange = '/api/v1/embed/session/token'

describe('the lifetime that a session asks for', () => {
  const service = world(undefined, { isInMemory: true })
  let limited: Awaited<ReturnType<typeof startService>>

  // The same tables, where tokens live for ten minutes.
  beforeAll(async () => {
    const { storage } = service
    limited = await startService({
      storage,
      now: () => service.now,
      environment: { TOKEN_LIFETIME_SECONDS: '600' },
    })
  })

  const { dryRun, newSession, redeem, ...sessions } = sessionsOf(service)
  const asking = (tokenLifetimeSeconds: unknown) => ({ internalId: 'ada', tokenLifetimeSeconds })

  test('counts from the redemption, in the token, in expiresIn and in the dry run', async () => {
    service.now = startOfTime
    const { claims, limits } = (await dryRun(asking(60))).body
    expect([claims.exp - claims.iat, limits.tokenSeconds]).toEqual([60, 86_400])
    const sessionId = await newSession(asking(60))
    service.now += 299_000
    const { token, expiresIn } = (await redeem(sessionId)).body
    const { iat, exp, ...rest } = claimsIn(token)
    expect([expiresIn, iat, exp]).toEqual([60, service.now / 1000, service.now / 1000 + 60])
    expect(rest).not.toHaveProperty('tokenLifetimeSeconds')
  })

  test('is told without the seconds for which the exchange has waited', async () => {
    service.now = startOfTime
    const sessionId = await newSession(asking(60))
    const isDelete = (command: object) => command instanceof DeleteCommand
    const storage = interrupted(service.storage, 1, isDelete, async () => {
      service.now += 4000
    })
    const slow = await startService({ storage, now: () => service.now })
    const { body } = await sendTo(slow, 'POST', exchange, { body: { sessionId } })
    expect([body.expiresIn, claimsIn(body.token).exp]).toEqual([56, startOfTime / 1000 + 60])
  })

  test('is an integer from 60 to the limit of the stage', async () => {
    for (const [wrong, message] of [
      [59, 'must be at least 60'],
      [60.5, 'must be an integer'],
      [86_401, 'must be at most 86400'],
    ] as const) {
      for (const ask of [sessions.generate, dryRun]) {
        const { status, body } = await ask(asking(wrong))
        const errors = [{ pointer: '/tokenLifetimeSeconds', message }]
        expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', errors])
        expect(body.detail).toContain(`/tokenLifetimeSeconds ${message}.`)
      }
    }
    expect((await sessions.generate(asking(86_400))).status).toBe(200)
    const body = { deploymentId: 1, tokenLifetimeSeconds: 601 }
    const refused = await sendTo(limited, 'POST', generate, { key: keys.admin, body })
    const message = 'must be at most 600, the limit of this service'
    const errors = [{ pointer: '/tokenLifetimeSeconds', message }]
    expect([refused.status, refused.body.errors]).toEqual([400, errors])
  })

  test('ends with the limit that a stage has got since the session was generated', async () => {
    for (const asked of [86_400, 300]) {
      const sessionId = await newSession(asking(asked))
      const { body } = await sendTo(limited, 'POST', exchange, { body: { sessionId } })
      expect(body.expiresIn).toBe(Math.min(asked, 600))
      expect(claimsIn(body.token).exp - claimsIn(body.token).iat).toBe(body.expiresIn)
    }
  })
})
