import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyPattern } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import { describe, expect, test } from 'vitest'
import { createApiKey, revokeApiKey } from '../../cli/keys/api-keys.ts'
import { interrupted, refusing } from '../support/database.ts'
import {
  keys as acmeKeys,
  revised,
  startOfTime,
  userKey,
  userOf,
  without,
  world,
} from '../support/service.ts'
import { commanded, environmentOf, refusal } from './environment.ts'
import { type Decision, gateToEngine } from './gate.ts'

describe('API keys from the command line', () => {
  const service = world()
  const keys = (args: string, input = '') =>
    commanded('keys', args, { env: environmentOf(service.storage.tables), input })
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
    expect(await commanded('keys', 'revoke --key-from-stdin', again)).toMatchObject({
      code: 0,
      said: 'Reading standard input …\nThe key was already revoked.\n',
    })
    expect(await keys('revoke --key-from-stdin', `"${byKey}"`)).toMatchObject(
      refusal(/^There is no such key, so none was revoked\. .* --account ID\.$/m),
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
        refusal(/^Revoked "from outside" of user 1\. If your catalog has the key, delete it /, 0),
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
      return commanded('keys', 'create --account acme --user 1', { env })
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
