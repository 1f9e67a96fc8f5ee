import type { Server } from 'node:http'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { embedToken } from '../operations/requests.ts'
import { sentBy } from '../support/database.ts'
import { testLog } from '../support/log.ts'
import { type Call, keys, startService, world } from '../support/service.ts'
import { sendTo } from './in-process.ts'

const redemption = '/api/v1/embed/session/token'
const session = '/api/v1/embed/session'
const syncs = '/api/v1/deployments/1/dbt-sync'

const healthy = world()
const { logged, log } = testLog()
let error: unknown
let service: Server

beforeAll(async () => {
  service = await startService({
    storage: sentBy(healthy.storage, () => Promise.reject(error)),
    log,
  })
})
beforeEach(() => {
  logged.length = 0
})

const send = (path: string, call: Call) => sendTo(service, call.body ? 'POST' : 'GET', path, call)

const errors = () => logged.filter(({ level }) => level === 'error')

test('a busy database is a 503 with Retry-After, and a line with the error', async () => {
  error = Object.assign(new Error('secret of the database'), { name: 'ThrottlingException' })
  const { status, headers, body } = await send(redemption, { body: { sessionId: 'unknown' } })
  const requestId = headers.get('x-request-id')
  expect([status, headers.get('retry-after'), headers.get('www-authenticate')]).toEqual([
    503,
    '1',
    null,
  ])
  expect(body).toEqual({
    type: 'https://embed.test/docs/errors#database_unavailable',
    title: expect.any(String),
    ...{ status: 503, code: 'database_unavailable', requestId },
    detail: 'The service is busy. Try again shortly.',
    message: 'The service is busy. Try again shortly.',
  })
  const { name, message, stack } = error as Error
  expect(errors()).toEqual([
    expect.objectContaining({ level: 'error', requestId, name, message, stack }),
  ])
  expect(logged).toContainEqual(
    expect.objectContaining({ invocation: 'operation', requestId, status: 503 }),
  )
})

test.each([new TypeError('secret of the code'), 'secret text'])(
  'what nobody expected is a 500: %s',
  async (thrown) => {
    error = thrown
    const { status, headers, text, body } = await send(redemption, {
      body: { sessionId: 'unknown' },
    })
    expect([status, headers.get('retry-after'), text.includes('secret')]).toEqual([
      500,
      null,
      false,
    ])
    expect(body).toMatchObject({
      code: 'internal_error',
      detail: 'Something went wrong on our side.',
    })
    expect(body).not.toHaveProperty('errors')
    expect(errors()).toEqual([
      expect.objectContaining({ message: expect.stringContaining('secret') }),
    ])
  },
)

test('a database that fails makes no credential a wrong one', async () => {
  error = Object.assign(new Error('busy'), { name: 'ThrottlingException' })
  expect((await send(session, await embedToken(healthy, {}))).body.code).toBe(
    'database_unavailable',
  )
  const { status, text } = await send(syncs, { key: keys.reader })
  expect([status, text]).toEqual([500, '{"message":"Internal Server Error"}'])
  const lines = logged.filter(({ invocation }) => invocation === 'authorizer')
  expect(lines).toEqual([
    expect.objectContaining({ routeKey: expect.stringContaining('dbt-sync'), failed: true }),
  ])
})
