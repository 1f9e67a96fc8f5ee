import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { keys, people, world } from '../support/service.ts'

const service = world([...people, { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } }])

async function smoke(...args: readonly string[]) {
  const env = { ...process.env, SMOKE_KEY: keys.admin }
  const child = spawn('node', ['cli/smoke.ts', service.url, '--deployment', '1', ...args], { env })
  const closed = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: (await closed)[0], output, errors }
}

test('the smoke test passes against a service that is in order, whatever it serves', async () => {
  service.now = Date.now()
  const { exitCode, output, errors } = await smoke('--issuer', service.issuer, '--tenant', 'north')
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
  expect(output.match(/^ok {2}/gm)).toHaveLength(7)
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

test('it fails where nothing answers', async () => {
  const child = spawn('node', ['cli/smoke.ts', 'http://127.0.0.1:1', '--wait', '0'])
  const closed = once(child, 'close')
  expect(await text(child.stderr)).toMatch(/^http:\/\/127\.0\.0\.1:1 does not come up: /)
  expect((await closed)[0]).toBe(1)
})

test('it takes no key as an argument, which npm would log, and does not repeat one', async () => {
  const { exitCode, output, errors } = await smoke('--key', 'sk-secret')
  expect([exitCode, output]).toEqual([1, ''])
  expect(errors).toMatch(/^Unknown option '--key'/)
  expect(errors).not.toContain('sk-secret')
})
