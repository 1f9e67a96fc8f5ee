import { randomBytes } from 'node:crypto'
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyPattern } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { keyInState } from '@embed-access/core/signing/signing-keys.ts'
import {
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/signing/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createApiKey, revokeApiKey } from '../../cli/keys/api-keys.ts'
import { interrupted, putItem, refusing } from '../support/database.ts'
import {
  keys as acmeKeys,
  revised,
  startOfTime,
  userKey,
  userOf,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { serving } from '../support/temporary.ts'
import { answeringAsAws, commanded, environmentOf, refusal } from './environment.ts'
import { type Decision, gateToEngine } from './gate.ts'

const run = (args: string, around: Parameters<typeof commanded>[2] = {}) =>
  commanded('keys', args, around)

const hourAgo = () => Date.now() - 3_600_000 - 400_000

const tooEarly = refusal(/^The next key was published at .+ Rotate again from /)

describe('the signing keys of a local server', () => {
  const service = world()
  const { newToken } = sessionsOf(service)
  const keys = (args: string) => run(args, { env: environmentOf(service.storage.tables) })
  const keysSince = async (time: number) =>
    writeSigningKeys(
      service.storage,
      await firstSigningKeys(time),
      await readStoredKeys(service.storage),
    )
  // Commands go by the real clock.
  beforeAll(() => {
    service.now = Date.now()
  })
  beforeEach(() => keysSince(hourAgo()))

  test('are rotated while it runs: old tokens stay valid, the next key signs soon', async () => {
    const next = keyInState(await readSigningKeys(service.storage), 'next').kid
    const token = await newToken({ externalId: 'u' })
    const verified = async (token: string, keySet: JSONWebKeySet, currentDate: Date) =>
      (await jwtVerify(token, createLocalJWKSet(keySet), { currentDate })).protectedHeader.kid
    const issuedAt = new Date(service.now)
    const { code, output, said } = await keys('rotate')
    const after = await readSigningKeys(service.storage)
    const [signs, isNext] = [keyInState(after, 'active').kid, keyInState(after, 'next').kid]
    expect([code, output, said]).toEqual([
      0,
      '',
      `Signing keys of the local server rotated. ${signs} signs, ${isNext} is next, 1 retired.\n` +
        'Every function uses them within 5 minutes. No deployment is needed.\n',
    ])
    for (const key of after.keys) if ('d' in key) expect(said).not.toContain(key.d)
    expect(keyInState(after, 'active').kid).toBe(next)

    service.now += 300_000
    const { body } = await service.get('/.well-known/jwks.json')
    await verified(token, body, issuedAt)
    expect(await verified(await newToken({ externalId: 'u' }), body, new Date(service.now))).toBe(
      next,
    )
    expect(JSON.parse((await keys('public')).output)).toEqual(body)
  })

  test('are not rotated before the next one is known, or the active one old enough', async () => {
    const before = await readStoredKeys(service.storage)
    const said = /^Nothing to do: \S+ has signed since 20\S+Z\.\n$/
    expect(await keys('rotate --older-than 30d')).toMatchObject(refusal(said, 0))
    expect(await readStoredKeys(service.storage)).toEqual(before)
    expect(await keys('rotate --older-than 1h')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Signing keys of the local server rotated\. /),
    })
    await keysSince(Date.now())
    const young = await readStoredKeys(service.storage)
    expect(await keys('rotate')).toMatchObject(tooEarly)
    expect(await readStoredKeys(service.storage)).toEqual(young)
  })

  const behind = async (aheadMs: number) =>
    environmentOf(service.storage.tables, await gateToEngine(() => 'passes', aheadMs))

  test('are not rotated too early by the clock of a machine that is ahead', async () => {
    const env = await behind(-1_200_000)
    await keysSince(Date.now() - 1_200_000)
    const young = await readStoredKeys(service.storage)
    expect(await run('rotate', { env })).toMatchObject(tooEarly)
    expect(await readStoredKeys(service.storage)).toEqual(young)
  })

  test('are not rotated too early after a machine that is behind has made them', async () => {
    const env = await behind(1_200_000)
    expect(await run('init --replace --yes', { env })).toMatchObject({ code: 0 })
    expect(await run('rotate', { env })).toMatchObject(tooEarly)
  })

  test('of another form are not touched, and nothing of them is shown', async () => {
    const stored = {
      pk: 'private#keys',
      keys: '{"keys":[{"kty":"EC","d":"topsecret"}]}',
      version: 'x',
    }
    await putItem(service.storage, 'signingKeys', stored)
    const refused = await keys('rotate')
    expect(refused).toMatchObject(
      refusal(
        'This version cannot read the stored signing keys. Make new ones, which ends all ' +
          'tokens of the old ones, with: npx embed-access keys init --replace',
      ),
    )
    expect(refused.said).not.toContain('topsecret')
    expect(await keys('init --replace --yes')).toMatchObject({ code: 0 })
    expect((await readSigningKeys(service.storage)).keys).toHaveLength(2)
    const env = environmentOf(service.storage.tables)
    const { code, said } = await run('init --replace', { env, typed: 'replace \n' })
    expect([code, said.replaceAll(/(\S+)(?= (signs|is next),)/g, 'KEY')]).toEqual([
      0,
      'This ends every token of the local server. Type replace to do it: Signing keys of the ' +
        'local server made. KEY signs, KEY is next, 0 retired.\n' +
        'Every function uses them within 5 minutes. No deployment is needed.\n',
    ])
  })

  test('are published when a person has agreed, and not when the command was started', async () => {
    let now = Date.now()
    function* typed() {
      now += 720_000
      yield Buffer.from('replace\n')
    }
    const env = environmentOf(service.storage.tables)
    const time = { now: () => now, pause: async () => {} }
    expect(await run('init --replace', { env, typed, time })).toMatchObject({ code: 0 })
    const { since } = keyInState(await readSigningKeys(service.storage), 'next')
    expect(since * 1000).toBeGreaterThanOrEqual(now)
  })
})

describe('the signing keys of a deployed stage', () => {
  const service = world()
  /** A stage that no other run of the tests has. */
  const stageOf = (name: string) => `${name}-${randomBytes(3).toString('hex')}`
  const env = { DYNAMODB_ENDPOINT: inject('engineEndpoint') }
  const here = `at ${env.DYNAMODB_ENDPOINT}`
  const keys = (args: string, typed?: string) =>
    run(args, { env, ...(typed !== undefined && { typed }) })

  const storageOf = (stage: string): Storage => ({
    ...service.storage,
    tables: { ...service.storage.tables, signingKeys: `embed-access-${stage}-signing-keys` },
  })
  const keysOf = (stage: string) => readSigningKeys(storageOf(stage))

  test('are made once, in a table of their own, and replaced if the stage is typed', async () => {
    const stage = stageOf('main')
    expect(await keys(`rotate --stage ${stage}`)).toMatchObject(
      refusal(
        `There are no signing keys of stage ${stage} ${here} yet. Make them with: ` +
          `npx embed-access keys init --stage ${stage}`,
      ),
    )
    expect(await keys(`init --stage ${stage}`)).toMatchObject(
      refusal(/No deployment is needed\./, 0),
    )
    const made = await keysOf(stage)
    expect(made.keys.map(({ state }) => state)).toEqual(['active', 'next'])
    const replace = `init --stage ${stage} --replace`
    const asking = `This ends every token of stage ${stage} ${here}\\.`
    for (const [args, typed, said, code] of [
      [
        `init --stage ${stage}`,
        undefined,
        `^There are signing keys of stage ${stage} ${here} already. ` +
          `Rotate them with: npx embed-access keys rotate --stage ${stage}\n` +
          `If a private part has leaked, end all tokens with: npx embed-access keys ${replace}\n$`,
        1,
      ],
      [replace, undefined, `^${asking} Nothing was done\\. To do it, add --yes\\.\\n$`, 2],
      [replace, 'yes\n', `^${asking} Type ${stage} to do it: Nothing was done\\.\\n$`, 1],
    ] as const) {
      expect(await keys(args, typed)).toMatchObject(refusal(RegExp(said), code))
      expect(await keysOf(stage)).toEqual(made)
    }
    expect(await keys(replace, `${stage}\n`)).toMatchObject({ code: 0 })
    expect(await keysOf(stage)).not.toEqual(made)
  })

  test('are not rotated while the service at --published-at has others', async () => {
    const stage = stageOf('served')
    await keys(`init --stage ${stage}`)
    const longAgo = await firstSigningKeys(hourAgo())
    await writeSigningKeys(storageOf(stage), longAgo, await readStoredKeys(storageOf(stage)))
    const rotate = `rotate --stage ${stage} --published-at`
    expect(await keys(`${rotate} ${service.url}/`)).toMatchObject(
      refusal(
        `${service.url}/.well-known/jwks.json does not publish the stored keys. Wait ` +
          'until it does, then try again.',
      ),
    )
    const asked: unknown[] = []
    const { url } = await serving(({ headers }, response) => {
      asked.push(headers['cache-control'])
      response.end('{}')
    })
    expect(await keys(`${rotate} ${url}`)).toMatchObject(
      refusal(
        /^No key set can be read at http\S+\. Check --published-at and that the service is up\.\n$/,
      ),
    )
    expect(asked).toEqual(['no-cache'])
    expect(await keysOf(stage)).toEqual(longAgo)

    await writeSigningKeys(service.storage, longAgo, await readStoredKeys(service.storage))
    service.now += 300_000
    expect(await keys(`${rotate} ${service.url}`)).toMatchObject({ code: 0 })
  })

  test('are removed with their table by who types the stage, and never in production', async () => {
    const preview = `pr-${randomBytes(3).readUIntBE(0, 3)}`
    const stage = stageOf('pr-7')
    for (const each of [preview, stage]) await keys(`init --stage ${each}`)
    for (const [args, typed, said, code] of [
      [
        `remove --stage ${stage}`,
        undefined,
        `^This ends every token of stage ${stage} ${here}\\. Nothing was done\\. To do it, add ` +
          '--yes\\.\\n$',
        2,
      ],
      [`remove --stage ${stage}`, 'yes\n', 'Nothing was done\\.\\n$', 1],
      [
        'remove --stage production --yes',
        undefined,
        '^The signing keys of production are not removed by a command\\.\\n$',
        1,
      ],
    ] as const) {
      expect(await keys(args, typed)).toMatchObject(refusal(RegExp(said), code))
    }
    expect((await keysOf(stage)).keys).toHaveLength(2)
    expect(await keys(`remove --stage ${stage}`, `${stage}\n`)).toMatchObject({
      code: 0,
      said: expect.stringContaining(`: There are no signing keys of stage ${stage} ${here}.\n`),
    })
    // Those of a stage that has none are gone too.
    for (const gone of [`${stage} --yes`, preview, preview, `${preview}0`]) {
      expect(await keys(`remove --stage ${gone}`)).toMatchObject({ code: 0 })
    }
    for (const each of [preview, stage])
      await expect(keysOf(each)).rejects.toThrow(ResourceNotFoundException)
  })
})

test('commands for the signing keys of a stage or a table name the region', async () => {
  await answeringAsAws(() => ({ __type: 'ResourceNotFoundException' }))
  const env = { SIGNING_KEYS_TABLE: 'mine' }
  expect((await run('rotate', { env })).said).toMatch(/ of table mine in eu-central-1 yet\./)
  const none = 'There are no signing keys of stage staging in eu-central-1'
  expect((await run('rotate --stage staging')).said).toContain(`${none} yet.`)
  expect((await run('remove --stage staging --yes')).said).toBe(`${none}.\n`)
  expect((await run('remove --stage staging')).said).toMatch(
    /^This ends every token of stage staging in eu-central-1\./,
  )
})

const active = { Table: { TableStatus: 'ACTIVE' } }

test.each([
  ['production', 'production', true],
  ['staging', 'staging', false],
  ['pr-7', 'pr', false],
])(
  'the table of %s has backups, the key of %s, and protection: %s',
  async (stage, environment, isProtected) => {
    const inputs: Record<string, unknown> = {}
    await answeringAsAws((operation, input) => {
      inputs[operation] = input
      return operation === 'DescribeTable' ? active : {}
    })
    expect(await run(`init --stage ${stage}`)).toMatchObject({ code: 0 })
    const TableName = `embed-access-${stage}-signing-keys`
    expect(inputs.CreateTable).toEqual({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      SSESpecification: {
        Enabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: `alias/embed-access-${environment}`,
      },
      DeletionProtectionEnabled: isProtected,
    })
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
    expect(inputs.UpdateContinuousBackups).toEqual({ TableName, PointInTimeRecoverySpecification })
  },
)

/** How long `keys init` pauses until AWS has given all these answers. */
async function pausesOfInit(answers: Readonly<Record<string, object[]>>): Promise<number[]> {
  await answeringAsAws((operation) => answers[operation]?.shift() ?? {})
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const time = { now: Date.now, pause }
  expect(await run('init --stage staging', { time })).toMatchObject({ code: 0 })
  expect(Object.values(answers).flat()).toEqual([])
  return pauses
}

test('a table of signing keys is waited for until it is there and may have backups', async () => {
  const early = {
    CreateTable: [{ __type: 'ResourceInUseException' }],
    DescribeTable: [
      { __type: 'ResourceNotFoundException' },
      { Table: { TableStatus: 'CREATING' } },
      { Table: { TableStatus: 'UPDATING' } },
      active,
    ],
    UpdateContinuousBackups: Array(3).fill({ __type: 'ContinuousBackupsUnavailableException' }),
  }
  expect(await pausesOfInit(early)).toEqual([100, 100, 100, 1000, 1000, 1000])
})

test('signing keys are made in a new table where the last one is still being deleted', async () => {
  const deleting = { Table: { TableStatus: 'DELETING' } }
  await pausesOfInit({
    CreateTable: [{ __type: 'ResourceInUseException' }, {}],
    DescribeTable: [deleting, { __type: 'ResourceNotFoundException' }, active],
  })
})

test('a table of signing keys that no longer can be used is not waited for', async () => {
  const TableStatus = 'INACCESSIBLE_ENCRYPTION_CREDENTIALS'
  await answeringAsAws((operation) =>
    operation === 'DescribeTable'
      ? { Table: { TableStatus } }
      : { __type: 'ResourceInUseException' },
  )
  expect(await run('init --stage staging --replace')).toMatchObject(
    refusal(`The table embed-access-staging-signing-keys cannot be used: it is ${TableStatus}.`),
  )
})

test.each(['CreateTable', 'DescribeTable', 'UpdateContinuousBackups'])(
  'no signing keys are made where AWS refuses %s',
  async (refused) => {
    await answeringAsAws((operation) =>
      operation === refused ? { __type: 'AccessDeniedException' } : active,
    )
    expect(await run('init --stage staging')).toMatchObject({ code: 1, output: '' })
  },
)

describe('API keys from the command line', () => {
  const service = world()
  const keys = (args: string, input = '') =>
    run(args, { env: environmentOf(service.storage.tables), input })
  const status = async (key: string, deployment = 1) =>
    (await service.get(`/api/v1/deployments/${deployment}/dbt-sync`, { key })).status

  async function newKey(args = ''): Promise<string> {
    const { code, output, said } = await keys(`create --account acme --user 1 ${args}`)
    const key = output.trimEnd()
    expect([code, output]).toEqual([0, `${apiKeyPattern.exec(key)?.[0]}\n`])
    expect(said).not.toContain(key)
    return key
  }

  const isPut = (command: object) => command instanceof PutCommand
  const stored = (key: string, revision: number, name = 'from outside') =>
    revised(revision, userKey('acme', 1, key, { name }))

  test('are printed alone and once, keep to their deployments and end when they say', async () => {
    const now = Date.now()
    service.now = now
    await newKey()
    expect((await keys('list --account acme --user 1')).output).toMatch(
      / {2}"made \d{4}-\d\d-\d\d" {2}/,
    )
    const key = await newKey(
      "--name 'nightly job' --deployments 2 --may list-dbt-syncs --expires 30d",
    )
    expect([await status(key, 1), await status(key, 2)]).toEqual([403, 200])
    service.now += 31 * 86_400_000
    expect(await status(key, 2)).toBe(401)
    service.now = startOfTime
    const { output, printed } = await keys('list --account acme --user 1')
    expect(printed).not.toContain(key)
    const line = output.split('\n').find((line) => line.includes('nightly job'))
    const expires = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const used = new Date(now).toISOString().replace(/\.\d+/, '')
    expect(line).toMatch(
      new RegExp(
        `^${hashOfApiKey(key).slice(0, 12)}  1 +"nightly job" +2 +list-dbt-syncs ` +
          `+${expires}T\\S+  ${used}$`,
      ),
    )
  })

  test('are listed by account and by user', async () => {
    const revoked = userKey('acme', 2, 'sk-revoked')
    await service.apply([
      userKey('other', 1, 'red', { tokenHash: 'ab'.repeat(32) }),
      revoked,
      without(revoked),
    ])
    const { output } = await keys('list --account other')
    expect(output.trim().split('\n')).toHaveLength(3)
    expect(output).not.toMatch(/ $/m)
    expect(output).toMatch(/^abababababab {2}1 +"red" +all of the user’s +all +never +never$/m)
    const json = await keys('list --account other --json')
    const [, red] = JSON.parse(json.output).keys
    expect(red).toEqual({
      ...{ hash: 'abababababab', userId: 1, name: 'red', deploymentIds: null, operations: null },
      ...{ expiresAt: null, lastUsedAt: null },
    })
    const all = JSON.parse((await keys('list --account acme --json')).output).keys
    const rows: string[] = all.map((key: typeof red) => `${key.userId} ${key.hash}`)
    expect(rows).toEqual(rows.toSorted())
    expect(new Set(rows.map((row) => row[0])).size).toBeGreaterThan(2)
    expect(await keys('list --account nope')).toMatchObject(refusal('There is no account nope.'))
    const none = refusal('User 77 of account acme has no API key.')
    expect(await keys('list --account acme --user 77')).toMatchObject(none)
    expect(await keys('list --account acme --user 77 --json')).toMatchObject({
      code: 0,
      output: '{"keys":[]}\n',
      said: '',
    })
    const ofOne = JSON.parse((await keys('list --account acme --user 2 --json')).output).keys
    expect(new Set(ofOne.map((key: typeof red) => key.userId))).toEqual(new Set([2]))
  })

  test('are repeated by no command that gets them in the wrong place', async () => {
    const key = await newKey()
    const create = 'create --account acme --user 1'
    for (const args of [
      key,
      `list ${key}`,
      `list --account ${key}`,
      `list --account acme ${key}`,
      `list --account acme --user ${key}`,
      `list --account acme --json=${key}`,
      `list --account acme --data ${key}`,
      `list --account acme --url ${key}`,
      `list --account acme --${key}`,
      `${create} --may ${key}`,
      `${create} --deployments ${key}`,
      `${create} --expires ${key}`,
      `revoke ${key}`,
      `revoke abcdef01 ${key}`,
      `revoke --key-from-stdin ${key}`,
      `rotate --stage ${key}`,
      `rotate ${key}`,
      `remove --stage ${key} --yes`,
    ]) {
      const { code, printed } = await keys(args)
      expect([args, code > 0, printed.includes(key.slice(6, 30))]).toEqual([args, true, false])
    }
  })

  test('are revoked by their hash or by themselves, also a second time', async () => {
    const [byHash, byKey] = [await newKey(), await newKey()]
    expect(await keys(`revoke ${hashOfApiKey(byHash).slice(0, 12)}`)).toMatchObject({ code: 0 })
    const { code, output, said } = await keys('revoke --key-from-stdin', `${byKey}\n`)
    expect([code, output]).toEqual([0, ''])
    expect(said).not.toContain(byKey)
    expect([await status(byHash), await status(byKey)]).toEqual([401, 401])
    const again = { env: environmentOf(service.storage.tables), typed: byKey }
    expect(await run('revoke --key-from-stdin', again)).toMatchObject({
      code: 0,
      said: 'Reading standard input …\nThe key was already revoked.\n',
    })
    expect(await keys('revoke --key-from-stdin', `"${byKey}"`)).toMatchObject(
      refusal(/^There is no such key, so none was revoked\. /),
    )
    for (const more of [`${byKey}\n${byKey}`, `key: ${byKey}`, byKey.padEnd(20_000, 'x')])
      expect(await keys('revoke --key-from-stdin', more)).toMatchObject(
        refusal('Standard input must have one key, and nothing else.', 2),
      )
    expect(await keys('revoke --key-from-stdin', '\n')).toMatchObject(
      refusal('Standard input has no key.', 2),
    )
  })

  test.each([0, 5, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER])(
    'are revoked at revision %s, also if the same change comes again',
    async (revision) => {
      const key = `sk-revision-${revision}`
      await service.apply([stored(key, revision)])
      expect(await status(key)).toBe(200)
      expect(await keys('revoke --key-from-stdin', key)).toMatchObject(
        refusal(/^Revoked "from outside"/, 0),
      )
      await service.apply([stored(key, revision)])
      expect(await status(key)).toBe(401)
    },
  )

  test('stay revoked when an export from before is imported', async () => {
    const key = await newKey()
    const hash = hashOfApiKey(key)
    const exported = await Array.fromAsync(exportCatalog(service.storage))
    const line = exported.find((each) => each.includes(hash)) ?? ''
    expect(await keys(`revoke ${hash}`)).toMatchObject({ code: 0 })
    await service.apply([JSON.parse(line)])
    expect(await status(key)).toBe(401)
  })

  test('are not said to be revoked where a newer change comes just before', async () => {
    await service.apply([stored('sk-busy', 1)])
    const busy = interrupted(service.storage, 1, isPut, () =>
      service.apply([stored('sk-busy', 9, 'renamed')]),
    )
    const hash = hashOfApiKey('sk-busy')
    await expect(revokeApiKey(busy, hash)).rejects.toThrow('is not revoked. Revoke it again.')
    expect(await status('sk-busy')).toBe(200)
    expect(await revokeApiKey(service.storage, hash)).toMatchObject({ name: 'renamed' })
    expect(await status('sk-busy')).toBe(401)
  })

  test('are not revoked by a beginning that several share', async () => {
    const twin = (end: number) =>
      userKey('acme', 1, 'twin', { tokenHash: `${'c'.repeat(63)}${end}` })
    await service.apply([twin(1), twin(2)])
    const said = 'Several keys have a hash that begins with cccccccc. Give more of it.'
    expect(await keys('revoke cccccccc')).toMatchObject(refusal(said))
  })

  test.each([
    '--user 1 --may list-embed-tenants',
    '--user 2 --deployments 1 --may list-dbt-syncs,list-notifications',
    '--user 4 --deployments 2',
  ])('are made with %s, which the user may do', async (args) => {
    await service.apply([userOf('acme', 4, 'all@acme.example', { deploymentIds: 'all' })])
    const made = await keys(`create --account acme ${args}`)
    expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^sk-/) })
    expect(made.said).toBe(
      'The key is on standard output, this once. Keep it where you keep secrets.\n',
    )
  })

  test('may be lost where the database answers no more, and the command says so', async () => {
    const createdBehind = async (decision: Decision) => {
      const gate = await gateToEngine((each) => (each === 'PutItem' ? decision : 'passes'))
      const env = environmentOf(service.storage.tables, gate)
      return run('create --account acme --user 1', { env })
    }
    const silent = await createdBehind('over')
    const lost = /The key may be lost\. Revoke it: npx embed-access keys revoke [0-9a-f]{12}$/
    expect(silent).toMatchObject({ code: 1, output: '' })
    expect(silent.said.split('\n')).toEqual([
      expect.stringContaining('does not answer'),
      expect.stringMatching(lost),
      '',
    ])
    expect(silent.interrupted()).toMatch(lost)
    expect(await createdBehind('refused')).toMatchObject(refusal('not allowed'))
  })

  test('are neither made nor revoked where the database or the catalog refuses that', async () => {
    const unpaired = await keys('create --account acme --user 1 --name \ud800')
    expect(unpaired).toMatchObject(refusal(/^name must be well-formed Unicode\.\n$/))
    const { storage } = refusing(service.storage, isPut, 'Refused')
    const admin = { account: 'acme', user: 1 }
    await expect(createApiKey(storage, admin, Date.now())).rejects.toThrow('Refused')
    const hash = hashOfApiKey(acmeKeys.admin)
    await expect(revokeApiKey(storage, hash)).rejects.toThrow('Refused')
  })

  test.each([
    ['--account gone --user 1', /^There is no account gone\./],
    [
      '--account acme --user 77',
      'Account acme has no user 77. Import the user first, with npx embed-access catalog import.',
    ],
    [
      '--account acme --user 2 --may list-embed-tenants,list-workbook-embed-tenants,list-dbt-syncs',
      'User 2 is no admin, so the key would not open list-embed-tenants, ' +
        'list-workbook-embed-tenants. No key was made.',
    ],
    ['--account acme --user 1 --deployments 1,9,4242', /^Account acme has no deployment 9, 4242\./],
    [
      '--account acme --user 2 --deployments 1,2',
      /^User 2 may not read deployment 2, so the key would not open it\. No key was made\.\n$/,
    ],
  ])('are not made with %s, which is not there or not to be read', async (args, message) => {
    await service.apply([userOf('gone', 1, 'x@gone.example')])
    expect(await keys(`create ${args}`)).toMatchObject(refusal(message))
  })
})
