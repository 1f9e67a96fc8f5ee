import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { handler as authorizer } from '../../functions/authorizer.ts'
import { anyCaller } from '../../functions/http/any-caller.ts'
import { knownCaller } from '../../functions/http/caller.ts'
import { type OperationHandler, operation } from '../../functions/http/operation.ts'
import { asksAuthorizer, type Route, routeKeyOf } from '../../functions/operations/operations.ts'
import { addressHeader, edgeHash, edgeHeader } from '../../functions/runtime/edge.ts'
import { storage } from '../../functions/runtime/storage.ts'
import { admin } from '../support/catalog.ts'
import { everyOperation, operationOf } from './requests.ts'

const withCredential = everyOperation.filter(({ access }) => access !== 'public')

const principal = { ...admin, credential: { kind: 'apiKey', key: '0123456789ab' } }

/** Parts without a database: a function that reads anything fails with a 500. */
const parts = {
  issuer: 'https://embed.test',
  log: () => {},
  now: () => 0,
  storage: { client: {} } as Storage,
  issuance: {},
}

type Made = Pick<OperationHandler<typeof parts>, 'create'>

/**
 * Calls a function as API Gateway does, with this context of the authorizer and a request in which
 * nothing is right.
 */
async function answerTo(operation: (typeof withCredential)[number], lambda: unknown, made?: Made) {
  const handler: Made = made ?? (await import(`../../functions/${operation.id}.ts`)).handler
  const event = {
    routeKey: routeKeyOf(operation),
    rawQueryString: '',
    headers: {},
    requestContext: { requestId: 'r', http: { sourceIp: '127.0.0.1' }, authorizer: { lambda } },
    isBase64Encoded: false,
  }
  const {
    statusCode,
    headers,
    body = '',
  } = await handler.create(parts)(event as never, {} as never)
  return [statusCode, JSON.parse(body).code, headers?.['www-authenticate']]
}

const wrongParts = [
  { admin: 'true' },
  { accountId: undefined },
  { deploymentIds: '1' },
  { credential: undefined },
  { credential: { kind: 'embedToken' } },
  { scoped: undefined },
]
const noAuthorizations = [
  undefined,
  null,
  {},
  'true',
  { principal },
  { allowed: true },
  { allowed: false },
  { allowed: false, principal },
  ...['true', 1].map((allowed) => ({ allowed, principal })),
  ...wrongParts.map((part) => ({ allowed: true, principal: { ...principal, ...part } })),
  { allowed: false, code: 'something_else', principal },
]

test.each(withCredential)(
  '$id answers 401 to whatever is no authorization, before anything else',
  async (operation) => {
    for (const context of noAuthorizations) {
      expect([context, ...(await answerTo(operation, context))]).toEqual([
        context,
        401,
        'unauthenticated',
        'Bearer',
      ])
    }
  },
)

test.each(withCredential.filter(asksAuthorizer))(
  '$id says why the authorizer refused, whatever else is in its context',
  async (operation) => {
    for (const [code, status, challenge] of [
      ['unauthenticated', 401, 'Bearer'],
      ['admin_required', 403, undefined],
      ['end_user', 403, undefined],
      ['issuer_unavailable', 503, undefined],
    ] as const) {
      const answer = await answerTo(operation, { allowed: false, code, principal })
      expect(answer).toEqual([status, code, challenge])
    }
  },
)

test.each(withCredential)(
  '$id does not take another route’s authorization for its own',
  async (operation) => {
    const reader = { ...principal, admin: false }
    if (operation.access === 'admin') {
      expect((await answerTo(operation, { allowed: true, principal: reader }))[1]).toBe(
        'admin_required',
      )
    }
    if (operation.access === 'backend') {
      const embedded = {
        ...principal,
        credential: { kind: 'embedToken', jti: 'j', deploymentId: 1 },
      }
      expect((await answerTo(operation, { allowed: true, principal: embedded }))[1]).toBe(
        'end_user',
      )
    }
  },
)

test.each([
  ['get-embed-session', knownCaller],
  ['get-embed-session', anyCaller],
  ['list-dbt-syncs', anyCaller],
] as const)('an operation that does not ask who calls is closed: %s', async (id, caller) => {
  const forgetful = await operation(id, {
    ...{ storage, make: () => ({}), caller },
    answer: () => ({ body: '{}' }),
  })
  const answer = await answerTo(operationOf(id), { allowed: true, principal }, forgetful)
  expect(answer).toEqual([401, 'unauthenticated', 'Bearer'])
})

test.each(['GET /nowhere', 'GET /docs/errors'])(
  'the authorizer denies what it should not be asked: %s',
  async (routeKey) => {
    const decide = authorizer.create(parts as never)
    const requestContext = { requestId: 'r', http: { sourceIp: '127.0.0.1' } }
    expect(await decide({ routeKey, headers: {}, requestContext } as never, {} as never)).toEqual({
      isAuthorized: false,
      context: {},
    })
  },
)

test.each([
  ['behind an edge', [edgeHash('secret')], '203.0.113.7'],
  ['without an edge', undefined, undefined],
])(
  'the access log learns from the authorizer where it decided, and the caller %s',
  async (_, edge, callerIp) => {
    const decide = authorizer.create({ ...parts, edge } as never)
    const headers = { [edgeHeader]: 'secret', [addressHeader]: '203.0.113.7' }
    const requestContext = { requestId: 'r', http: { sourceIp: '127.0.0.1' } }
    const [operation] = withCredential
    const event = { routeKey: routeKeyOf(operation as Route), headers, requestContext }
    expect(await decide(event as never, {} as never)).toEqual({
      isAuthorized: true,
      context: { allowed: false, code: 'unauthenticated', decisionId: 'r', callerIp },
    })
  },
)
