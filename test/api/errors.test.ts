import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { encodeCursor } from '@embed-access/core/storage/cursor.ts'
import { describe, expect, test } from 'vitest'
import { acmeTenant, dbtSync, keys, people, world } from '../support/service.ts'
import { pointersOf } from '../support/sessions.ts'

const lists = {
  workbooks: '/api/v1/deployments/1/embed-tenants/north/workbooks',
  syncs: '/api/v1/deployments/1/dbt-sync',
  notifications: '/api/v1/deployments/1/notifications',
}
const generate = '/api/v1/embed/generate-session'
const exchange = '/api/v1/embed/session/token'

describe('a refusal', () => {
  const service = world([...people, acmeTenant('north')], { isInMemory: true })
  const get = (path: string, key = keys.admin) => service.get(path, { key })
  const post = (body: string, headers: Record<string, string> = {}) =>
    service.post(generate, { key: keys.admin, body, headers })

  test('is a problem with type, title, status, detail, code and request id', async () => {
    const { status, headers, body } = await get(`${lists.syncs}?status=nope&first=0`, keys.reader)
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
    ...['0', '-1', '1.5', '1e2', ' 1', '+1', 'abc', '9007199254740993', '1,2', ''].map((first) => ({
      first,
    })),
    ...['', 'x', 'null', '!!!', 'A'.repeat(5000)].map((after) => ({ after })),
  ])('names the parameter of a list that is wrong: %j', async (query) => {
    for (const path of Object.values(lists)) {
      const { status, body } = await get(
        `${path}?${new URLSearchParams(query as Record<string, string>)}`,
      )
      const errors = [{ parameter: Object.keys(query)[0], message: expect.any(String) }]
      expect([path, status, body.errors]).toEqual([path, 400, errors])
    }
  })

  test.each([
    ...['staus', 'filter[status]', 'amp;status', 'status%3DFAILED%26first%3D2', 'Status'].map(
      (name) => [lists.syncs, name, 'status'] as const,
    ),
    [lists.notifications, 'dashboard_id', 'dashboardId'],
    [lists.notifications, 'dashboard', 'dashboardId'],
    [lists.notifications, 'email', 'recipientEmail'],
    [lists.notifications, 'user_id', 'recipientUserId'],
    [lists.notifications, 'embedTenant', 'recipientEmbedTenantName'],
    [lists.notifications, 'recipientTenantName', 'recipientEmbedTenantName'],
    [lists.notifications, 'recipientId', 'recipientUserId'],
    ...['syncStatus', 'status_filter'].map((name) => [lists.syncs, name, 'status'] as const),
    [lists.workbooks, 'accessSources', 'accessSource'],
    [lists.workbooks, 'filter[source]', 'accessSource'],
    ...['tenantName', 'tenantId', 'filter[tenantName]'].map(
      (name) =>
        ['/api/v1/deployments/1/workbooks/1/embed-tenants', name, 'embedTenantName'] as const,
    ),
    ...['dryrun', 'dry'].map((name) => [generate, name, 'dryRun'] as const),
  ] as const)('names the nearest parameter: %s?%s', async (path, name, near) => {
    const call = { key: keys.admin, body: { deploymentId: 1 } }
    const url = `${path}?${name}=1`
    const { status, body } = await (path === generate ? service.post(url, call) : get(url))
    const message = `is not a known parameter; the nearest one is ${near}`
    const errors = [{ parameter: decodeURIComponent(name), message }]
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_parameter', errors])
  })

  test.each([
    ['first', 'last limit Limit maxResults pageSize page_size page-size per_page page[size] take'],
    ['after', 'before cursor CURSOR offset page page[cursor] starting_after startingAfter'],
    ['after', 'endCursor ending_before nextCursor nextToken pageToken page_number skip $skip'],
  ])('says to use %s for pages, not what others call it: %s', async (own, others) => {
    const message = `is not known; pages go forward, by first and after: use ${own}`
    for (const parameter of others.split(' ')) {
      const { body } = await get(`${lists.syncs}?${parameter}=1`)
      expect([body.code, body.errors]).toEqual(['invalid_parameter', [{ parameter, message }]])
    }
  })

  test('names what is wrong in the parameters and in the body at once', async () => {
    const call = { key: keys.admin, body: { deploymentId: 'x', group: [] } }
    const { status, body } = await service.post(`${generate}?dryRun=1`, call)
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid_parameter',
      [
        { parameter: 'dryRun', message: 'must be true or false' },
        { pointer: '/deploymentId', message: 'must be an integer' },
        { pointer: '/group', message: 'is not a known field; the nearest one is groups' },
      ],
    ])
  })

  test.each([
    [400, `${lists.syncs}?status=`],
    [400, `${lists.syncs}?trigger=`],
    [400, `${lists.syncs}?status=running`],
    [400, `${lists.syncs}?status=RUNNING&status=FAILED`],
    [400, `${lists.workbooks}?accessSource=everyone`],
    [200, `${lists.workbooks}?accessSource=`],
    // Parameters of somebody else are ignored.
    ...[
      'unknown=1',
      '_=1',
      'utm_source=mail',
      'format=json',
      'constructor=x',
      'colour=5',
      'us=1',
    ].map((query): [number, string] => [200, `${lists.syncs}?${query}`]),
  ])(
    'comes for a filter that is empty or wrong, and for nothing else: %i %s',
    async (status, path) => {
      expect((await get(path)).status).toBe(status)
    },
  )

  test('comes for a cursor of another list, another filter or another deployment', async () => {
    await service.apply([1, 2].flatMap((id) => ['a', 'b'].map((sync) => dbtSync(id, sync))))
    const cursor = (await get(`${lists.syncs}?first=1`)).body.pageInfo.endCursor
    const code = async (path: string) => (await get(`${path}after=${cursor}`)).body.code
    expect(await code(`${lists.syncs}?`)).toBeUndefined()
    for (const path of [
      `${lists.syncs}?status=FAILED&`,
      `${lists.syncs}?trigger=api&`,
      '/api/v1/deployments/2/dbt-sync?',
      `${lists.notifications}?`,
      `${lists.workbooks}?`,
    ]) {
      expect([path, await code(path)]).toEqual([path, 'invalid_cursor'])
    }
    // Such cursors were never given. A sort key has at most 1,024 bytes.
    for (const [position, expected] of [
      ['', 'invalid_cursor'],
      ['x'.repeat(1023), undefined],
      ['x'.repeat(1024), 'invalid_cursor'],
    ] as const) {
      const madeUp = encodeCursor(['dbtSyncs', 'acme', 1, null, null], position)
      expect((await get(`${lists.syncs}?after=${madeUp}`)).body.code).toBe(expected)
    }
  })

  test('comes for a cursor of 1.0.0 of the workbooks, which had another order', async () => {
    const cursor = encodeCursor(['embedTenantWorkbooks', 'acme', 1, 'north', undefined], '/-d5009')
    expect((await get(`${lists.workbooks}?after=${cursor}`)).body.code).toBe('invalid_cursor')
  })

  test('is 400 for a path id that is no integer, and 404 for one that names nothing', async () => {
    for (const id of ['abc', '1.5', '-1', '1e400', '%00', '٣', '9007199254740993', 'NaN']) {
      const { status, body } = await get(`/api/v1/deployments/${id}/dbt-sync`)
      expect([id, status, body.errors?.[0]?.parameter]).toEqual([id, 400, 'deploymentId'])
    }
    for (const id of ['0', '77', '9007199254740991']) {
      const { status, body } = await get(`/api/v1/deployments/${id}/dbt-sync`)
      expect([id, status, body.code]).toEqual([id, 404, 'deployment_not_found'])
    }
    const { status, body } = await get('/api/v1/deployments/1/embed-tenants/nowhere/workbooks')
    expect([status, body.code]).toEqual([404, 'embed_tenant_not_found'])
    expect(body.detail).toBe('There is no embed tenant nowhere.')
    const malformed = await get(`/api/v1/deployments/1/embed-tenants/${'n'.repeat(99)}/workbooks`)
    expect([malformed.status, malformed.body.detail]).toEqual([
      404,
      'There is no such embed tenant: its name must be 2 to 36 lower-case letters, digits or ' +
        'hyphens, begin with a letter and end with a letter or digit.',
    ])
  })

  test.each([
    [lists.syncs, 'first=0&status=', 'first must be an integer of at least 1, and 1 more problem.'],
    [
      lists.syncs,
      'first=0&status=&trigger=',
      'first must be an integer of at least 1, and 2 more problems.',
    ],
    [
      lists.notifications,
      'recipientEmail=y&recipientExternalId=x&recipientEmbedTenantName=z',
      'recipientEmail must not come together with recipientEmbedTenantName, ' +
        'recipientExternalId, and 2 more problems.',
    ],
    [
      lists.notifications,
      'recipientExternalId=x',
      'recipientEmbedTenantName is needed together with recipientExternalId.',
    ],
  ])('tells the first problem and counts the others: %s?%s', async (path, query, detail) => {
    const { status, body } = await get(`${path}?${query}`)
    expect([status, body.detail]).toEqual([400, detail])
  })

  test('comes for a body that is too large or of another type', async () => {
    const code = async (body: string, type = 'application/json') => {
      const reply = await post(body, { 'content-type': type })
      return [reply.status, reply.body.code]
    }
    const valid = JSON.stringify({ deploymentId: 1 })
    expect(await code(' '.repeat(256 * 1024 + 1))).toEqual([413, 'body_too_large'])
    expect(await code(valid + ' '.repeat(256 * 1024 - valid.length))).toEqual([200, undefined])
    for (const other of [
      'text/plain',
      'application/problem+json',
      'application/json5',
      'text/plain; application/json',
    ])
      expect(await code(valid, other)).toEqual([415, 'unsupported_media_type'])
    for (const json of ['Application/JSON; charset=utf-8', 'application/json ;charset=utf-8'])
      expect(await code(valid, json)).toEqual([200, undefined])
    for (const encoding of ['gzip', 'compress', 'deflate, br', 'x-gzip', 'zstd']) {
      const { status, body } = await post(valid, { 'content-encoding': encoding })
      expect([status, body.detail]).toEqual([415, 'The body must not be compressed.'])
    }
    expect((await post(valid, { 'content-encoding': 'identity' })).status).toBe(200)
    expect((await service.post(generate, { key: keys.admin })).body.code).toBe(
      'unsupported_media_type',
    )
    expect((await post(' '.repeat(256 * 1024 + 1))).body.detail).toBe(
      'The body must have at most 262144 bytes.',
    )
  })

  test.each([
    ['', 'The body is empty. Send a JSON object.'],
    [' \n', 'The body is empty. Send a JSON object.'],
    [`${'['.repeat(120_000)}${']'.repeat(120_000)}`, 'The body is nested too deep.'],
    ['{"deploymentId": 1,}', 'at line 1, column 20: expected double-quoted property name.'],
    [
      '{\n  "deploymentId": 1,\n  "email": undefined\n}',
      'at line 3, column 12: unexpected character.',
    ],
    ["{'deploymentId': 1}", "at line 1, column 2: expected property name or '}'."],
    ['{"deploymentId":\n', 'at line 2, column 1: unexpected end.'],
    [
      '{"deploymentId": 1}}',
      'at line 1, column 20: unexpected non-whitespace character after JSON.',
    ],
    ['😀', 'at line 1, column 1: unexpected character.'],
    ['undefined', 'at line 1, column 1: unexpected character.'],
    ['[object Object]', 'at line 1, column 2: unexpected character.'],
    ['\ufeff{}', 'The body begins with a byte order mark. Send UTF-8 without one.'],
  ])('says where a body is not JSON: %.60j', async (text, message) => {
    const { status, body } = await post(text)
    expect([status, body.code]).toEqual([400, 'malformed_json'])
    expect(body.detail).toBe(
      message.startsWith('at') ? `The body is not well-formed JSON ${message}` : message,
    )
  })

  test('is 400 for long numbers, however deep the stack lets a body be nested', async () => {
    const statuses = new Set<number>()
    const isTooDeep = async (levels: number) => {
      const list = `${'[9007199254740993,'.repeat(levels)}1${']'.repeat(levels)}`
      const call = { body: `{"sessionId":${list}}` }
      const { status, body } = await service.post('/api/v1/embed/session/token', call)
      statuses.add(status)
      return body.code === 'malformed_json'
    }
    let [parsed, tooDeep] = [1, 10_000]
    while (tooDeep - parsed > 1) {
      const middle = Math.floor((parsed + tooDeep) / 2)
      if (await isTooDeep(middle)) tooDeep = middle
      else parsed = middle
    }
    expect([...statuses]).toEqual([400])
  })

  test('of a key without its scheme says what to write', async () => {
    const { status, body } = await service.get(lists.syncs, { authorization: keys.admin })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(body.detail).toBe('The credential lacks its scheme. Write Authorization: Bearer <key>.')
    for (const scheme of ['Bearer', 'api-key ', 'Embed-Token'])
      expect((await service.get(lists.syncs, { authorization: scheme })).body.detail).toBe(
        `${scheme.trim()} has no credential behind it. Write Authorization: Bearer <key>.`,
      )
    const wrong = await service.get(lists.syncs, { authorization: `Basic ${keys.admin}` })
    expect(wrong.body.detail).toBe('The request lacks a valid credential.')
  })

  test('of a mistyped key says so, and of an unknown one does not', async () => {
    const detailOf = async (key: string) => (await get(lists.syncs, key)).body.detail
    const unknown = newApiKey({ accountId: 'acme', userId: 1 })
    const mistyped = unknown.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const cut = unknown.slice(0, -1)
    for (const damaged of [mistyped, cut, `${unknown}0`]) {
      expect(await detailOf(damaged)).toBe(
        'The API key is mistyped or incomplete: its checksum is wrong.',
      )
    }
    for (const other of [unknown, 'sk-other', 'eyJhbGciOiJFUzI1NiJ9.e30.x']) {
      expect(await detailOf(other)).toBe('The request lacks a valid credential.')
    }
  })

  test.each([
    [{}, '/sessionId'],
    [{ sessionId: 7 }, '/sessionId'],
    [{ sessionId: 'x', more: 1 }, '/more'],
  ])('comes for the exchange of %j', async (body, pointer) => {
    expect(pointersOf((await service.post(exchange, { body })).body.errors)).toEqual([pointer])
  })

  test('comes in this order: input, deployment, access, tenant, cursor', async () => {
    const code = async (path: string, key?: string) =>
      (await get(`/api/v1/deployments/${path}`, key)).body.code
    expect(await code('9/dbt-sync?first=0&after=x')).toBe('invalid_parameter')
    expect(await code('9/dbt-sync?after=x')).toBe('deployment_not_found')
    expect(await code('2/dbt-sync?after=x', keys.reader)).toBe('deployment_forbidden')
    expect(await code('1/embed-tenants/nowhere/workbooks?after=x')).toBe('embed_tenant_not_found')
    expect(await code('1/embed-tenants/north/workbooks?after=x')).toBe('invalid_cursor')
  })

  test('of the gateway itself has its request id, and no header that functions add', async () => {
    for (const [path, status] of [
      [lists.syncs, 401],
      ['/unknown', 404],
    ] as const) {
      const { headers, ...reply } = await service.get(path)
      const ours = [
        'x-request-id',
        'cache-control',
        'x-content-type-options',
        'strict-transport-security',
      ]
      expect([path, reply.status, ours.filter((name) => headers.has(name))]).toEqual([
        path,
        status,
        [],
      ])
      expect(headers.get('apigw-requestid')).toMatch(/.+/)
    }
    const { headers } = await service.post(exchange, { body: { sessionId: 'unknown' } })
    expect(headers.get('x-request-id')).toBe(headers.get('apigw-requestid'))
  })
})
