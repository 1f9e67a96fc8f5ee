import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../functions/http/error-codes.ts'
import { itemsOfEveryList } from '../operations/requests.ts'
import { Random } from '../simulation/random.ts'
import { sessionsOf } from '../support/sessions.ts'
import { faults } from './faults.ts'
import { faultyService } from './service.ts'

const unclear = Object.values(faults).filter(
  ({ effect }) => effect === 'lost' || effect === 'unanswered',
)

describe('a session', () => {
  let service: Awaited<ReturnType<typeof faultyService>>
  beforeAll(async () => {
    service = await faultyService(itemsOfEveryList(1))
  })

  const { newSession, redeem } = sessionsOf({ post: (...request) => service.post(...request) })

  test('gives one token or none to many requests whose answers get lost', async () => {
    const reasons = new Map<string, number>()
    let lostBesideToken = 0
    for (let seed = 0; seed < 30; seed += 1) {
      const random = new Random(seed)
      const sessionId = await newSession()
      service.logged.length = 0
      const fault = () => (random.chance(0.4) ? random.pick(unclear) : undefined)
      const all = () => Promise.all(Array.from({ length: 8 }, () => redeem(sessionId)))
      const { result: replies } = await service.under({ fault, caller: 'the function' }, all)
      const after = await redeem(sessionId)
      const tokens = [...replies, after].filter(({ status }) => status === 200)
      expect([seed, tokens.length <= 1]).toEqual([seed, true])
      const told = replies.map(({ status, body }) => body.code ?? status)
      const lost = told.filter((code) => code === 'answer_lost' || code === 'database_unavailable')
      expect([seed, tokens.length === 1 || lost.length > 0]).toEqual([seed, true])

      if (told.includes('answer_lost')) lostBesideToken += tokens.length

      const events = service.logged.filter(({ event }) => event !== undefined)
      expect(events).toHaveLength(replies.length + 1)
      expect(events.filter(({ event }) => event === 'session.redeemed')).toHaveLength(tokens.length)
      const lostInAudit = events.filter(({ reason }) => reason === 'answer_lost')
      expect(lostInAudit).toHaveLength(lost.length)
      for (const { reason } of events)
        reasons.set(String(reason), (reasons.get(String(reason)) ?? 0) + 1)
    }
    expect([...reasons.keys()]).toContain('answer_lost')
    // So the error must not say that nobody has a token.
    expect(lostBesideToken).toBeGreaterThan(0)
    expect(errorCodes.answer_lost.cause).toContain('another request may have redeemed')
  })

  test('that was redeemed does not come back by a write of it that arrives late', async () => {
    for (const name of [
      'connection reset, done a second later',
      'no answer, done five seconds later',
    ]) {
      const trouble = {
        fault: () => faults[name],
        caller: 'the function',
        spares: 1,
        times: 1,
      } as const
      const { result, struck } = await service.under(trouble, async () => {
        const sessionId = await newSession()
        return { sessionId, status: (await redeem(sessionId)).status }
      })
      expect([struck.length, result.status]).toEqual([1, 200])
      expect((await redeem(result.sessionId)).body.code).toBe('invalid_session')
    }
  })
})
