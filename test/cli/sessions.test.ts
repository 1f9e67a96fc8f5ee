import { join } from 'node:path'
import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { storedEndOf, tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { putItem } from '../support/database.ts'
import { keys, userKey, userOf, without, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'
import { commanded, environmentOf, refusal } from './environment.ts'

const service = world()
const { newSession, tokenOf } = sessionsOf(service)
const directory = temporaryDirectory()
beforeEach(async () => {
  // The commands tell the time by the machine's clock.
  service.now = Date.now()
  for (const { pk } of await revocations()) {
    await service.storage.client.send(new DeleteCommand({ TableName: tableName(), Key: { pk } }))
  }
})

/** Runs `npx embed-access sessions …`, on a machine whose clock is two minutes slow. */
async function sessions(args: string, input = '', env: Record<string, string> = {}) {
  const { code, printed } = await commanded('sessions', args, {
    env: { ...environmentOf(service.storage.tables), ...env },
    input,
    time: { now: () => Date.now() - 120_000 },
  })
  return { code, printed }
}

/**
 * A token whose end is noted. The note gets one attempt of a quarter second, which a busy machine
 * may miss.
 */
async function newToken(key?: string, deploymentId = 1) {
  for (;;) {
    const session = await newSession({ deploymentId, internalId: 'ada' }, key)
    service.now += 1000
    const token = await tokenOf(session)
    const jti = tokenIdOf(session)
    if (await storedEndOf(service.storage, jti)) return { jti, token }
  }
}

const tableName = () => service.storage.tables.sessions

async function revocations(): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await service.storage.client.send(
    new ScanCommand({ TableName: tableName() }),
  )
  return Items.filter(({ pk }) => pk.startsWith('revocation#'))
}

const opens = async (token: string, deploymentId = 1) =>
  (await service.get(`/api/v1/deployments/${deploymentId}/dbt-sync`, bearer(token))).status

describe('npx embed-access sessions revoke', () => {
  test('ends one token by its jti', async () => {
    const [one, other] = [await newToken(), await newToken()]
    const printed = `The token ${one.jti} is refused from now on.\n`
    expect(await sessions(`revoke --account acme --jti ${one.jti}`)).toEqual({ code: 0, printed })
    expect([await opens(one.token), await opens(other.token)]).toEqual([401, 200])
  })

  test('ends all tokens of a user, or of an API key, in that account alone', async () => {
    const byKey = await newToken(keys.scopedAdmin, 2)
    const byUser = await newToken()
    const hash = hashOfApiKey(keys.scopedAdmin)
    expect((await sessions(`revoke --account other --key ${hash}`)).code).toBe(1)
    expect(await opens(byKey.token, 2)).toBe(200)
    const printed =
      `Tokens of all sessions that the API key ${hash.slice(0, 12)} has generated, or generates ` +
      'in the next 30 seconds, are refused.\n'
    expect(await sessions(`revoke --account acme --key ${hash}`)).toEqual({ code: 0, printed })
    expect((await sessions('revoke --account other --user 1')).code).toBe(0)
    expect([await opens(byKey.token, 2), await opens(byUser.token)]).toEqual([401, 200])
    expect((await sessions('revoke --account acme --user 1')).code).toBe(0)
    service.now += 20_000
    const generatedLater = await newToken()
    expect([await opens(byUser.token), await opens(generatedLater.token)]).toEqual([401, 401])
  })

  test('takes a key and a user that were deleted', async () => {
    await service.apply([
      without(userKey('acme', 1, keys.expiring)),
      without(userOf('acme', 3, 'sue@acme.example')),
    ])
    const hash = hashOfApiKey(keys.expiring).slice(0, 12)
    expect((await sessions(`revoke --account acme --key ${hash}`)).code).toBe(0)
    expect((await sessions('revoke --account acme --key-from-stdin', keys.expiring)).code).toBe(0)
    expect((await sessions('revoke --account acme --user 3')).printed).toMatch(/ that user 3 has /)
  })

  test('revokes nothing of an account, user or key that was never there', async () => {
    const { jti, token } = await newToken()
    const hash = hashOfApiKey(keys.admin)
    for (const [args, sentence, input = ''] of [
      [`--account acne --jti ${jti}`, 'There is no account acne.'],
      ['--account acne --user 1', 'There is no account acne.'],
      [`--account acne --key ${hash}`, 'There is no account acne.'],
      ['--account acme --user 99999', 'Account acme has no user 99999.'],
      ['--account acme --key 0123456789ab', 'Account acme has no such API key.'],
      [`--account other --key ${hash}`, 'Account other has no such API key.'],
      [`--account other --jti ${jti}`, `The token ${jti} is not one of account other.`],
      [
        '--account acme --key-from-stdin',
        'Account acme has no such API key.',
        keys.admin.replace('s', 'S'),
      ],
    ] as const) {
      const printed = `${sentence} Nothing was revoked.\n`
      expect(await sessions(`revoke ${args}`, input)).toEqual({ code: 1, printed })
    }
    expect(await revocations()).toEqual([])
    expect(await opens(token)).toBe(200)
  })

  test('revokes nothing where the database does not say its time', async () => {
    const { url } = await serving((_, response) => {
      response.sendDate = false
      response.end('{"Item":{"pk":{"S":"account#acme"}}}')
    })
    const env = { DYNAMODB_ENDPOINT: url }
    const printed = 'The database does not say what time it is. The command needs it.\n'
    expect(await sessions('revoke --account acme --user 1', '', env)).toEqual({ code: 1, printed })
  })

  test('does not claim to end a token that nothing tells of, and ends it if it comes', async () => {
    const session = await newSession({ internalId: 'ada' })
    const jti = tokenIdOf(session)
    const printed =
      `No token ${jti} of account acme was issued in the last day. Check both. Perhaps its ` +
      'session is not redeemed yet. If there is such a token, it is refused from now on.\n'
    expect(await sessions(`revoke --account acme --jti ${jti}`)).toEqual({ code: 1, printed })
    expect(await opens(await tokenOf(session))).toBe(401)
  })
})

describe.each(['-', '--'])('a jti that begins with %s', (beginning) => {
  const jti = beginning.padEnd(22, 'N')

  test.each([
    `--account acme --jti ${jti}`,
    `--jti ${jti} --account acme`,
    `--jti=${jti} --account acme`,
  ])('is taken for a jti in revoke %s', async (args) => {
    const end = { pk: `end#${jti}`, end: 'redeemed', accountId: 'acme' }
    await putItem(service.storage, 'sessions', end)
    const printed = `The token ${jti} is refused from now on.\n`
    expect(await sessions(`revoke ${args}`)).toEqual({ code: 0, printed })
  })

  test.each([`${jti} --json`, `--json ${jti}`])('is taken for a jti in trace %s', async (args) => {
    const log = await fileIn(directory, 'redeemed.log', [{ event: 'session.redeemed', jti }])
    const { code, printed } = await sessions(`trace ${args} ${log}`)
    const told = { jti, entries: [{ event: 'session.redeemed', jti }] }
    expect([code, JSON.parse(printed)]).toEqual([0, told])
  })
})

describe('npx embed-access sessions trace', () => {
  test('tells what became of a session in order of time, from lines of files', async () => {
    service.logged.length = 0
    const { jti, token } = await newToken()
    await newToken()
    service.now += 1000
    await service.post('/api/v1/embed/generate-session', {
      ...bearer(token),
      body: { deploymentId: 1 },
    })
    const lines = service.logged.map(
      (entry) => `2026-01-01T00:00:00 2026/[$LATEST]0 ${JSON.stringify(entry)}`,
    )
    const others = [
      'REPORT {',
      `{"jti":"${jti}"}`,
      { event: 'session.generated', for: { jti } },
      { event: 'request.refused', for: { jti }, by: {} },
      // Longer than any line that is read.
      `{"event":"session.ended","jti":"${jti}"}`.padEnd(2 ** 24 + 1),
    ]
    const later = await fileIn(directory, 'later.log', [...others, ...lines.slice(1).reverse()])
    const first = await fileIn(directory, 'first.log', [`${lines[0]}\r`, ''])

    const { code, printed } = await sessions(`trace ${jti} ${later} ${first}`)
    expect(code).toBe(0)
    const credential = 'routeKey="POST .*by=.*"key":"[0-9a-f]{12}"'
    const generated = `^\\S+Z {2}session\\.generated .*${credential}.*for=.*"deploymentId":1`
    expect(printed.trim().split('\n')).toEqual([
      `${later} has a line of more than 16 MiB, which is left out.`,
      expect.stringMatching(generated),
      expect.stringMatching(/^\S+Z {2}session\.redeemed .*for=.*"acme#user#1"/),
      expect.stringMatching(/^\S+Z {2}request\.refused .*code=end_user/),
    ])
  })

  test('says which files name it in lines that cannot be read', async () => {
    const jti = 'A'.repeat(22)
    const entry = JSON.stringify({ event: 'session.redeemed', time: '2026-01-01T00:00:00Z', jti })
    const whole = await fileIn(directory, 'whole.log', [entry])
    // An archive of Firehose has no line ends.
    const archive = await fileIn(directory, 'archive.log', [entry + entry, entry.slice(0, -1)])
    const said =
      `Lines of ${archive} that name it, but are not one JSON object: 2. They are left out. ` +
      'If there are no line ends, pipe it through jq -c.\n'
    const none = await commanded('sessions', `trace ${jti} ${archive}`)
    expect(none).toMatchObject(refusal(`${said}No line is about ${jti}.`))
    // A file that is named twice is read once.
    expect(await commanded('sessions', `trace ${jti} ${whole} ${archive} ${whole}`)).toMatchObject({
      code: 0,
      output: '2026-01-01T00:00:00Z  session.redeemed\n',
      said,
    })
  })

  test('says so where no line is about it, or no file is there', async () => {
    const jti = 'A'.repeat(22)
    const printed = `No line is about ${jti}.\n`
    for (const file of [await fileIn(directory, 'empty.log', []), '-'])
      expect(await sessions(`trace ${jti} ${file}`)).toEqual({ code: 1, printed })
    const { said } = await commanded('sessions', `trace ${jti}`, { typed: '' })
    expect(said).toBe(`Reading standard input …\n${printed}`)
    const none = await sessions(`trace ${jti} ${join(directory, 'none', 'none.log')}`)
    expect([none.code, none.printed]).toEqual([
      1,
      expect.stringMatching(/^Cannot read .+: there is no such file\.\n$/),
    ])
  })
})
