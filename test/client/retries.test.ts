import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { clientIn } from '../../client/client.ts'
import { type RedeemOptions, redeemIn } from '../../client/redeem.ts'
import { realTime } from '../../client/time.ts'
import { errorCodes } from '../../functions/http/error-codes.ts'

type Answer = () => Response
const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer => {
  const type = { 'content-type': 'application/problem+json' }
  return () => Response.json({ code, message: 'no' }, { status, headers: { ...type, ...headers } })
}
const busy = (wait?: string) =>
  problem(503, 'database_unavailable', wait ? { 'retry-after': wait } : {})
const ok = (body: unknown) => () => Response.json(body)
const failures: Readonly<Record<string, Answer>> = {
  'a network error': () => {
    throw new TypeError('fetch failed')
  },
  '429': problem(429, 'throttled'),
  '503': busy('1'),
  'API Gateway’s own 500': () =>
    Response.json({ message: 'Internal Server Error' }, { status: 500 }),
  'an answer that breaks off': () =>
    new Response(
      new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }),
    ),
}

/**
 * A client of a service that gives these answers, one after the other, with the bodies sent and how
 * long it waited.
 */
function clientOf(...answers: Answer[]) {
  const sent: string[] = []
  const waits: number[] = []
  const time = { ...realTime, pause: async (milliseconds: number) => void waits.push(milliseconds) }
  const service = {
    baseUrl: 'https://embed.test',
    async fetch(request: Request) {
      sent.push(await request.text())
      return (answers.shift() as Answer)()
    },
  }
  const client = clientIn(time, { ...service, token: 'sk-1' })
  const redeem = (options: Partial<RedeemOptions> = {}) =>
    redeemIn(time, { ...service, sessionId: 'first', ...options })
  return { client, redeem, sent, waits }
}

const session = { deploymentId: 1 }

test.each(Object.entries(failures))(
  'a request is sent four times and no more after %s',
  async (_, answer) => {
    const { client, sent } = clientOf(answer, answer, answer, ok({ sessionId: 's' }))
    expect(await client.generateSession(session)).toEqual({ sessionId: 's' })
    expect(sent).toEqual(Array(4).fill(JSON.stringify(session)))
    const failing = clientOf(...Array(5).fill(answer))
    await expect(failing.client.revokeSession({ sessionId: 's' })).rejects.toThrow()
    expect(failing.sent).toHaveLength(4)
  },
)

test.each(Object.entries(errorCodes))(
  'a request is sent again after %s only if the answer says when',
  async (code, { status, retryAfter, remedy }) => {
    expect(remedy.startsWith('Try again')).toBe(retryAfter !== undefined)
    const headers = retryAfter === undefined ? undefined : { 'retry-after': '1' }
    const { client, sent } = clientOf(...Array(4).fill(problem(status, code, headers)))
    await expect(client.generateSession(session)).rejects.toMatchObject({ code })
    expect(sent).toHaveLength(retryAfter === undefined ? 1 : 4)
  },
)

describe('the documentation', () => {
  const ofClient = readFileSync('client/README.md', 'utf8')
  const [, page = ''] = readFileSync('docs/api.md', 'utf8').split('## What to send again')
  const rows = [...page.matchAll(/^\| ((?!---|answer).+?) \| (.+?) \|/gm)].map(
    ([, ...cells]) => cells,
  )
  afterEach(() => vi.restoreAllMocks())

  test('says what the client sends again', async () => {
    const statuses = rows.flatMap(([answer = '', advice = '']) => {
      const withCode = answer.replace(/API Gateway's own 500.*?,/, '').matchAll(/\b[45]\d\d\b/g)
      return [...withCode].map(
        ([status]) => [Number(status), advice.startsWith('yes') ? 4 : 1] as const,
      )
    })
    expect(statuses.map(([status]) => status)).toEqual([
      400, 403, 404, 413, 415, 401, 500, 429, 503,
    ])
    const ofCodes = Object.values(errorCodes).map(({ status }) => status)
    expect(statuses.map(([status]) => status)).toEqual(expect.arrayContaining(ofCodes))
    for (const [status, times] of statuses) {
      const { client, sent } = clientOf(...Array(4).fill(problem(status, 'any')))
      await expect(client.generateSession(session)).rejects.toMatchObject({ status })
      expect([status, sent.length]).toEqual([status, times])
    }
    expect(
      rows.find(([answer]) =>
        answer?.endsWith("API Gateway's own 500 (without a `code`), no answer"),
      )?.[1],
    ).toBe('yes, after a pause')
  })

  test.each([
    ['least', 0],
    ['most', 1],
  ])('says how long the client pauses at %s', async (_, random) => {
    const expected = [...ofClient.matchAll(/(\d+) to\s(\d+) ms/g)].map((pause) =>
      Number(pause[1 + random]),
    )
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const { client, waits } = clientOf(...Array(4).fill(busy()))
    await expect(client.generateSession(session)).rejects.toMatchObject({ status: 503 })
    expect(waits).toEqual(expected)
  })

  test('says which Retry-After the client still waits for', async () => {
    const longest = Number(/If it is more than\s(\d+) seconds/.exec(ofClient)?.[1])
    const asking = (seconds: number) => clientOf(busy(`${seconds}`), ok({ sessionId: 's' }))
    const patient = asking(longest)
    await patient.client.generateSession(session)
    expect(patient.waits[0]).toBeGreaterThanOrEqual(longest * 1000)
    const impatient = asking(longest + 1)
    const refused = { retryAfterSeconds: longest + 1 }
    await expect(impatient.client.generateSession(session)).rejects.toMatchObject(refused)
    expect([impatient.sent.length, impatient.waits]).toEqual([1, []])
  })
})

test.each([
  ['30', 30],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:27:00 GMT', undefined],
  ['1.5 hours', undefined],
  ['', undefined],
])('Retry-After %j means %j seconds', async (retryAfter, retryAfterSeconds) => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-10-21T07:28:00Z'))
  const { client } = clientOf(problem(400, 'any', { 'retry-after': retryAfter }))
  await expect(client.generateSession(session)).rejects.toMatchObject({ retryAfterSeconds })
  now.mockRestore()
})

describe('the exchange of a session', () => {
  const token = ok({ token: 't', expiresIn: 60 })
  const lost = { ...failures, answer_lost: problem(401, 'answer_lost') }

  test.each(Object.entries(lost))(
    'is not sent again after %s: another session is, if there is one',
    async (_, answer) => {
      const { redeem, sent } = clientOf(answer, token)
      const held = await redeem({ newSession: async () => 'second' })
      expect(await held.token()).toBe('t')
      expect(sent.map((body) => JSON.parse(body).sessionId)).toEqual(['first', 'second'])
      const alone = clientOf(answer)
      await expect(alone.redeem()).rejects.toThrow()
      expect(alone.sent).toHaveLength(1)
    },
  )

  test('waits for Retry-After, but for no longer than a request that is sent again', async () => {
    const newSession = async () => 'second'
    const patient = clientOf(busy('10'), token)
    await patient.redeem({ newSession })
    expect(patient.waits).toEqual([10_000])
    const impatient = clientOf(busy('11'), token)
    const refused = impatient.redeem({ newSession })
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 11 })
    expect(impatient.waits).toEqual([])
  })

  test('asks for one other session at most, and none where this one is refused', async () => {
    const newSession = vi.fn(async () => 'second')
    const code = 'invalid_session'
    const refused = clientOf(problem(401, code)).redeem({ newSession })
    await expect(refused).rejects.toMatchObject({ code })
    expect(newSession).not.toHaveBeenCalled()
    const failing = clientOf(busy(), busy()).redeem({ newSession })
    await expect(failing).rejects.toMatchObject({ status: 503 })
    expect(newSession).toHaveBeenCalledTimes(1)
  })
})

test('A stopwatch goes on while a computer sleeps, and when its clock is set back', () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'] })
  const seconds = realTime.startStopwatch()
  const start = Date.now()
  // In sleep, the monotonic clock stands still.
  vi.setSystemTime(start + 3_600_000)
  expect(seconds()).toBeGreaterThanOrEqual(3600)
  vi.setSystemTime(start - 3_600_000)
  expect(seconds()).toBeGreaterThan(0)
})

test('A pause that its signal ends leaves no timer, for which a process would wait', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const aborting = new AbortController()
  const pause = realTime.pause(60_000, aborting.signal)
  expect(timers()).toBe(before + 1)
  aborting.abort(new Error('over'))
  await expect(pause).rejects.toThrow('over')
  expect(timers()).toBe(before)
})
