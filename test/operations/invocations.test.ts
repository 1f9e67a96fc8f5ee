import { signingKeysMaxAgeSeconds } from '@embed-access/core/signing/signing-keys.ts'
import { describe, expect, test } from 'vitest'
import { asksAuthorizer, routeKeyOf } from '../../functions/operations/operations.ts'
import { traceIdIn } from '../../functions/runtime/invocation-log.ts'
import { keys, startOfTime, world } from '../support/service.ts'
import {
  credentialFor,
  embedToken,
  everyOperation,
  itemsOfEveryList,
  operationOf,
  requestOf,
  send,
} from './requests.ts'

const service = world(itemsOfEveryList(1))

async function linesOf(act: () => Promise<unknown>) {
  service.logged.length = 0
  await act()
  return service.logged.filter(({ invocation }) => invocation !== undefined)
}

/** The metrics that CloudWatch makes of a line. */
const counted = (...names: string[]) => ({
  Timestamp: startOfTime,
  CloudWatchMetrics: [
    {
      Namespace: 'EmbedAccess',
      Dimensions: [['issuer']],
      Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
    },
  ],
})

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const syncs = '/api/v1/deployments/1/dbt-sync'

test.each(everyOperation)(
  'an invocation of $id is one line, and one of the authorizer where it is asked',
  async (operation) => {
    await send(
      service,
      await requestOf(service, operation),
      await credentialFor(service, operation),
    )
    const [request, call] = [
      await requestOf(service, operation),
      await credentialFor(service, operation),
    ]
    const isPublic = operation.access === 'public'
    let status = 0
    let pageItems = 0
    let requestId: string | null = null
    const lines = await linesOf(async () => {
      const reply = await send(
        service,
        request,
        isPublic ? call : { ...call, headers: { traceparent } },
      )
      status = reply.status
      pageItems = reply.body?.items?.length
      requestId = reply.headers.get('x-request-id')
    })
    const common = {
      level: 'info',
      requestId,
      awsRequestId: expect.stringMatching(/^[\da-f-]{36}$/),
      traceId: expect.stringMatching(/^1-[\da-f]{8}-[\da-f]{24}$/),
      routeKey: routeKeyOf(operation),
      time: new Date(startOfTime).toISOString(),
      issuer: service.issuer,
      durationMs: 0,
      calls: expect.any(Number),
      units: expect.any(Number),
      ...(!isPublic && {
        accountId: 'acme',
        credential: operation.access === 'embed' ? 'embedToken' : 'apiKey',
        traceparent,
      }),
    }
    const logged = {
      ...(operation.id.startsWith('list-') && { pageItems }),
      ...(operation.id === 'exchange-session' && { signingKeyDays: 0 }),
    }
    const ofAuthorizer = { ...common, invocation: 'authorizer', _aws: counted('units') }
    const ofFunction = {
      ...{ ...common, invocation: 'operation', status, ...logged },
      _aws: counted('units', ...Object.keys(logged)),
    }
    expect(lines).toEqual(asksAuthorizer(operation) ? [ofAuthorizer, ofFunction] : [ofFunction])
  },
)

describe('the line of an invocation', () => {
  const refusedBy = ({ invocation, status, refused, accountId }: Record<string, unknown>) => ({
    ...{ invocation, status, refused, accountId },
  })

  test('says who was refused, and by what, where that is known', async () => {
    const path = await requestOf(service, operationOf('list-embed-tenant-workbooks'))
    const known = await linesOf(() => send(service, path, { key: keys.reader }))
    expect(known.map(refusedBy)).toEqual([
      { invocation: 'authorizer', refused: 'admin_required', accountId: 'acme' },
      { invocation: 'operation', status: 403, accountId: 'acme' },
    ])
    const unknown = await linesOf(() => service.get(syncs, { key: 'sk-nobody' }))
    expect(unknown.map(refusedBy)).toEqual([
      { invocation: 'authorizer', refused: 'unauthenticated' },
      { invocation: 'operation', status: 401 },
    ])
  })

  test('takes a trace of the caller that is well-formed, and nothing else', async () => {
    const longer = [`0${traceparent}`, `${traceparent}-00`, `${traceparent}${keys.admin}`]
    for (const wrong of ['x', 'ff-0-0-0', traceparent.toUpperCase(), ...longer]) {
      const lines = await linesOf(() =>
        service.get(syncs, { key: keys.admin, headers: { traceparent: wrong } }),
      )
      expect(lines).toHaveLength(2)
      for (const line of service.logged) expect(line).not.toHaveProperty('traceparent')
    }
  })

  test('takes the root of a trace of AWS that is well-formed, and nothing else', () => {
    const root = '1-67891233-abcdef012345678912345678'
    const others = `Self=1-67891234-12456789abcdef012345678;Root=${root};Parent=53995c3f42cd8ad8`
    for (const header of [`Root=${root}`, others, `Root=${root};Sampled=0`])
      expect(traceIdIn(header)).toBe(root)
    for (const header of [undefined, '', root, `Root=${root}0`, `Root=${root.toUpperCase()}`])
      expect(traceIdIn(header)).toBeUndefined()
  })

  test('of a redemption says for how many whole days the active key has signed', async () => {
    const exchange = operationOf('exchange-session')
    service.now += 3 * 86_400_000 + 1000
    const lines = await linesOf(async () => send(service, await requestOf(service, exchange)))
    service.now = startOfTime
    expect(lines.at(-1)).toMatchObject({ status: 200, signingKeyDays: 3 })
  })
})

describe('a read of the signing keys', () => {
  type Credentials = Awaited<ReturnType<typeof embedToken>>
  /** How each reads them, by the line that counts the call. */
  const readers: Readonly<Record<string, (token: Credentials) => Promise<unknown>>> = {
    'the key set': () => service.get('/.well-known/jwks.json'),
    'a redemption': () =>
      service.post('/api/v1/embed/session/token', { body: { sessionId: 'unknown' } }),
    'an embed token that asks about itself': (token) => service.get('/api/v1/embed/session', token),
    'the authorizer': (token) => service.get(syncs, token),
  }
  /** Each time later than before, so that nothing read before is recent. */
  let ahead = 0
  const afterItsAge = async (ask: (token: Credentials) => Promise<unknown>, before = () => {}) => {
    const token = await embedToken(service, { internalId: 'ada' })
    before()
    ahead += signingKeysMaxAgeSeconds * 1000
    service.now += ahead
    const [[first], [next]] = [await linesOf(() => ask(token)), await linesOf(() => ask(token))]
    service.now = startOfTime
    return [first, next]
  }

  test.each(Object.entries(readers))('counts in the line of %s', async (_, ask) => {
    const [first, next] = await afterItsAge(ask)
    expect(Number(first?.calls)).toBe(Number(next?.calls) + 1)
  })

  test.each(Object.entries(readers))('that fails counts in the line of %s too', async (_, ask) => {
    const { client, tables } = service.storage
    const lines = await afterItsAge(ask, () =>
      client.middlewareStack.add(
        (next) => async (args) => {
          if (Object(args.input).TableName === tables.signingKeys) throw new Error('unreadable')
          return next(args)
        },
        { step: 'initialize', name: 'unreadable' },
      ),
    )
    client.middlewareStack.remove('unreadable')
    expect(lines.map((line) => line?.calls)).toEqual([1, 1])
    expect(lines.map((line) => line?.status ?? line?.failed)).not.toContain(200)
  })
})

describe('a function that has just started', () => {
  const fresh = world(itemsOfEveryList(1))

  test('counts as a cold start once', async () => {
    for (const key of [keys.admin, keys.admin]) await fresh.get(syncs, { key })
    const lines = fresh.logged.filter(({ invocation }) => invocation !== undefined)
    expect(lines.map(({ coldStarts }) => coldStarts)).toEqual([1, 1, undefined, undefined])
    expect(lines[0]?._aws).toEqual(counted('units', 'coldStarts'))
  })
})
