import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../run.ts'
import { keys, world } from '../world.ts'
import { environmentOf } from './environment.ts'

const service = world()
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sessions-'))
  // The commands tell the time by the machine's clock.
  service.now = Date.now()
})
afterAll(() => rm(directory, { recursive: true }))

const sessions = (...args: string[]) => run(['cli/sessions.ts', ...args], environmentOf(service.storage.tables)).ended

async function newToken(key = keys.admin, deploymentId = 1): Promise<{ jti: string; token: string }> {
  const body = { deploymentId, internalId: 'ada' }
  const session = (await service.post('/api/v1/embed/generate-session', { key, body })).body
  service.now += 1000
  const { token } = (await service.post('/api/v1/embed/session/token', { body: session })).body
  return { jti: tokenIdOf(session.sessionId), token }
}

const opens = async ({ token }: { token: string }, deploymentId = 1) =>
  (await service.get(`/api/v1/deployments/${deploymentId}/dbt-sync`, { authorization: `Bearer ${token}` })).status

describe('npm run sessions -- revoke', () => {
  test('ends one token by its jti', async () => {
    const [one, other] = [await newToken(), await newToken()]
    const { code, printed } = await sessions('revoke', '--account', 'acme', '--jti', one.jti)
    expect([code, printed]).toEqual([0, `The token ${one.jti} is refused from now on.\n`])
    expect([await opens(one), await opens(other)]).toEqual([401, 200])
  })

  test('ends all tokens of an API key by its hash, or of a user, and none of another account', async () => {
    const byKey = await newToken(keys.scopedAdmin, 2)
    const byUser = await newToken()
    const key = hashOfApiKey(keys.scopedAdmin)
    await sessions('revoke', '--account', 'other', '--key', key)
    expect(await opens(byKey, 2)).toBe(200)
    expect((await sessions('revoke', '--account', 'acme', '--key', key.slice(0, 12))).code).toBe(0)
    expect([await opens(byKey, 2), await opens(byUser)]).toEqual([401, 200])
    expect((await sessions('revoke', '--account', 'acme', '--user', '1')).code).toBe(0)
    expect(await opens(byUser)).toBe(401)
  })

  test('says what is missing or wrong', async () => {
    for (const [args, message] of [
      [[], 'Give --account'],
      [['--account', 'acme'], 'one of --jti, --key and --user'],
      [['--account', 'acme', '--user', '1', '--jti', 'x'], 'one of --jti, --key and --user'],
      [['--account', 'acme', '--jti', 'short'], '--jti must be the 22 characters'],
      [['--account', 'acme', '--key', 'sk-ea_1'], '--key must be at least 12 characters of the key'],
      [['--account', 'acme', '--user', 'ada'], 'ada is not the id of a user'],
    ] as const) {
      const { code, printed } = await sessions('revoke', ...args)
      expect([code, printed]).toEqual([1, expect.stringContaining(message)])
    }
  })
})

describe.each(['-', '--'])('a jti that begins with %s', (beginning) => {
  const jti = beginning.padEnd(22, 'N')

  test('is taken for a jti and not for an option', async () => {
    for (const args of [
      ['--account', 'acme', '--jti', jti],
      ['--jti', jti, '--account', 'acme'],
      [`--jti=${jti}`, '--account', 'acme'],
    ]) {
      const { code, printed } = await sessions('revoke', ...args)
      expect([code, printed]).toEqual([0, `The token ${jti} is refused from now on.\n`])
    }
    await writeFile(join(directory, 'none.log'), '')
    const { code, printed } = await sessions('trace', jti, join(directory, 'none.log'))
    expect([code, printed]).toEqual([0, `No line is about ${jti}.\n`])
  })
})

describe('npm run sessions -- trace', () => {
  test('tells what became of a session in order of time, from lines of files', async () => {
    // After what the tests above have revoked.
    service.now += 60_000
    service.logged.length = 0
    const { jti, token } = await newToken()
    await newToken()
    service.now += 1000
    await service.post('/api/v1/embed/generate-session', {
      authorization: `Bearer ${token}`,
      body: { deploymentId: 1 },
    })
    const lines = service.logged.map((entry) => `2026-01-01T00:00:00 2026/[$LATEST]0 ${JSON.stringify(entry)}`)
    const files = [join(directory, 'a.log'), join(directory, 'b.log')] as const
    await writeFile(files[0], ['REPORT {', ...lines.slice(1).reverse()].join('\n'))
    await writeFile(files[1], lines.slice(0, 1).join('\r\n'))

    const { code, printed } = await sessions('trace', jti, ...files)
    expect(code).toBe(0)
    expect(printed.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^\S+Z {2}session\.generated .*routeKey="POST .*by=.*"key":"[0-9a-f]{12}".*for=.*"deploymentId":1/,
      ),
      expect.stringMatching(/^\S+Z {2}session\.redeemed .*for=.*"acme#user#1"/),
      expect.stringMatching(/^\S+Z {2}request\.refused .*code=end_user/),
    ])
  })

  test('says so where no line is about it', async () => {
    await writeFile(join(directory, 'empty.log'), '')
    const { code, printed } = await sessions('trace', 'AAAAAAAAAAAAAAAAAAAAAA', join(directory, 'empty.log'))
    expect([code, printed]).toEqual([0, 'No line is about AAAAAAAAAAAAAAAAAAAAAA.\n'])
  })
})
