import * as exported from '@embed-access/client'
import { ApiError, createClient } from '@embed-access/client'
import { expect, test, vi } from 'vitest'
import {
  allEmbedUsers,
  dbtSync,
  embedTenant,
  folder,
  keys,
  notification,
  people,
  share,
  workbook,
  world,
} from '../support/service.ts'

const tenants = ['east', 'north', 'west'].map(embedTenant)
const service = world([
  ...people,
  ...Array.from({ length: 7 }, (_, index) => dbtSync(1, `s${index}`)),
  dbtSync(2, 'f1', { status: 'FAILED' }),
  dbtSync(2, 'f2', { status: 'FAILED', trigger: 'manual' }),
  folder(1, 5, null),
  workbook(1, 10),
  workbook(1, 11, { folderId: 5 }),
  share(1, 'workbook', 10, embedTenant('north')),
  share(1, 'folder', 5, allEmbedUsers),
  notification(1, 1, { dashboardId: 4 }),
  ...[
    workbook(2, 70),
    workbook(2, 71),
    ...tenants.map((tenant) => share(2, 'workbook', 70, tenant)),
  ],
])
const as = (token: string, send = fetch) =>
  createClient({ baseUrl: service.url, token, fetch: send })

test('the client goes through the pages of a list, each asked for when it is needed', async () => {
  const send = vi.fn(fetch)
  const sizes: number[] = []
  for await (const { items } of as(keys.reader, send).listDbtSyncs(1, { first: 3 })) {
    sizes.push(items.length)
    expect(send).toHaveBeenCalledTimes(sizes.length)
  }
  expect(sizes).toEqual([3, 3, 1])
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
    as(keys.admin, send).listEmbedTenantWorkbooks(1, 'north').items(),
  )
  expect(items.map(({ id }) => id)).toEqual([1])
  const asked = send.mock.calls.map(([request]) =>
    new URL((request as Request).url).searchParams.get('after'),
  )
  expect(asked).toEqual([null, 'a', 'c'])
})

test('the client gives the items of each list, with its filters', async () => {
  const client = as(keys.admin)
  const syncs = async (query: Parameters<typeof client.listDbtSyncs>[1]) =>
    (await Array.fromAsync(client.listDbtSyncs(2, query).items())).map(({ syncJobId }) => syncJobId)
  expect(await syncs({ status: 'FAILED', first: 1 })).toEqual(['f1', 'f2'])
  expect(await syncs({ status: 'FAILED', trigger: 'manual' })).toEqual(['f2'])
  expect(await syncs({ status: 'UNKNOWN' })).toEqual([])

  const workbooks = async (accessSource: 'tenant' | 'folder' | null) =>
    (
      await Array.fromAsync(client.listEmbedTenantWorkbooks(1, 'north', { accessSource }).items())
    ).map(({ id }) => id)
  expect([await workbooks('tenant'), await workbooks('folder')]).toEqual([[10], [11]])
  expect((await workbooks(null)).sort()).toEqual([10, 11])

  const notifications = async (dashboardId: number) =>
    (await Array.fromAsync(client.listNotifications(1, { dashboardId }).items())).length
  expect([await notifications(4), await notifications(5)]).toEqual([1, 0])

  const seen = await Array.fromAsync(client.listWorkbookEmbedAccess(2, 70, { first: 2 }).items())
  expect(seen.map(({ grantee }) => grantee)).toEqual(tenants)
  expect(await client.explainEmbedAccess(2, 71, 'north')).toMatchObject({
    isSeen: false,
    path: [{ id: 71 }],
  })
})

test('the client throws a refusal with its code, status, errors and request id', async () => {
  const refused = as(keys.reader).listDbtSyncs(1, { first: 0 }).items()
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

test.each(['', 'api.example.com', 'ftp://api.example.com', 'https://', '/', 'undefined'])(
  'a client refuses %j as the address of the service when it is made',
  (baseUrl) => {
    const message =
      'baseUrl must be the address of the service, such as https://api.example.com, not ' +
      `${JSON.stringify(baseUrl)}.`
    expect(() => createClient({ baseUrl })).toThrow(new TypeError(message))
  },
)

test('an error of the network names method and address, and has the cause', async () => {
  const cause = new TypeError('fetch failed')
  const client = createClient({
    baseUrl: 'https://embed.test',
    token: undefined,
    fetch: () => Promise.reject(cause),
  })
  const message = 'POST https://embed.test/api/v1/embed/session/token got no answer: fetch failed'
  await expect(client.redeem('a session')).rejects.toMatchObject({ message, cause })
})

test('a request that its caller aborts ends with the caller’s reason', async () => {
  const reason = new Error('the page was closed')
  const asked = as(keys.admin).api.GET('/api/v1/spec', { signal: AbortSignal.abort(reason) })
  await expect(asked).rejects.toBe(reason)
})

test('the package exports what its readme names, and nothing for tests', () => {
  const errors = ['ApiError', 'TokenRefused']
  const functions = ['createClient', 'createVerifier', 'serveSessions', 'sessionFromHost']
  expect(Object.keys(exported).sort()).toEqual([...errors, ...functions])
})
