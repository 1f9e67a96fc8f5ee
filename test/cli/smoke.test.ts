import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { keys, people, world } from '../support/service.ts'
import { serving } from '../support/temporary.ts'
import { commanded } from './environment.ts'

const service = world([
  ...people,
  { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } },
])

const smoke = (...args: readonly string[]) =>
  commanded('smoke', [service.url, '--deployment', '1', ...args], {
    env: { SMOKE_KEY: keys.admin },
  })

test('the smoke test passes against a service that is in order, whatever it serves', async () => {
  service.now = Date.now()
  const { code, output, said } = await smoke('--issuer', service.issuer, '--tenant', 'north')
  expect([code, said, output.match(/^ok {2}/gm)?.length]).toEqual([0, '', 11])
})

test('without a key it tries what needs none, and makes nothing', async () => {
  const { code, output, said } = await smoke('--keyless')
  expect([code, said, output.match(/^ok {2}/gm)?.length]).toEqual([0, '', 5])
})

test('it fails, and says of what, where tokens are another issuer’s', async () => {
  const said = expect.stringMatching(/^FAILED {2}makes a session, and a token of it once, .*"iss"/)
  expect(await smoke()).toMatchObject({ code: 1, said })
})

test('it fails where a session gives its token a second time', async () => {
  service.now = Date.now()
  const tokens = new Map<string, string>()
  // Stands before the service, and remembers what it answered to an exchange.
  const { url } = await serving(async (request, response) => {
    const { method = '', headers, url: target = '' } = request
    const { authorization } = headers
    const body = await text(request)
    const known = target.endsWith('/session/token') && tokens.get(body)
    if (known) return response.end(known)
    const answer = await fetch(service.url + target, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: body || null,
    })
    const answered = await answer.text()
    if (answer.ok) tokens.set(body, answered)
    const own = [...answer.headers].filter(
      ([name]) =>
        !/^(content-(encoding|length)|connection|keep-alive|transfer-encoding)$/.test(name),
    )
    response.writeHead(answer.status, Object.fromEntries(own)).end(answered)
  })
  const args = [url, '--deployment', '1', '--issuer', service.issuer]
  const { code, said } = await commanded('smoke', args, { env: { SMOKE_KEY: keys.admin } })
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^FAILED {2}makes a session, and a token of it once, .*200/m),
  ])
})

test('with --json it prints one object, of a failure too', async () => {
  const good = await smoke('--keyless', '--json')
  expect(JSON.parse(good.output)).toMatchObject({
    url: service.url,
    checks: Array(5).fill({ isOk: true }),
  })
  const bad = await smoke('--json')
  const failed = { isOk: false, error: expect.stringContaining('"iss"') }
  expect([bad.code, JSON.parse(bad.output).checks.at(-1)]).toMatchObject([1, failed])
})

test('it fails where nothing answers', async () => {
  const { code, said } = await commanded('smoke', ['http://127.0.0.1:1', '--wait', '0'])
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not come up: /),
  ])
})
