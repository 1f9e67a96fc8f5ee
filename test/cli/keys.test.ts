import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyPattern } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { keyInState, type SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { readSigningKeys, readStoredKeys, writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { revoke } from '../../cli/keys/api.ts'
import { interrupted } from '../support/database.ts'
import { startOfTime, world, keys as worldKeys } from '../support/service.ts'
import { commanded, environmentOf } from './environment.ts'

type Outcome = { readonly code: number; readonly output: string; readonly said: string }

async function npmRunKeys(args: string, env: Record<string, string> = {}, input = ''): Promise<Outcome> {
  const words = args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? []
  return commanded('keys', words, { env, input })
}

const hourAgo = () => Date.now() - 3_600_000 - 400_000

const privateParts = ({ keys }: SigningKeys): string[] => keys.flatMap((key) => ('d' in key ? [key.d] : []))

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embed-access-keys-'))
})
afterAll(() => rm(directory, { recursive: true }))

describe('npm run keys', () => {
  test('explains itself', async () => {
    for (const args of ['--help', 'rotate --help']) {
      const { code, output } = await npmRunKeys(args)
      expect([code, output]).toEqual([0, expect.stringMatching(/^Usage: npm run keys/)])
    }
  })

  test('says in a sentence what is wrong with its arguments, and ends with 2 before anything is done', async () => {
    const cases = {
      '': /^Usage:/,
      frobnicate: /^frobnicate is no command\.\n/,
      revok: /^revok is no command\.\n\(Did you mean revoke\?\)/,
      'create extra': /^Required option '--account <id>' not specified/,
      'list --account acme extra': /^Too many arguments for 'list'\. Expected 0 arguments but got 1: extra\./,
      'list --account acme --bogus': /^Unknown option '--bogus'\nSee npm run keys -- --help\.$/m,
      'list --account x --acount acme': /^Unknown option '--acount'\n\(Did you mean --account\?\)/,
      'create --account acme': /^Required option '--user <id>' not specified/,
      'create --account acme --user ada':
        /^Option '--user <id>' argument 'ada' is invalid\. It must be a whole number\./,
      'create --account acme --user 1 --deployments 1,x': /It must be a list of deployment ids, such as 1,2\./,
      'create --account acme --user 1 --expires soon': /It must be a time, such as /,
      'create --account acme --user 1 --expires 2020-01-01': /It is in the past\./,
      'create --account acme --user 1 --expires 0d': /It is in the past\./,
      revoke: /^Name the key/,
      'revoke abc': /^The argument <hash> is invalid\. 8 to 64 characters of the hash are needed/,
      'revoke sk-secret': /^The argument <hash> is invalid\. 8 to 64/,
      'revoke abcdef01 --key-from-stdin': /^Name the key/,
      remove: /^Required option '--stage <name>' not specified/,
      rotate: /^Say whose signing keys/,
      'rotate --stage x --data y': /^Option '--stage <name>' cannot be used with option '--data <dir>'/,
      'rotate --older-than soon --stage x': /It must be a duration, such as 30d or 12h\./,
    }
    for (const [args, message] of Object.entries(cases)) {
      const { code, output, said } = await npmRunKeys(args)
      expect([args, code, output, said]).toEqual([args, 2, '', expect.stringMatching(message)])
    }
  })

  test('says which database does not answer, why, and for how long it was tried', async () => {
    const { code, said } = await npmRunKeys('list --account acme', { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(
        /^The database at http:\/\/127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\. .+ gave up after [\d.]+ s\./,
      ),
    ])
  })
})

describe('the signing keys of a local server', () => {
  const service = world()
  const env = () => environmentOf(service.storage.tables)
  const keysSince = async (time: number) =>
    writeSigningKeys(service.storage, await firstSigningKeys(time), await readStoredKeys(service.storage))
  // Commands go by the real clock.
  beforeAll(() => {
    service.now = Date.now()
  })
  beforeEach(() => keysSince(hourAgo()))

  async function newToken(): Promise<string> {
    const call = { key: worldKeys.admin, body: { deploymentId: 1, externalId: 'u' } }
    const { body } = await service.post('/api/v1/embed/generate-session', call)
    return (await service.post('/api/v1/embed/session/token', { body })).body.token
  }

  test('are rotated while it runs: old tokens hold, and within five minutes the next key signs', async () => {
    const before = await readSigningKeys(service.storage)
    const token = await newToken()
    const currentDate = new Date(service.now)
    const { code, output, said } = await npmRunKeys('rotate', env())
    expect([code, output]).toEqual([0, ''])
    const after = await readSigningKeys(service.storage)
    for (const d of privateParts(after)) expect(said).not.toContain(d)
    expect(keyInState(after, 'active').kid).toBe(keyInState(before, 'next').kid)

    service.now += 300_000
    const { body } = await service.get('/.well-known/jwks.json')
    await jwtVerify(token, createLocalJWKSet(body), { currentDate })
    const { protectedHeader } = await jwtVerify(await newToken(), createLocalJWKSet(body), {
      currentDate: new Date(service.now),
    })
    expect(protectedHeader.kid).toBe(keyInState(before, 'next').kid)
    const published = await npmRunKeys('public', env())
    expect(JSON.parse(published.output)).toEqual(body)
  })

  test('are not rotated before clients can know the next one', async () => {
    await keysSince(Date.now())
    const before = await readStoredKeys(service.storage)
    const { code, said } = await npmRunKeys('rotate', env())
    expect([code, said]).toEqual([1, expect.stringMatching(/^The next key was published at .+ Rotate again from /)])
    expect(await readStoredKeys(service.storage)).toEqual(before)
  })

  test('are not rotated while the active one signs for less time than --older-than', async () => {
    const before = await readStoredKeys(service.storage)
    const { code, said } = await npmRunKeys('rotate --older-than 30d', env())
    expect([code, said]).toEqual([0, expect.stringMatching(/^Nothing to do: /)])
    expect(await readStoredKeys(service.storage)).toEqual(before)
  })

  test('of another form are not touched, and nothing of them is shown', async () => {
    const stored = { pk: 'private#keys', keys: '{"keys":[{"kty":"EC","d":"topsecret"}]}', version: 'x' }
    await service.storage.client.send(new PutCommand({ TableName: service.storage.tables.signingKeys, Item: stored }))
    const { code, said } = await npmRunKeys('rotate', env())
    expect([code, said]).toEqual([1, expect.stringMatching(/no signing keys of this version\. .+ --replace$/m)])
    expect(said).not.toContain('topsecret')
    expect((await npmRunKeys('init --replace --yes', env())).code).toBe(0)
    expect((await readSigningKeys(service.storage)).keys).toHaveLength(2)
  })
})

describe('the signing keys of a deployed stage', () => {
  const service = world()
  /** A stage that no other run of the tests has. */
  const stageOf = (name: string) => `${name}-${randomBytes(3).toString('hex')}`
  const env = { DYNAMODB_ENDPOINT: inject('engineEndpoint') }

  const storageOf = (stage: string): Storage => ({
    ...service.storage,
    tables: { ...service.storage.tables, signingKeys: `embed-access-${stage}-signing-keys` },
  })
  const keysOf = (stage: string) => readSigningKeys(storageOf(stage))

  test('are made once, in a table of their own, and replaced only by who types the name of the stage', async () => {
    const stage = stageOf('main')
    const { code, output, said } = await npmRunKeys(`init --stage ${stage}`, env)
    expect([code, output, said]).toEqual([0, '', expect.stringContaining('No deployment is needed.')])
    const keys = await keysOf(stage)
    expect(keys.keys.map(({ state }) => state)).toEqual(['active', 'next'])
    const again = await npmRunKeys(`init --stage ${stage}`, env)
    expect([again.code, again.said]).toEqual([1, expect.stringContaining(`npm run keys -- rotate --stage ${stage}`)])
    expect(await keysOf(stage)).toEqual(keys)
    const early = await npmRunKeys(`rotate --stage ${stage}`, env)
    expect([early.code, early.said]).toEqual([1, expect.stringContaining('Rotate again from')])
    expect(await keysOf(stage)).toEqual(keys)
    const unasked = await npmRunKeys(`init --stage ${stage} --replace`, env)
    expect([unasked.code, unasked.said]).toEqual([
      2,
      `This ends every token of stage ${stage}. Nothing was done. To do it, add --yes.\n`,
    ])
    const typing = (typed: string) => commanded('keys', ['init', '--stage', stage, '--replace'], { env, typed })
    expect(await typing('yes\n')).toMatchObject({
      code: 1,
      said: expect.stringContaining(`Type ${stage} to do it: Nothing was done.`),
    })
    expect(await keysOf(stage)).toEqual(keys)
    expect((await typing(`${stage}\n`)).code).toBe(0)
    expect(await keysOf(stage)).not.toEqual(keys)
  })

  test('are not rotated, with --published-at, while the service there publishes others', async () => {
    const stage = stageOf('published')
    await npmRunKeys(`init --stage ${stage}`, env)
    const stored = await readStoredKeys(storageOf(stage))
    const longAgo = await firstSigningKeys(hourAgo())
    await writeSigningKeys(storageOf(stage), longAgo, stored)
    const refused = await npmRunKeys(`rotate --stage ${stage} --published-at ${service.url}/`, env)
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('publishes other keys than those kept')])
    expect(await keysOf(stage)).toEqual(longAgo)

    await writeSigningKeys(service.storage, longAgo, await readStoredKeys(service.storage))
    service.now += 300_000
    expect((await npmRunKeys(`rotate --stage ${stage} --published-at ${service.url}`, env)).code).toBe(0)
    const nobody = await npmRunKeys(`rotate --published-at http://127.0.0.1:1`, {
      ...env,
      SIGNING_KEYS_TABLE: service.storage.tables.signingKeys,
    })
    expect([nobody.code, nobody.said]).toEqual([1, expect.stringMatching(/^No key set can be read at http/)])
  })

  test('are removed with their table, those of a stage that never was included', async () => {
    const preview = `pr-${randomBytes(4).readUInt32BE()}`
    await npmRunKeys(`init --stage ${preview}`, env)
    for (const stage of [preview, preview, `${preview}0`]) {
      expect((await npmRunKeys(`remove --stage ${stage}`, env)).code).toBe(0)
    }
    await expect(keysOf(preview)).rejects.toThrow(ResourceNotFoundException)
  })

  test('are removed of another stage than a preview only by who types its name, and in production by nobody', async () => {
    const stage = stageOf('pr-7')
    await npmRunKeys(`init --stage ${stage}`, env)
    const before = await keysOf(stage)
    const asking = `This ends every token of stage ${stage}.`
    const remove = ['remove', '--stage', stage]
    expect(await commanded('keys', remove, { env })).toMatchObject({
      code: 2,
      said: `${asking} Nothing was done. To do it, add --yes.\n`,
    })
    expect(await commanded('keys', remove, { env, typed: 'yes\n' })).toMatchObject({
      code: 1,
      said: `${asking} Type ${stage} to do it: Nothing was done.\n`,
    })
    expect(await keysOf(stage)).toEqual(before)
    expect(await commanded('keys', remove, { env, typed: `${stage}\n` })).toMatchObject({ code: 0 })
    await expect(keysOf(stage)).rejects.toThrow(ResourceNotFoundException)
    expect((await npmRunKeys(`remove --stage ${stage} --yes`, env)).code).toBe(0)

    const production = await npmRunKeys('remove --stage production --yes', env)
    expect([production.code, production.said]).toEqual([1, expect.stringContaining('not removed by a command')])
  })

  test('that cannot be had are a sentence', async () => {
    const none = await npmRunKeys('rotate --stage new', env)
    expect([none.code, none.said]).toEqual([1, expect.stringContaining('npm run keys -- init --stage new')])
  })
})

test('the table of a stage is encrypted with its environment’s key, restorable, and in production not to be deleted', async () => {
  const calls: { readonly target: string; readonly body: Record<string, unknown> }[] = []
  const dynamodb = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target']).split('.')[1] as string
    calls.push({ target, body: JSON.parse(Buffer.concat(await request.toArray()).toString()) })
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.end(JSON.stringify(target === 'DescribeTable' ? { Table: { TableStatus: 'ACTIVE' } } : {}))
  })
  await once(dynamodb.listen(0, '127.0.0.1'), 'listening')
  // The SDK looks here.
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${(dynamodb.address() as AddressInfo).port}`)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  const made = async (stage: string) => {
    calls.length = 0
    expect((await npmRunKeys(`init --stage ${stage}`)).code).toBe(0)
    const bodies = Object.fromEntries(calls.map(({ target, body }) => [target, body]))
    return [bodies.CreateTable, bodies.UpdateContinuousBackups]
  }
  const expected = (stage: string, key: string, protectedFromDeletion: boolean) => [
    {
      TableName: `embed-access-${stage}-signing-keys`,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: `alias/embed-access-${key}` },
      DeletionProtectionEnabled: protectedFromDeletion,
    },
    {
      TableName: `embed-access-${stage}-signing-keys`,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
  ]
  expect(await made('production')).toEqual(expected('production', 'production', true))
  expect(await made('staging')).toEqual(expected('staging', 'staging', false))
  expect(await made('pr-7')).toEqual(expected('pr-7', 'pr', false))
  vi.unstubAllEnvs()
  dynamodb.closeAllConnections()
  dynamodb.close()
})

describe('API keys from the command line', () => {
  const service = world()
  const env = () => environmentOf(service.storage.tables)
  const status = async (key: string, deployment = 1) =>
    (await service.get(`/api/v1/deployments/${deployment}/dbt-sync`, { key })).status

  async function newKey(args = ''): Promise<string> {
    const { code, output, said } = await npmRunKeys(`create --account acme --user 1 ${args}`, env())
    expect(code).toBe(0)
    const key = output.trimEnd()
    expect(`${apiKeyPattern.exec(key)?.[0]}\n`).toBe(output)
    expect(said).not.toContain(key)
    return key
  }

  test('are printed alone and once, and stored as a hash', async () => {
    const key = await newKey()
    expect(await status(key)).toBe(200)
    const { output, said } = await npmRunKeys('list --account acme', env())
    expect(output).toContain(hashOfApiKey(key).slice(0, 12))
    expect(output + said).not.toContain(key)
  })

  test('keep to their deployments and end when they say', async () => {
    const now = Date.now()
    service.now = now
    const key = await newKey("--name 'nightly job' --deployments 2 --may list-dbt-syncs --expires 30d")
    expect([await status(key, 1), await status(key, 2)]).toEqual([403, 200])
    service.now += 31 * 86_400_000
    expect(await status(key, 2)).toBe(401)
    service.now = startOfTime
    const { output } = await npmRunKeys('list --account acme --user 1', env())
    const line = output.split('\n').find((line) => line.includes('nightly job'))
    const expires = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const used = new Date(now).toISOString()
    expect(line).toMatch(
      new RegExp(`^${hashOfApiKey(key).slice(0, 12)}  1 +"nightly job" +2 +list-dbt-syncs +${expires}T\\S+  ${used}$`),
    )
  })

  test('are listed by account and by user, with what a terminal would obey escaped', async () => {
    const data = { accountId: 'other', userId: 1, name: 'red \u001b[31m', tokenHash: 'ab'.repeat(32) }
    await service.apply([{ kind: 'apiKey', data }])
    const { output } = await npmRunKeys('list --account other', env())
    expect(output).toContain('"red \\u001b[31m"')
    expect(output.trim().split('\n')).toHaveLength(3)
    const json = await npmRunKeys('list --account other --json', env())
    expect(JSON.parse(json.output).keys[1]).toMatchObject({ hash: 'abababababab', userId: 1, deploymentIds: null })
    for (const [args, message] of [
      ['list --account nope', 'There is no account nope.\n'],
      ['list --account acme --user 77', 'User 77 of account acme has no API key.\n'],
    ] as const) {
      expect(await npmRunKeys(args, env())).toMatchObject({ code: 1, output: '', said: message })
    }
    const ofUser = await npmRunKeys('list --account acme --user 2', env())
    expect(ofUser.output.trim().split('\n')).toHaveLength(2)
  })

  test('are revoked by their hash or by themselves, and stay revoked when an old catalog comes in again', async () => {
    const [byHash, byKey] = [await newKey(), await newKey()]
    expect((await npmRunKeys(`revoke ${hashOfApiKey(byHash).slice(0, 12)}`, env())).code).toBe(0)
    const { code, said, output } = await npmRunKeys('revoke --key-from-stdin', env(), `${byKey}\n`)
    expect([code, output]).toEqual([0, ''])
    expect(said).not.toContain(byKey)
    expect([await status(byHash), await status(byKey)]).toEqual([401, 401])
    const again = await npmRunKeys('revoke --key-from-stdin', env(), byKey)
    expect([again.code, again.said]).toEqual([1, expect.stringMatching(/^There is no such key/)])

    const imported = {
      kind: 'apiKey',
      revision: 5,
      data: { accountId: 'acme', userId: 1, name: 'from outside', tokenHash: hashOfApiKey('sk-outside') },
    }
    await service.apply([imported])
    expect((await npmRunKeys('revoke --key-from-stdin', env(), 'sk-outside')).code).toBe(0)
    await service.apply([imported])
    expect(await status('sk-outside')).toBe(401)
  })

  test('are revoked whatever their revision, and stay so when the same change comes in again', async () => {
    for (const revision of [0, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]) {
      const key = `sk-revision-${revision}`
      const data = { accountId: 'acme', userId: 1, name: 'from outside', tokenHash: hashOfApiKey(key) }
      await service.apply([{ kind: 'apiKey', revision, data }])
      expect(await status(key)).toBe(200)
      const { code, said } = await npmRunKeys('revoke --key-from-stdin', env(), key)
      expect([code, said]).toEqual([0, expect.stringMatching(/^Revoked "from outside"/)])
      await service.apply([{ kind: 'apiKey', revision, data }])
      expect(await status(key)).toBe(401)
    }
  })

  test('are not said to be revoked where a newer change comes just before', async () => {
    const data = { accountId: 'acme', userId: 1, name: 'busy', tokenHash: hashOfApiKey('sk-busy') }
    await service.apply([{ kind: 'apiKey', revision: 1, data }])
    const isWrite = (command: object) => command instanceof PutCommand
    const renamed = { kind: 'apiKey', revision: 9, data: { ...data, name: 'renamed' } }
    const busy = interrupted(service.storage, 1, isWrite, () => service.apply([renamed]))
    await expect(revoke(busy, data.tokenHash)).rejects.toThrow('is not revoked. Revoke it again.')
    expect(await status('sk-busy')).toBe(200)
    expect(await revoke(service.storage, data.tokenHash)).toMatchObject({ name: 'renamed' })
    expect(await status('sk-busy')).toBe(401)
  })

  test('are not revoked by a beginning that several share', async () => {
    const shared = ['1', '2'].map((end) => ({
      kind: 'apiKey',
      data: { accountId: 'acme', userId: 1, name: 'twin', tokenHash: `${'c'.repeat(63)}${end}` },
    }))
    await service.apply(shared)
    const { code, said } = await npmRunKeys('revoke cccccccc', env())
    expect([code, said]).toEqual([1, 'Several keys have a hash that begins with cccccccc. Give more of it.\n'])
  })

  test('are made for users, accounts and deployments that are there', async () => {
    await service.apply([
      { kind: 'user', data: { accountId: 'gone', id: 1, email: 'x@gone.example', roles: [], deploymentIds: [] } },
    ])
    const cases = {
      'create --account gone --user 1': /^There is no account gone\./,
      'create --account acme --user 77': /^Account acme has no user 77\./,
      'create --account acme --user 1 --deployments 1,9,4242': /^Account acme has no deployment 9, 4242\./,
    }
    for (const [args, message] of Object.entries(cases)) {
      const { code, output, said } = await npmRunKeys(args, env())
      expect([code, output, said]).toEqual([1, '', expect.stringMatching(message)])
    }
    // User 2 may read deployment 1, and no other.
    const unreadable = await npmRunKeys('create --account acme --user 2 --deployments 1,2', env())
    expect(unreadable).toMatchObject({
      code: 1,
      output: '',
      said: 'User 2 may not read deployment 2, so the key would not open it. No key was made.\n',
    })
    const { said } = await npmRunKeys('list --account acme', { ...env(), CREDENTIALS_TABLE: 'no-such-table' })
    expect(said).toMatch(/^There are no such tables\. Set CATALOG_TABLE/)
  })
})
