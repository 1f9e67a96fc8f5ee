import { expect, test } from 'vitest'
import { keys, people, world } from '../support/service.ts'
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
