import { describe, expect, test } from 'vitest'
import { securityHeaders } from '../../functions/http/headers.ts'
import { type Exchange, mismatchesOf, requestMismatchesOf } from './conformance.ts'

const ours = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-request-id': 'r-1',
  ...securityHeaders,
}
const page = {
  items: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
}
const exchange = (
  changes: Partial<Omit<Exchange, 'body'>> & { body?: unknown } = {},
): Exchange => ({
  method: 'GET',
  target: '/api/v1/deployments/1/dbt-sync',
  status: 200,
  headers: ours,
  ...changes,
  body: JSON.stringify(changes.body ?? page),
})
const problem = (code: string, status: number) => {
  const texts = { title: 't', detail: 'd', message: 'd', requestId: 'r-1' }
  const body = { type: `https://embed.test/docs/errors#${code}`, ...texts, status, code }
  return { status, headers: { ...ours, 'content-type': 'application/problem+json' }, body }
}

/** The check that the other tests stand on has to find what is wrong itself. */
describe('the check of responses against the document', () => {
  test('passes what is documented', () => {
    expect(mismatchesOf(exchange())).toEqual([])
    expect(
      mismatchesOf(exchange({ target: '/nowhere', status: 404, body: { message: 'Not Found' } })),
    ).toEqual([])
    expect(mismatchesOf(exchange(problem('deployment_not_found', 404)))).toEqual([])
    const byGateway = {
      headers: { 'content-type': 'application/json' },
      body: { message: 'Unauthorized' },
    }
    expect(mismatchesOf(exchange({ status: 401, ...byGateway }))).toEqual([])
  })

  test.each<[string, Parameters<typeof exchange>[0]]>([
    ['a status', { status: 201 }],
    ['a field', { body: { ...page, total: 0 } }],
    ['a field deep inside', { body: { ...page, pageInfo: { ...page.pageInfo, total: 0 } } }],
    ['a missing field', { body: { items: [] } }],
    ['a wrong type', { body: { ...page, items: [{ ...page }] } }],
    ['a content type', { headers: { ...ours, 'content-type': 'text/plain' } }],
    ['a header', { headers: { ...ours, 'x-powered-by': 'us' } }],
    ['a missing header', { headers: { ...ours, 'x-request-id': undefined } }],
    ['a header’s value', { headers: { ...ours, 'cache-control': 'public' } }],
    ['a code of another operation', problem('embed_tenant_not_found', 404)],
    ['a code under another status', problem('admin_required', 400)],
    ['an operation', { target: '/api/v1/nowhere' }],
    ['a method', { method: 'DELETE' }],
  ])('finds %s that is not documented', (_, changes) => {
    expect(mismatchesOf(exchange(changes))).toHaveLength(1)
  })

  test('finds requests that are accepted though the document refuses them', () => {
    const target = '/api/v1/embed/generate-session'
    const accepted = (sent: unknown, query = '') =>
      requestMismatchesOf({
        ...exchange({ method: 'POST', target: target + query, body: {} }),
        sent,
      })
    expect(accepted({ deploymentId: 1 }, '?dryRun=true')).toEqual([])
    expect(accepted({ deploymentId: 1, externalId: 7 })).toHaveLength(1)
    expect(accepted({ deploymentId: 1, more: 1 })).toHaveLength(1)
    expect(accepted({ deploymentId: 1 }, '?dryRun=maybe')).toHaveLength(1)
  })
})
