import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as exported from '@embed-access/client'
import { ApiError, type CallSettings, createClient, redeem } from '@embed-access/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  allEmbedUsers,
  dbtSync,
  embedTenant,
  folder,
  keys,
  people,
  share,
  workbook,
  world,
} from '../support/service.ts'

const service = world(
  [
    ...people,
    ...Array.from({ length: 7 }, (_, index) => dbtSync(1, `s${index}`)),
    folder(1, 5, null),
    workbook(1, 10),
    workbook(1, 11, { folderId: 5 }),
    share(1, 'workbook', 10, embedTenant('north')),
    share(1, 'folder', 5, allEmbedUsers),
    workbook(2, 71),
  ],
  { isInMemory: true },
)
type Send = (request: Request) => Promise<Response>
const as = (token: string, send: Send = fetch) =>
  createClient({ baseUrl: service.url, token, fetch: send })

test('the client goes through the pages of a list, each asked for when it is needed', async () => {
  const send = vi.fn(fetch)
  const sizes: number[] = []
  for await (const { items } of as(keys.reader, send).listDbtSyncs({ deploymentId: 1, first: 3 })) {
    sizes.push(items.length)
    expect(send).toHaveBeenCalledTimes(sizes.length)
  }
  expect(sizes).toEqual([3, 3, 1])
})

test('the client begins a list after the cursor of an earlier page', async () => {
  const list = (after?: string) =>
    as(keys.reader).listDbtSyncs({ deploymentId: 1, first: 3, after })
  const all = await Array.fromAsync(list().items())
  const [first] = await Array.fromAsync(list())
  const rest = await Array.fromAsync(list(first?.pageInfo.endCursor ?? undefined).items())
  expect([...(first?.items ?? []), ...rest]).toEqual(all)
})

test('the client goes on after short or empty pages, as long as there is a next one', async () => {
  const send = vi.fn(fetch)
  for (const [items, endCursor] of [
    [[], 'a'],
    [[{ id: 1 }], 'c'],
    [[], null],
  ] as const) {
    const pageInfo = {
      hasNextPage: endCursor !== null,
      hasPreviousPage: false,
      startCursor: null,
      endCursor,
    }
    send.mockResolvedValueOnce(Response.json({ items, pageInfo }))
  }
  const items = await Array.fromAsync(
    as(keys.admin, send)
      .listEmbedTenantWorkbooks({ deploymentId: 1, embedTenantName: 'north' })
      .items(),
  )
  expect(items.map(({ id }) => id)).toEqual([1])
  const asked = send.mock.calls.map(([request]) =>
    new URL((request as Request).url).searchParams.get('after'),
  )
  expect(asked).toEqual([null, 'a', 'c'])
})

test('the client gives the items of a list by its filters, and explains embed access', async () => {
  const client = as(keys.admin)
  const workbooks = async (accessSource?: 'tenant' | 'folder' | null) =>
    (
      await Array.fromAsync(
        client
          .listEmbedTenantWorkbooks({
            deploymentId: 1,
            embedTenantName: 'north',
            // A project with looser types may give undefined.
            accessSource: accessSource as null,
          })
          .items(),
      )
    ).map(({ id }) => id)
  expect([await workbooks('tenant'), await workbooks('folder')]).toEqual([[10], [11]])
  expect([await workbooks(null), await workbooks()].map((ids) => ids.sort())).toEqual([
    [10, 11],
    [10, 11],
  ])

  expect(
    await client.explainEmbedAccess({ deploymentId: 2, workbookId: 71, embedTenantName: 'north' }),
  ).toMatchObject({
    isSeen: false,
    path: [{ id: 71 }],
  })
})

test('the client throws a refusal with its code, status, errors and request id', async () => {
  const refused = as(keys.reader).listDbtSyncs({ deploymentId: 1, first: 0 }).items()
  const error = await Array.fromAsync(refused).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
    errors: [{ parameter: 'first', message: expect.any(String) }],
    requestId: expect.any(String),
    message: expect.stringContaining('first'),
  })
})

test('the client throws what the gateway refuses too, which has no code', async () => {
  const refused = as('k'.repeat(11_000)).generateSession({ deploymentId: 1 })
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  const [message, requestId] = ['Request Header Fields Too Large', expect.any(String)]
  await expect(refused).rejects.toMatchObject({ status: 431, code: undefined, message, requestId })
})

test('the client asks for its token before every request, if a function gives it', async () => {
  const tokens = [keys.reader, 'sk-none']
  const client = createClient({ baseUrl: service.url, token: async () => tokens.shift() as string })
  await client.tryGenerateSession({ deploymentId: 1 })
  await expect(client.tryGenerateSession({ deploymentId: 1 })).rejects.toMatchObject({
    status: 401,
  })
})

test.each([
  '',
  'api.example.com',
  'x https://api.example.com',
  'ftp://api.example.com',
  'https://',
  '/',
  'undefined',
])('a client refuses %j as the address of the service when it is made', (baseUrl) => {
  const message = `baseUrl must be like https://example.com, not "${baseUrl}".`
  expect(() => createClient({ baseUrl, token: 'sk-1' })).toThrow(new TypeError(message))
})

test.each([undefined, '', 'Bearer sk-1', 'Bearer ', 'bearer', 'sk-\n1', 'sk-–'])(
  'a client refuses %j as its token, and does not repeat it',
  async (token) => {
    const given = token ? 'other text' : JSON.stringify(token)
    const message = `token must be a key or token alone, without "Bearer" or spaces, not ${given}.`
    const refusal = new TypeError(message)
    expect(() => as(token as string)).toThrow(refusal)
    const later = createClient({ baseUrl: service.url, token: () => token as string })
    await expect(later.tryGenerateSession({ deploymentId: 1 })).rejects.toThrow(refusal)
  },
)

const cause = new TypeError('fetch failed')
test.each<[string, Send]>([
  ['of the network', () => Promise.reject(cause)],
  [
    'of an answer that breaks off',
    async () => new Response(new ReadableStream({ start: (body) => body.error(cause) })),
  ],
])('an error %s names method and address, and has the cause', async (_, send) => {
  const message =
    'POST https://embed.test/api/v1/embed/session/token got no answer: TypeError: fetch failed'
  const redeemed = redeem({ baseUrl: 'https://embed.test//', fetch: send, sessionId: 'a session' })
  await expect(redeemed).rejects.toMatchObject({ message, cause })
})

describe('a call', () => {
  const reason = new Error('the page was closed')
  const silent = ({ signal }: Request) =>
    new Promise<Response>((_, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.onabort = () => reject(signal.reason)
    })
  const vague = ({ signal }: Request) =>
    new Promise<Response>((_, reject) => {
      signal.onabort = () => reject(new Error('the connection was closed'))
    })
  const busy = async () => new Response('', { status: 503, headers: { 'retry-after': '10' } })

  test.each([
    ['before it is sent', silent, AbortSignal.abort(reason)],
    ['before it has to wait', busy, AbortSignal.abort(reason)],
    ['during a pause between two tries', busy, undefined],
  ])('that its caller aborts %s ends with the caller’s reason', async (_, send, aborted) => {
    const aborting = new AbortController()
    const signal = aborted ?? aborting.signal
    const sent = vi.fn(send)
    const call = as(keys.admin, sent).generateSession({ deploymentId: 1 }, { signal })
    setImmediate(() => aborting.abort(reason))
    await expect(call).rejects.toBe(reason)
    expect(sent).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['the service is silent', silent],
    ['the service asks to wait', busy],
    ['a fetch is silent that does not give the reason of its end', vague],
  ])('ends after its timeout while %s', async (_, send) => {
    const call = as(keys.admin, send).generateSession({ deploymentId: 1 }, { timeout: 5 })
    await expect(call).rejects.toThrow(/generate-session got no answer: TimeoutError/)
  })

  test('that timed out between two tries keeps no process alive', async () => {
    const code = `
      import { createClient } from './client/server.ts'
      const busy = { status: 503, headers: { 'retry-after': '10' } }
      const fetch = async () => new Response('', busy)
      const client = createClient({ baseUrl: 'https://embed.test', token: 'sk-1', fetch })
      const call = client.generateSession({ deploymentId: 1 }, { timeout: 5 })
      console.log(await call.catch(({ cause }) => cause.name))`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', code],
      { timeout: 9000 },
    )
    expect(stdout).toBe('TimeoutError\n')
  })

  test('may have settings that are undefined', async () => {
    const settings: CallSettings = { signal: undefined, timeout: undefined, headers: undefined }
    await as(keys.admin).generateSession({ deploymentId: 1 }, settings)
  })

  test('makes no session of a user whose id is undefined, which would be anonymous', async () => {
    const missing = undefined as unknown as string
    for (const make of ['generateSession', 'tryGenerateSession'] as const) {
      for (const name of ['externalId', 'internalId']) {
        const made = as(keys.admin)[make]({ deploymentId: 1, [name]: missing })
        await expect(made).rejects.toThrow(`${name} must not be undefined.`)
      }
      await as(keys.admin)[make]({ deploymentId: 1, externalId: 'u-1', internalId: missing })
      await as(keys.admin)[make]({ deploymentId: 1 })
    }
  })

  test('that would revoke more than was meant is not sent', async () => {
    const send = vi.fn(fetch)
    const externalId = undefined as unknown as string
    const revoked = as(keys.admin, send).revokeSession({ embedTenantName: 'north', externalId })
    await expect(revoked).rejects.toThrow(TypeError)
    expect(send).not.toHaveBeenCalled()
  })

  test('ends while it waits for its token', async () => {
    const client = createClient({ baseUrl: service.url, token: () => new Promise(() => {}) })
    const call = (settings: CallSettings) => client.generateSession({ deploymentId: 1 }, settings)
    await expect(call({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(call({ timeout: 5 })).rejects.toThrow(/^token got no answer: TimeoutError/)
    const aborting = new AbortController()
    setImmediate(() => aborting.abort(reason))
    await expect(call({ signal: aborting.signal })).rejects.toBe(reason)
  })

  test('leaves nothing with its signals, for which Deno would wait', async () => {
    onTestFinished(() => void vi.restoreAllMocks())
    const made = [vi.spyOn(AbortSignal, 'any'), vi.spyOn(AbortSignal, 'timeout')]
    const none = () => Promise.reject(new Error('none'))
    const { signal } = new AbortController()
    const client = createClient({ baseUrl: service.url, token: none })
    await expect(client.generateSession({ deploymentId: 1 }, { signal })).rejects.toThrow('none')
    await expect(redeem({ baseUrl: service.url, newSession: none })).rejects.toThrow('none')
    const never = () => new Promise<string>(() => {})
    const waiting = createClient({ baseUrl: service.url, token: never })
    await expect(waiting.generateSession({ deploymentId: 1 }, { timeout: 5 })).rejects.toThrow()
    const signals = made.flatMap(({ mock }) => mock.results.map(({ value }) => value))
    expect(signals).toHaveLength(4)
    expect(signals.flatMap((each) => getEventListeners(each, 'abort'))).toEqual([])
  })

  test('sends a header of its settings in place of its own, in any case of letters', async () => {
    const send = vi.fn(fetch)
    const settings = { headers: { Authorization: `Bearer ${keys.admin}` } }
    await as('sk-other', send).generateSession({ deploymentId: 1 }, settings)
    expect(send).toHaveBeenCalledTimes(1)
  })

  test('sends the headers of its settings, and nothing that it was not given', async () => {
    const send = vi.fn(fetch)
    const headers = { traceparent: '00-1-2-01' }
    await as(keys.admin, send).generateSession({ deploymentId: 1 }, { headers })
    await Array.fromAsync(as(keys.admin, send).listEmbedTenants({}, { headers }))
    const sent = send.mock.calls.map(([request]) => request as Request)
    expect(sent.map(({ url, headers }) => [url, headers.get('traceparent')])).toEqual([
      [`${service.url}/api/v1/embed/generate-session`, '00-1-2-01'],
      [`${service.url}/api/v1/embed-tenants`, '00-1-2-01'],
    ])
  })

  test.each(['', '.', '..', 'a/b', 'a\\b', '1/dbt-sync?', 'a#b', 'a%2Fb'])(
    'is not sent to another path by the name %j',
    async (name) => {
      const send = vi.fn(fetch)
      const query = { deploymentId: 1, embedTenantName: name }
      const listed = as(keys.admin, send).listEmbedTenantWorkbooks(query).items()
      await expect(Array.fromAsync(listed)).rejects.toThrow(
        new TypeError(`embedTenantName must not be ${JSON.stringify(name)}.`),
      )
      expect(send).not.toHaveBeenCalled()
    },
  )
})

test('the package exports what its readme names, and nothing for tests', () => {
  const errors = ['ApiError', 'TokenRefused']
  const functions = ['createClient', 'createVerifier', 'redeem', 'serveSessions', 'sessionFromHost']
  expect(Object.keys(exported).sort()).toEqual([...errors, ...functions])
})

// Safari forgets the signal of a request that nothing holds, and with it the timeout.
test.each([
  ['an operation', (fetch: Send) => as(keys.reader, fetch).generateSession({ deploymentId: 1 })],
  ['an exchange', (fetch: Send) => redeem({ baseUrl: service.url, sessionId: 'none', fetch })],
])('the request of %s is held until its answer', async (_, call) => {
  setFlagsFromString('--expose-gc')
  let answer = (_: Response) => {}
  let sent: WeakRef<Request> | undefined
  const called = call((request) => {
    sent = new WeakRef(request)
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  const refused = expect(called).rejects.toThrow(ApiError)
  await expect.poll(() => sent).toBeDefined()
  await nextTurn()
  runInNewContext('gc')()
  expect(sent?.deref()).toBeDefined()
  answer(Response.json({}, { status: 401 }))
  await refused
})
