import { describe, expect, test } from 'vitest'
import { keys, people, world } from '../support/service.ts'

const lists = {
  syncs: '/api/v1/deployments/1/dbt-sync',
  notifications: '/api/v1/deployments/1/notifications',
  workbooks: '/api/v1/deployments/1/embed-tenants/north/workbooks',
}
const generate = '/api/v1/embed/generate-session'

describe('an error says what was meant', () => {
  const service = world([
    ...people,
    { kind: 'embedTenant', data: { accountId: 'acme', name: 'north', displayName: 'North' } },
  ])

  const get = (path: string) => service.get(path, { key: keys.admin })
  const post = (body: object | string) => service.post(generate, { key: keys.admin, body })

  test.each([
    [lists.syncs, 'staus=FAILED', 'staus', 'is not a known parameter; the nearest one is status'],
    [lists.syncs, 'Status=FAILED', 'Status', 'is not a known parameter; the nearest one is status'],
    [lists.notifications, 'dashboard_id=7', 'dashboard_id', 'is not a known parameter; the nearest one is dashboardId'],
    [
      lists.workbooks,
      'accessSources=tenant',
      'accessSources',
      'is not a known parameter; the nearest one is accessSource',
    ],
    [`${generate}`, 'dryrun=true', 'dryrun', 'is not a known parameter; the nearest one is dryRun'],
    ...Object.values(lists).flatMap((list) => [
      [list, 'last=1', 'last', 'is not known, since pages go forward only; use first'],
      [list, 'before=x', 'before', 'is not known, since pages go forward only; use after'],
    ]),
  ] as [string, string, string, string][])('%s?%s names the parameter', async (path, query, parameter, message) => {
    const call = { key: keys.admin, body: { deploymentId: 1 } }
    const { status, body } = await (path === generate
      ? service.post(`${path}?${query}`, call)
      : service.get(`${path}?${query}`, { key: keys.admin }))
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_parameter', [{ parameter, message }]])
  })

  test('parameters of somebody else are ignored', async () => {
    for (const query of ['_=1', 'utm_source=mail', 'format=json', 'constructor=x', 'limit=5']) {
      expect([query, (await get(`${lists.syncs}?${query}`)).status]).toEqual([query, 200])
    }
    expect((await service.post(`${generate}?last=1`, { key: keys.admin, body: { deploymentId: 1 } })).status).toBe(200)
  })

  test.each([
    ['', 'The body is empty. Send a JSON object.'],
    [' \n', 'The body is empty. Send a JSON object.'],
    ['{"deploymentId": 1,}', 'at line 1, column 20: expected double-quoted property name.'],
    ['{\n  "deploymentId": 1,\n  "email": undefined\n}', 'at line 3, column 12: unexpected character.'],
    ['{"deploymentId": 1, "groups": [tru]}', 'at line 1, column 35: unexpected character.'],
    ["{'deploymentId': 1}", "at line 1, column 2: expected property name or '}'."],
    ['{"deploymentId":\n', 'at line 2, column 1: unexpected end.'],
    ['{"deploymentId": 1}}', 'at line 1, column 20: unexpected non-whitespace character after JSON.'],
    ['😀', 'at line 1, column 1: unexpected character.'],
  ])('malformed JSON is told by its place: %j', async (text, message) => {
    const { status, body } = await post(text)
    expect([status, body.code]).toEqual([400, 'malformed_json'])
    expect(body.detail).toBe(message.startsWith('at') ? `The body is not well-formed JSON ${message}` : message)
  })

  test('a body that nests deeper than the stack is told so', async () => {
    const { status, body } = await post(`${'['.repeat(120_000)}${']'.repeat(120_000)}`)
    expect([status, body.code, body.detail]).toEqual([400, 'malformed_json', 'The body is nested too deep.'])
  })

  test('a key without its scheme is told what to write', async () => {
    const { status, body } = await service.get(lists.syncs, { headers: { authorization: keys.admin } })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(body.detail).toBe('The credential lacks its scheme. Write Authorization: Bearer <key>.')
    const wrong = await service.get(lists.syncs, { headers: { authorization: `Basic ${keys.admin}` } })
    expect(wrong.body.detail).toBe('The request lacks a valid credential.')
  })

  test('the name of an embed tenant in capitals is told in lower case', async () => {
    const { body } = await post({ deploymentId: 1, embedTenantName: 'Blue-River' })
    expect(body.errors).toEqual([{ pointer: '/embedTenantName', message: 'must be in lower case: blue-river' }])
    const { body: other } = await post({ deploymentId: 1, embedTenantName: 'Blue_River' })
    expect(other.errors[0].message).toMatch(/^must be 2 to 36 lower-case letters/)
  })
})
