import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { recentRequests } from '../../local/recent-requests.ts'
import { requestLines } from '../../local/request-lines.ts'

/** What the playground is told of these lines. */
function told(...lines: readonly (string | object)[]) {
  const recent = recentRequests(() => 7)
  const log = requestLines(new PassThrough(), recent.keep)
  for (const line of lines) log(typeof line === 'string' ? line : JSON.stringify(line))
  return recent.newestFirst()
}

const refused = { requestId: 'r1=', routeKey: 'GET /a', event: 'authorization.refused' }
const caller = { accountId: 'acme', credential: 'apiKey' }
const invocation = { requestId: 'r1=', invocation: 'operation', calls: 1, units: 1 }

test('a 401 has the reason that only the server knows, and another answer has none', () => {
  const line = 'GET /a 401 3ms r1='
  const whys = (...lines: readonly (string | object)[]) => told(...lines).map((each) => each.reason)
  expect(whys({ ...refused, reason: 'expired key' }, invocation, line)).toEqual(['expired key'])
  expect(whys(invocation, { ...refused, reason: 'expired key' }, line)).toEqual(['expired key'])
  const used = { ...refused, event: 'session.replayed', reason: 'used' }
  expect(whys(used, line)).toEqual(['session: used'])
  expect(whys(line)).toEqual(['no Authorization header'])
  expect(whys(used, 'GET /a 200 3ms r1=', 'GET /a 403 3ms r2=')).toEqual([undefined, undefined])
})

test('a request has its caller, and no credential of a path stays', () => {
  const who = 'apiKey of acme'
  expect(told({ ...invocation, ...caller }, 'GET /a/b 200 3ms r1=')).toEqual([
    { id: 'r1=', at: 7, request: 'GET /a/b', status: 200, milliseconds: 3, who, reason: undefined },
  ])
  const session = 'a-B_'.repeat(11)
  for (const secret of [
    'sk-demo',
    'eyJh.eyJz.c2ln',
    session,
    '%73k-demo',
    'x%20sk-demo',
    '%sk-x',
    'x-sk-demo',
  ])
    expect(told(`GET /a/${secret}/b 404 0ms r1=`)[0]?.request).not.toMatch(/k-demo|eyJ|a-B_|sk-x/)
  for (const named of ['/dbt-sync', '/embed-tenants/helpdesk-eu/workbooks'])
    expect(told(`GET ${named} 200 0ms r1=`)[0]?.request).toContain(named)
})

test('the newest comes first, and only the last hundred stay', () => {
  const all = told(...Array.from({ length: 120 }, (_, index) => `GET /${index} 200 0ms r${index}`))
  expect([all.length, all[0]?.request, all.at(-1)?.request]).toEqual([100, 'GET /119', 'GET /20'])
})
