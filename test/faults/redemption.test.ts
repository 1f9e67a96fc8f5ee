import { beforeAll, describe, expect, inject, test } from 'vitest'
import { itemsOfEveryList } from '../operations/requests.ts'
import { keys } from '../support/service.ts'
import { type Fault, faults } from './faults.ts'
import { passTime } from './passing-time.ts'
import { randomFrom } from './random.ts'
import { type FaultyService, faultyService } from './service.ts'

const unclear = Object.values(faults).filter(({ effect }) => effect === 'lost' || effect === 'unanswered')

describe('a session', () => {
  let service: FaultyService
  beforeAll(async () => {
    service = await faultyService(inject('engineEndpoint'), itemsOfEveryList(1))
  })

  const generate = () =>
    service.send('POST', '/api/v1/embed/generate-session', { key: keys.admin, body: { deploymentId: 1 } })
  const redeem = (sessionId: string) => service.send('POST', '/api/v1/embed/session/token', { body: { sessionId } })
  const newSession = async (): Promise<string> => (await generate()).body.sessionId

  /** Does something while faults are in force, and waits for what comes late. */
  async function under<Result>(fault: () => Fault | undefined, act: () => Promise<Result>): Promise<Result> {
    const { database } = service
    Object.defineProperty(database, 'fault', { get: fault, configurable: true })
    return passTime(async () => {
      const result = await act()
      await Promise.allSettled(database.later.splice(0))
      return result
    })
  }
  const calm = () => Object.defineProperty(service.database, 'fault', { value: undefined, configurable: true })

  test('gives one token or none to many requests whose answers get lost', async () => {
    const reasons = new Map<string, number>()
    for (let seed = 0; seed < 30; seed += 1) {
      const random = randomFrom(seed)
      const sessionId = await newSession()
      service.logged.length = 0
      const choose = () => (random() < 0.4 ? unclear[Math.floor(random() * unclear.length)] : undefined)
      const replies = await under(choose, () => Promise.all(Array.from({ length: 8 }, () => redeem(sessionId))))
      calm()
      const after = await redeem(sessionId)
      const tokens = [...replies, after].filter(({ status }) => status === 200)
      expect([seed, tokens.length <= 1]).toEqual([seed, true])
      const told = replies.map(({ status, body }) => body.code ?? status)
      const lost = told.includes('answer_lost') || told.includes('database_unavailable')
      expect([seed, tokens.length === 1 || lost]).toEqual([seed, true])

      const events = service.logged.filter(({ event }) => event !== undefined)
      const answered = [...replies, after].filter(({ status }) => status === 200 || status === 401)
      expect(events).toHaveLength(answered.length)
      expect(events.filter(({ event }) => event === 'session.redeemed')).toHaveLength(tokens.length)
      const lostInAudit = events.filter(({ reason }) => reason === 'answer_lost')
      expect(lostInAudit).toHaveLength(told.filter((code) => code === 'answer_lost').length)
      for (const { reason } of events) reasons.set(String(reason), (reasons.get(String(reason)) ?? 0) + 1)
    }
    expect([...reasons.keys()]).toContain('answer_lost')
  })

  test('that was redeemed does not come back by a write of it that arrives late', async () => {
    const { database } = service
    for (const name of ['connection reset, done a second later', 'no answer, done five seconds later']) {
      Object.assign(database, { spares: 1, times: 1, struck: [] })
      const [sessionId, redeemed] = await under(
        () => faults[name],
        async () => {
          const id = (await generate()).body.sessionId as string
          return [id, (await redeem(id)).status] as const
        },
      )
      calm()
      Object.assign(database, { spares: 0, times: Number.POSITIVE_INFINITY })
      expect([database.struck.length, redeemed]).toEqual([1, 200])
      expect((await redeem(sessionId)).body.code).toBe('invalid_session')
    }
  })
})
