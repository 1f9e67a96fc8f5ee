import { ApiError, createClient } from '@embed-access/client'
import { describe, expect, test, vi } from 'vitest'
import { allEmbedUsers, dbtSync, embedTenant, folder, keys, share, workbook, world } from '../support/service.ts'

describe('the client', () => {
  const service = world()
  const as = (token: string, send = fetch) => createClient({ baseUrl: service.url, token, fetch: send })

  test('goes through the pages of a list, each asked for when it is needed', async () => {
    await service.apply(Array.from({ length: 7 }, (_, index) => dbtSync(1, `s${index}`)))
    const send = vi.fn(fetch)
    const sizes: number[] = []
    for await (const { items } of as(keys.reader, send).listDbtSyncs(1, { first: 3 })) {
      sizes.push(items.length)
      expect(send).toHaveBeenCalledTimes(sizes.length)
    }
    expect(sizes).toEqual([3, 3, 1])
  })

  test('goes on after pages that are short or empty, as long as there is a next one', async () => {
    const send = vi.fn(fetch)
    for (const [items, endCursor] of [
      [[], 'a'],
      [[{ id: 1 }], 'c'],
      [[], null],
    ] as const) {
      const pageInfo = { hasNextPage: endCursor !== null, hasPreviousPage: false, startCursor: null, endCursor }
      send.mockResolvedValueOnce(Response.json({ items, pageInfo }))
    }
    const items = await Array.fromAsync(as(keys.admin, send).listEmbedTenantWorkbooks(1, 'north').items())
    expect(items.map(({ id }) => id)).toEqual([1])
    const asked = send.mock.calls.map(([request]) => new URL((request as Request).url).searchParams.get('after'))
    expect(asked).toEqual([null, 'a', 'c'])
  })

  test('says who can see a workbook, and why an embed tenant does not', async () => {
    const names = ['east', 'north', 'west']
    await service.apply([workbook(2, 70), ...names.map((name) => share(2, 'workbook', 70, embedTenant(name)))])
    const client = as(keys.admin)
    const seen = await Array.fromAsync(client.listWorkbookEmbedAccess(2, 70, { first: 2 }).items())
    expect(seen.map(({ grantee }) => grantee)).toEqual(names.map(embedTenant))
    await service.apply([workbook(2, 71)])
    expect(await client.explainEmbedAccess(2, 71, 'north')).toMatchObject({ isSeen: false, path: [{ id: 71 }] })
  })

  test('gives the items of all pages, with filters', async () => {
    const failed = { status: 'FAILED' }
    await service.apply([dbtSync(2, 'f1', failed), dbtSync(2, 'f2', { ...failed, trigger: 'manual' })])
    const ids = async (query: { status: 'FAILED' | 'UNKNOWN'; trigger?: 'manual'; first?: number }) =>
      (await Array.fromAsync(as(keys.admin).listDbtSyncs(2, query).items())).map(({ syncJobId }) => syncJobId)
    expect(await ids({ status: 'FAILED', first: 1 })).toEqual(['f1', 'f2'])
    expect(await ids({ status: 'FAILED', trigger: 'manual' })).toEqual(['f2'])
    expect(await ids({ status: 'UNKNOWN' })).toEqual([])
  })

  test('lists what an embed tenant sees, by source or all', async () => {
    await service.apply([
      folder(1, 5, null),
      workbook(1, 10),
      workbook(1, 11, { folderId: 5 }),
      share(1, 'workbook', 10, embedTenant('north')),
      share(1, 'folder', 5, allEmbedUsers),
    ])
    const list = async (accessSource: 'tenant' | 'folder' | null) => {
      const workbooks = as(keys.admin).listEmbedTenantWorkbooks(1, 'north', { accessSource }).items()
      return (await Array.fromAsync(workbooks)).map(({ id }) => id).sort()
    }
    expect([await list('tenant'), await list('folder'), await list(null)]).toEqual([[10], [11], [10, 11]])
  })

  test('lists notifications by filter', async () => {
    const data = { deploymentId: 1, id: 1, dashboardId: 4, createdAt: '2026-01-01T00:00:00Z' }
    await service.apply([{ kind: 'notification', data }])
    const count = async (dashboardId: number) =>
      (await Array.fromAsync(as(keys.reader).listNotifications(1, { dashboardId }).items())).length
    expect([await count(4), await count(5)]).toEqual([1, 0])
  })

  test('throws what the service refuses, with code, status, errors and request id', async () => {
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

  test('throws what the gateway refuses too, which has no code', async () => {
    const refused = as('k'.repeat(11_000)).generateSession({ deploymentId: 1 })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
    const message = 'Request Header Fields Too Large'
    await expect(refused).rejects.toMatchObject({
      status: 431,
      code: undefined,
      message,
      requestId: expect.any(String),
    })
  })

  test('asks for its token anew for every request, when it is given a way to it', async () => {
    const tokens = [keys.reader, 'sk-none']
    const client = createClient({ baseUrl: service.url, token: async () => tokens.shift() as string })
    await client.tryGenerateSession({ deploymentId: 1 })
    await expect(client.tryGenerateSession({ deploymentId: 1 })).rejects.toMatchObject({ status: 401 })
  })
})
