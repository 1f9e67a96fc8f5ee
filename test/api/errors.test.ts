import { encodeCursor } from '@embed-access/core/storage/cursor.ts'
import { describe, expect, test } from 'vitest'
import { keys, people, put, world } from '../support/service.ts'

const lists = {
  workbooks: '/api/v1/deployments/1/embed-tenants/north/workbooks',
  syncs: '/api/v1/deployments/1/dbt-sync',
  notifications: '/api/v1/deployments/1/notifications',
}
const generate = '/api/v1/embed/generate-session'
const exchange = '/api/v1/embed/session/token'

describe('a refusal', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])

  test('is a problem with a type, title, status, detail, code, message and request id', async () => {
    const { status, headers, body } = await service.get(`${lists.syncs}?status=nope&first=0`, { key: keys.reader })
    expect(status).toBe(400)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      type: expect.stringMatching(/^https:\/\/.*invalid_parameter$/),
      title: expect.any(String),
      status: 400,
      detail: expect.any(String),
      code: 'invalid_parameter',
      message: body.detail,
      requestId: headers.get('x-request-id'),
      errors: expect.arrayContaining([
        { parameter: 'status', message: expect.stringContaining('RUNNING') },
        { parameter: 'first', message: expect.any(String) },
      ]),
    })
  })

  test.each([
    ...['0', '-1', '1.5', '1e2', ' 1', '+1', 'abc', '9007199254740993', '1,2', ''].map((first) => ['first', first]),
    ...['', 'x', 'null', '!!!', 'A'.repeat(5000)].map((after) => ['after', after]),
  ])('names the parameter of a list that is wrong: %s=%s', async (parameter, value) => {
    for (const path of Object.values(lists)) {
      const { status, body } = await service.get(
        `${path}?${new URLSearchParams({ [parameter as string]: value as string })}`,
        {
          key: keys.admin,
        },
      )
      expect([path, status]).toEqual([path, 400])
      expect(body.errors).toEqual([{ parameter, message: expect.any(String) }])
    }
  })

  test('comes for a filter that is empty or unknown, but not for accessSource=', async () => {
    const status = async (path: string) => (await service.get(path, { key: keys.admin })).status
    expect(await status(`${lists.syncs}?status=`)).toBe(400)
    expect(await status(`${lists.syncs}?trigger=`)).toBe(400)
    expect(await status(`${lists.syncs}?status=running`)).toBe(400)
    expect(await status(`${lists.syncs}?status=RUNNING&status=FAILED`)).toBe(400)
    expect(await status(`${lists.workbooks}?accessSource=everyone`)).toBe(400)
    expect(await status(`${lists.workbooks}?accessSource=`)).toBe(200)
    expect(await status(`${lists.syncs}?unknown=1`)).toBe(200)
  })

  test('comes for a cursor of another list, another filter or another deployment', async () => {
    const sync = (deploymentId: number, syncJobId: string) => ({
      kind: 'dbtSync',
      data: {
        deploymentId,
        syncJobId,
        branchName: 'b',
        source: 's',
        startedAt: '2026-01-01',
        status: 'FAILED',
        trigger: 'api',
      },
    })
    await service.apply([sync(1, 'a'), sync(1, 'b'), sync(2, 'a'), sync(2, 'b')])
    const cursor = (await service.get(`${lists.syncs}?first=1`, { key: keys.admin })).body.pageInfo.endCursor
    const code = async (path: string) => (await service.get(`${path}after=${cursor}`, { key: keys.admin })).body.code
    expect(await code(`${lists.syncs}?`)).toBeUndefined()
    expect(await code(`${lists.syncs}?status=FAILED&`)).toBe('invalid_cursor')
    const nowhere = encodeCursor(['dbtSyncs', 'acme', 1, null, null], '')
    expect((await service.get(`${lists.syncs}?after=${nowhere}`, { key: keys.admin })).body.code).toBe('invalid_cursor')
    expect(await code('/api/v1/deployments/2/dbt-sync?')).toBe('invalid_cursor')
    expect(await code(`${lists.notifications}?`)).toBe('invalid_cursor')
    expect(await code(`${lists.workbooks}?`)).toBe('invalid_cursor')
  })

  test('comes for ids in a path that are no integers, as 404 for those that name nothing', async () => {
    for (const id of ['abc', '1.5', '-1', '1e400', '%00', '٣', '9007199254740993', 'NaN']) {
      const { status, body } = await service.get(`/api/v1/deployments/${id}/dbt-sync`, { key: keys.admin })
      expect([id, status, body.errors?.[0]?.parameter]).toEqual([id, 400, 'deploymentId'])
    }
    for (const id of ['0', '77', '9007199254740991']) {
      const { status, body } = await service.get(`/api/v1/deployments/${id}/dbt-sync`, { key: keys.admin })
      expect([id, status, body.code]).toEqual([id, 404, 'deployment_not_found'])
    }
    const { status, body } = await service.get('/api/v1/deployments/1/embed-tenants/nowhere/workbooks', {
      key: keys.admin,
    })
    expect([status, body.code]).toEqual([404, 'embed_tenant_not_found'])
  })

  test('comes for a body that is too large, of another type or not JSON', async () => {
    const post = (body: string, headers?: Record<string, string>) =>
      service.post(generate, { key: keys.admin, body, ...(headers && { headers }) })
    const code = async (body: string, headers?: Record<string, string>) => {
      const reply = await post(body, headers)
      return [reply.status, reply.body.code]
    }
    const valid = JSON.stringify({ deploymentId: 1 })
    expect(await code(' '.repeat(256 * 1024 + 1))).toEqual([413, 'body_too_large'])
    expect(await code(valid + ' '.repeat(256 * 1024 - valid.length))).toEqual([200, undefined])
    expect(await code(valid, { 'content-type': 'text/plain' })).toEqual([415, 'unsupported_media_type'])
    expect(await code(valid, { 'content-type': 'application/problem+json' })).toEqual([415, 'unsupported_media_type'])
    expect(await code(valid, { 'content-type': 'Application/JSON; charset=utf-8' })).toEqual([200, undefined])
    for (const broken of ['{', '', 'undefined', "{'deploymentId':1}", '{"deploymentId":1}}']) {
      expect([broken, ...(await code(broken))]).toEqual([broken, 400, 'malformed_json'])
    }
    for (const wrong of ['null', '[]', '"text"', '7', 'true', '{}']) {
      expect([wrong, ...(await code(wrong))]).toEqual([wrong, 400, 'invalid_body'])
    }
  })

  test('comes for a session token request that has no session id or more than that', async () => {
    expect((await service.post(exchange, { body: {} })).body.errors[0].pointer).toBe('/sessionId')
    expect((await service.post(exchange, { body: { sessionId: 7 } })).body.errors[0].pointer).toBe('/sessionId')
    expect((await service.post(exchange, { body: { sessionId: 'x', more: 1 } })).body.errors[0].pointer).toBe('/more')
  })

  test('comes for routes and methods that are not there, from the gateway', async () => {
    for (const path of ['/', '/api/v1/deployments', `${lists.syncs}/x`]) {
      const reply = await service.get(path, { key: keys.admin })
      expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }])
    }
    expect((await service.post(lists.syncs, { key: keys.admin, body: {} })).status).toBe(404)
  })

  test('comes in this order: input, deployment, access, tenant, cursor', async () => {
    const code = async (path: string, key: string) => (await service.get(path, { key })).body.code
    expect(await code('/api/v1/deployments/9/dbt-sync?first=0&after=x', keys.admin)).toBe('invalid_parameter')
    expect(await code('/api/v1/deployments/9/dbt-sync?after=x', keys.admin)).toBe('deployment_not_found')
    expect(await code('/api/v1/deployments/2/dbt-sync?after=x', keys.reader)).toBe('deployment_forbidden')
    expect(await code('/api/v1/deployments/1/embed-tenants/nowhere/workbooks?after=x', keys.admin)).toBe(
      'embed_tenant_not_found',
    )
    expect(await code('/api/v1/deployments/1/embed-tenants/north/workbooks?after=x', keys.admin)).toBe('invalid_cursor')
  })
})

describe('an answer of the gateway itself', () => {
  const service = world()

  test('has the gateway’s request id, and none of the headers that functions add', async () => {
    for (const [path, status] of [
      [lists.syncs, 401],
      ['/unknown', 404],
    ] as const) {
      const { headers, ...reply } = await service.get(path)
      const ours = ['x-request-id', 'cache-control', 'x-content-type-options', 'strict-transport-security']
      expect([path, reply.status, ours.filter((name) => headers.has(name))]).toEqual([path, status, []])
      expect(headers.get('apigw-requestid')).toMatch(/.+/)
    }
    const ofFunction = await service.post(exchange, { body: { sessionId: 'unknown' } })
    expect(ofFunction.headers.get('x-request-id')).toBe(ofFunction.headers.get('apigw-requestid'))
  })
})

describe('the database', () => {
  const service = world()

  test('that throttles or fails gives 503, and anything unforeseen a 500 without a word', async () => {
    const send = service.storage.client.send
    const failing = (name: string) => {
      service.storage.client.send = (() =>
        Promise.reject(Object.assign(new Error('secret-table-name'), { name }))) as typeof send
    }
    try {
      for (const name of [
        'ProvisionedThroughputExceededException',
        'ThrottlingException',
        'RequestLimitExceeded',
        'TimeoutError',
      ]) {
        failing(name)
        const reply = await service.post(exchange, { body: { sessionId: 'x' } })
        expect([name, reply.status, reply.headers.get('retry-after')]).toEqual([
          name,
          503,
          expect.stringMatching(/^\d+$/),
        ])
      }
      failing('AccessDeniedException')
      const { status, text, body } = await service.post(exchange, { body: { sessionId: 'x' } })
      expect([status, body.code]).toEqual([500, 'internal_error'])
      expect(text).not.toMatch(/secret|Access|dynamo|stack/i)
    } finally {
      service.storage.client.send = send
    }
  })
})
