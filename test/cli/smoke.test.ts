import { expect, test } from 'vitest'
import { keys, people, world } from '../support/service.ts'
import { commanded } from './environment.ts'

const service = world([...people, { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } }])

async function smoke(...args: readonly string[]) {
  const env = { SMOKE_KEY: keys.admin }
  const { code, output, said } = await commanded('smoke', [service.url, '--deployment', '1', ...args], { env })
  return { exitCode: code, output, errors: said }
}

test('the smoke test passes against a service that is in order, whatever it serves', async () => {
  service.now = Date.now()
  const { exitCode, output, errors } = await smoke('--issuer', service.issuer, '--tenant', 'north')
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
  expect(output.match(/^ok {2}/gm)).toHaveLength(11)
})

test('without a key it tries what needs none, and makes nothing', async () => {
  const { exitCode, output, errors } = await smoke('--keyless')
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
  expect(output.match(/^ok {2}/gm)).toHaveLength(5)
})

test('it fails, and says of what, where tokens are another issuer’s', async () => {
  const { exitCode, errors } = await smoke()
  expect(exitCode).toBe(1)
  expect(errors).toMatch(/^FAILED {2}makes a session, and a token of it once, .*"iss"/)
})

test('with --json it prints one object, of a failure too', async () => {
  const good = await smoke('--keyless', '--json')
  expect(JSON.parse(good.output)).toMatchObject({ url: service.url, checks: Array(5).fill({ isOk: true }) })
  const bad = await smoke('--json')
  expect([bad.exitCode, JSON.parse(bad.output).checks.at(-1)]).toMatchObject([
    1,
    { isOk: false, error: expect.stringContaining('"iss"') },
  ])
})

test('it fails where nothing answers', async () => {
  const { code, said } = await commanded('smoke', ['http://127.0.0.1:1', '--wait', '0'])
  expect([code, said]).toEqual([1, expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not come up: /)])
})

test('it takes no key as an argument, which npm would log, and does not repeat one', async () => {
  for (const args of [['--key', 'sk-secret'], ['--key=sk-secret']]) {
    const { exitCode, output, errors } = await smoke(...args)
    expect([exitCode, output]).toEqual([2, ''])
    expect(errors).toMatch(/^Unknown option '--key'/)
    expect(errors).not.toContain('sk-secret')
  }
})
