import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { storedEndOf } from '@embed-access/core/sessions/session-end.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keys, world } from '../support/service.ts'
import { commanded, environmentOf } from './environment.ts'

const service = world()
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sessions-'))
})
beforeEach(async () => {
  // The commands tell the time by the machine's clock.
  service.now = Date.now()
  await forgetRevocations()
})
afterAll(() => rm(directory, { recursive: true }))

const sessions = (...args: string[]) => sessionsWithInput('', ...args)

async function sessionsWithInput(input: string, ...args: string[]) {
  const { code, printed } = await commanded('sessions', args, { env: environmentOf(service.storage.tables), input })
  return { code, printed }
}

/** A token whose end is noted. The note gets one attempt of a quarter second, which a busy machine may miss. */
async function newToken(key = keys.admin, deploymentId = 1, internalId = 'ada') {
  const body = { deploymentId, internalId }
  for (;;) {
    const session = (await service.post('/api/v1/embed/generate-session', { key, body })).body
    service.now += 1000
    const { token } = (await service.post('/api/v1/embed/session/token', { body: session })).body
    const jti = tokenIdOf(session.sessionId)
    if (await storedEndOf(service.storage, jti)) return { jti, token }
  }
}

async function revocations(): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await service.storage.client.send(new ScanCommand({ TableName: tableName() }))
  return Items.filter(({ pk }) => pk.startsWith('revocation#'))
}

async function forgetRevocations(): Promise<void> {
  for (const { pk } of await revocations()) {
    await service.storage.client.send(new DeleteCommand({ TableName: tableName(), Key: { pk } }))
  }
}

const tableName = () => service.storage.tables.sessions

const opens = async ({ token }: { token?: string }, deploymentId = 1) =>
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
    expect(await sessions('revoke', '--account', 'other', '--key', key)).toEqual({
      code: 1,
      printed: 'Account other has no such API key. Nothing was revoked.\n',
    })
    expect(await opens(byKey, 2)).toBe(200)
    expect((await sessions('revoke', '--account', 'acme', '--key', key.slice(0, 12))).code).toBe(0)
    expect([await opens(byKey, 2), await opens(byUser)]).toEqual([401, 200])
    expect((await sessions('revoke', '--account', 'acme', '--user', '1')).code).toBe(0)
    expect(await opens(byUser)).toBe(401)
  })

  test('takes the key itself, with whatever line end is after it, also once the key is revoked', async () => {
    const shown = hashOfApiKey(keys.reader).slice(0, 12)
    for (const input of [keys.reader, `${keys.reader}\n`, ` ${keys.reader}\t \r\n`]) {
      await forgetRevocations()
      const token = await newToken(keys.reader, 1, 'rob@acme.example')
      expect(await opens(token)).toBe(200)
      const { code, printed } = await sessionsWithInput(input, 'revoke', '--account', 'acme', '--key-from-stdin')
      expect([code, printed]).toEqual([0, expect.stringContaining(`that the API key ${shown} has generated`)])
      expect(await opens(token)).toBe(401)
    }
    const [hash, user] = [hashOfApiKey(keys.expiring), { accountId: 'acme', id: 3 }]
    await service.apply([
      { kind: 'apiKey', op: 'delete', data: { accountId: 'acme', tokenHash: hash } },
      { kind: 'user', op: 'delete', data: user },
    ])
    expect((await sessionsWithInput(keys.expiring, 'revoke', '--account', 'acme', '--key-from-stdin')).code).toBe(0)
    expect((await sessions('revoke', '--account', 'acme', '--user', '3')).code).toBe(0)
  })

  test('revokes nothing of an account, user or key that was never there', async () => {
    const { jti, token } = await newToken()
    for (const [args, sentence] of [
      [['--account', 'acne', '--jti', jti], 'There is no account acne.'],
      [['--account', 'acne', '--user', '1'], 'There is no account acne.'],
      [['--account', 'acne', '--key', hashOfApiKey(keys.admin)], 'There is no account acne.'],
      [['--account', 'acme', '--user', '99999'], 'Account acme has no user 99999.'],
      [['--account', 'acme', '--key', '0123456789ab'], 'Account acme has no such API key.'],
      [['--account', 'other', '--key', hashOfApiKey(keys.admin)], 'Account other has no such API key.'],
      [['--account', 'other', '--jti', jti], `The token ${jti} is not one of account other.`],
    ] as const) {
      expect(await sessions('revoke', ...args)).toEqual({ code: 1, printed: `${sentence} Nothing was revoked.\n` })
    }
    const mistyped = keys.admin.replace('s', 'S')
    expect(await sessionsWithInput(mistyped, 'revoke', '--account', 'acme', '--key-from-stdin')).toEqual({
      code: 1,
      printed: 'Account acme has no such API key. Nothing was revoked.\n',
    })
    expect(await revocations()).toEqual([])
    expect(await opens({ token })).toBe(200)
  })

  test('does not claim to end a token that nothing tells of, and ends it if it comes', async () => {
    const body = { deploymentId: 1, internalId: 'ada' }
    const session = (await service.post('/api/v1/embed/generate-session', { key: keys.admin, body })).body
    const jti = tokenIdOf(session.sessionId)
    expect(await sessions('revoke', '--account', 'acme', '--jti', jti)).toEqual({
      code: 1,
      printed:
        `Nothing tells of a token ${jti} of account acme in the last day. Check both. Its session may also wait to be ` +
        'redeemed. If there is such a token, it is refused from now on.\n',
    })
    const { token } = (await service.post('/api/v1/embed/session/token', { body: session })).body
    expect(await opens({ token })).toBe(401)
  })

  test('says what is missing or wrong, and ends with 2', async () => {
    for (const [args, message] of [
      [[], "Required option '--account <id>' not specified"],
      [['--account', 'acme'], 'Give --jti, --key, --key-from-stdin or --user.'],
      [
        ['--account', 'acme', '--user', '1', '--jti', 'A'.repeat(22)],
        "'--jti <jti>' cannot be used with option '--user <id>'",
      ],
      [
        ['--account', 'acme', '--user', '1', '--key-from-stdin'],
        "'--key-from-stdin' cannot be used with option '--user <id>'",
      ],
      [['--account', 'acme', '--jti', 'short'], 'It must be the 22 characters that the audit shows.'],
      [['--account', 'acme', '--key', 'sk-ea_1'], '12 to 64 characters of the hash are needed'],
      [['--account', 'acme', '--user', 'ada'], 'It must be a whole number.'],
    ] as const) {
      const { code, printed } = await sessions('revoke', ...args)
      expect([code, printed]).toEqual([2, expect.stringContaining(message)])
    }
  })
})

describe.each(['-', '--'])('a jti that begins with %s', (beginning) => {
  const jti = beginning.padEnd(22, 'N')

  test('is taken for a jti and not for an option', async () => {
    const end = { pk: `end#${jti}`, end: 'redeemed', accountId: 'acme' }
    await service.storage.client.send(new PutCommand({ TableName: tableName(), Item: end }))
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
    expect([code, printed]).toEqual([1, `No line is about ${jti}.\n`])
    await writeFile(join(directory, 'one.log'), `${JSON.stringify({ event: 'session.redeemed', jti })}\n`)
    for (const args of [
      [jti, '--json', join(directory, 'one.log')],
      ['--json', jti, join(directory, 'one.log')],
    ]) {
      const traced = await sessions('trace', ...args)
      expect([traced.code, JSON.parse(traced.printed)]).toEqual([
        0,
        { jti, entries: [{ event: 'session.redeemed', jti }] },
      ])
    }
  })
})

describe('npm run sessions -- trace', () => {
  test('tells what became of a session in order of time, from lines of files', async () => {
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
    expect([code, printed]).toEqual([1, 'No line is about AAAAAAAAAAAAAAAAAAAAAA.\n'])
    const none = await sessions('trace', 'A'.repeat(22), join(directory, 'none', 'none.log'))
    expect(none).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/^Cannot read .+: there is no such file\.\n$/),
    })
  })
})
