import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { apiKeyPattern } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { keyInState, type SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CurrentSigningKeys, keptSigningKeys, writeSigningKeys } from '../../cli/signing-keys.ts'
import { startOfTime, world, keys as worldKeys } from '../world.ts'

type Outcome = { readonly code: number; readonly output: string; readonly said: string }

async function npmRunKeys(args: string, env: Record<string, string> = {}, input = ''): Promise<Outcome> {
  const words = args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? []
  const child = spawn(process.execPath, ['cli/keys.ts', ...words], { env: { ...process.env, ...env } })
  child.stdin.on('error', () => {}).end(input)
  const closed = once(child, 'close')
  const [output, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code: code as number, output, said }
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

  test('says what is wrong in a sentence and ends with 1', async () => {
    const cases = {
      '': /^Usage:/,
      nonsense: /^Usage:/,
      'create extra': /^Usage:/,
      'list --bogus': /^Unknown option '--bogus'\. See npm run keys -- --help\.$/m,
      create: /^--account ACCOUNT is required\./,
      'create --account acme': /^--user ID is required\./,
      'create --account acme --user ada': /^ada is not the id of a user/,
      'create --account acme --user 1 --deployments 1,x': /^1,x is not a list of deployment ids/,
      'create --account acme --user 1 --expires soon': /^soon is not a time/,
      'create --account acme --user 1 --expires 2020-01-01': /^2020-01-01 is over already/,
      'create --account acme --user 1 --expires 0d': /^0d is over already/,
      revoke: /^Say which key/,
      'revoke abc': /^8 to 64 characters of the hash are needed/,
      'revoke abcdef01 --key-from-stdin': /^Say which key/,
      rotate: /^Say whose signing keys/,
      'rotate --stage x --data y': /^Say whose signing keys/,
      'rotate --data /nowhere/at/all':
        /^There are no signing keys of \/nowhere\/at\/all yet\. Make them with: npm run keys -- init/,
      'list --account acme': /^Nothing answers at DYNAMODB_ENDPOINT/,
    }
    const outcomes = Object.entries(cases).map(async ([args, message]) => {
      const { code, output, said } = await npmRunKeys(args, { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })
      expect([args, code, output, said]).toEqual([args, 1, '', expect.stringMatching(message)])
    })
    await Promise.all(outcomes)
  })
})

describe('the signing keys of a local server', () => {
  let current: CurrentSigningKeys
  let data: string
  beforeAll(async () => {
    data = join(directory, 'data')
    await writeSigningKeys(data, await firstSigningKeys(hourAgo()))
    current = await keptSigningKeys(data)
  })
  const service = world(undefined, { signingKeys: () => current() })

  async function newToken(): Promise<string> {
    const call = { key: worldKeys.admin, body: { deploymentId: 1, externalId: 'u' } }
    const { body } = await service.post('/api/v1/embed/generate-session', call)
    return (await service.post('/api/v1/embed/session/token', { body })).body.token
  }

  test('are made once, for the owner’s eyes alone', async () => {
    const fresh = join(directory, 'fresh')
    const made = await npmRunKeys(`init --data ${fresh}`)
    expect([made.code, made.output]).toEqual([0, ''])
    const file = join(fresh, 'signing-keys.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const keys = await readFile(file, 'utf8')

    const again = await npmRunKeys(`init --data ${fresh}`)
    expect([again.code, again.said]).toEqual([1, expect.stringContaining(`npm run keys -- rotate --data ${fresh}`)])
    expect(await readFile(file, 'utf8')).toBe(keys)
    expect((await npmRunKeys(`init --data ${fresh} --replace`)).code).toBe(0)
    expect(await readFile(file, 'utf8')).not.toBe(keys)
  })

  test('are rotated while it runs: old tokens hold, new ones are signed by the next key', async () => {
    const before = current()
    const token = await newToken()
    const { code, output, said } = await npmRunKeys(`rotate --data ${data}`)
    expect([code, output]).toEqual([0, ''])
    for (const d of privateParts(current())) expect(said).not.toContain(d)
    expect(keyInState(current(), 'active').kid).toBe(keyInState(before, 'next').kid)

    const { body } = await service.get('/.well-known/jwks.json')
    const currentDate = new Date(startOfTime)
    await jwtVerify(token, createLocalJWKSet(body), { currentDate })
    const { protectedHeader } = await jwtVerify(await newToken(), createLocalJWKSet(body), { currentDate })
    expect(protectedHeader.kid).toBe(keyInState(before, 'next').kid)
    const published = await npmRunKeys(`public --data ${data}`)
    expect(JSON.parse(published.output)).toEqual(body)
  })

  test('are not rotated before clients can know the next one', async () => {
    const before = current()
    const { code, said } = await npmRunKeys(`rotate --data ${data}`)
    expect([code, said]).toEqual([1, expect.stringMatching(/^The next key was published at .+ Rotate again from /)])
    expect(current()).toBe(before)
  })

  test('of another form are named by their file, and nothing of them is shown', async () => {
    const old = join(directory, 'old')
    await mkdir(old)
    await writeFile(join(old, 'signing-keys.json'), '{"keys":[{"kty":"EC","d":"topsecret"}]}')
    const { code, said } = await npmRunKeys(`rotate --data ${old}`)
    expect([code, said]).toEqual([1, expect.stringMatching(/signing-keys\.json holds no signing keys .+ --replace$/m)])
    expect(said).not.toContain('topsecret')
  })
})

/** Does with a file what `sst secret list` and `sst secret set NAME` do, and notes how it was called. */
const fakeSst = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const [, , , verb, ...rest] = process.argv
const home = process.env.FAKE_SST
appendFileSync(home + '/calls', JSON.stringify(process.argv.slice(2)) + '\\n')
const stage = rest[rest.indexOf('--stage') + 1]
if (stage === 'forbidden') {
  console.error('✕  Could not get secrets')
  process.exit(1)
}
const file = home + '/secrets.json'
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const print = (header, secrets = {}) => {
  if (Object.keys(secrets).length > 0) console.log(header)
  for (const [name, value] of Object.entries(secrets)) console.log(name + '=' + value)
}
if (verb === 'list') {
  if (!all.fallback && !all[stage]) {
    console.error('✕  No secrets found')
    process.exit(1)
  }
  print('# fallback', all.fallback)
  print('# embed-access/' + stage, all[stage])
} else {
  // Like sst, which takes no last line that has no end.
  const value = readFileSync(0, 'utf8').replace(/[^\\n]+$/, '')
  writeFileSync(file, JSON.stringify({ ...all, [stage]: { ...all[stage], [rest[0]]: value } }))
  console.log('✓  Set "' + rest[0] + '" for stage "' + stage + '". Run "sst deploy" to update.')
}
`

describe('the signing keys of a deployed stage', () => {
  let home: string
  let env: Record<string, string>
  let deployed: SigningKeys
  beforeAll(async () => {
    deployed = await firstSigningKeys(hourAgo())
    home = join(directory, 'sst')
    await mkdir(home)
    await writeFile(join(home, 'sst'), fakeSst, { mode: 0o755 })
    env = { FAKE_SST: home, PATH: `${home}${delimiter}${process.env.PATH}` }
  })
  const service = world(undefined, { signingKeys: () => deployed })

  const secrets = async () => JSON.parse(await readFile(join(home, 'secrets.json'), 'utf8'))
  const keysOf = async (stage: string): Promise<SigningKeys> => JSON.parse((await secrets())[stage].SigningKeys)
  const keep = (secrets: object) => writeFile(join(home, 'secrets.json'), JSON.stringify(secrets))

  test('are made once, as the secret SigningKeys', async () => {
    const { code, said } = await npmRunKeys('init --stage prod', env)
    expect([code, said]).toEqual([0, expect.stringContaining('npx sst deploy --stage prod')])
    const keys = await keysOf('prod')
    expect(keys.keys.map(({ state }) => state)).toEqual(['active', 'next'])
    expect((await npmRunKeys('init --stage prod', env)).code).toBe(1)
    expect(await keysOf('prod')).toEqual(keys)
  })

  test('are rotated once the next one has been deployed and known for long enough, other secrets and stages untouched', async () => {
    const others = { fallback: { SigningKeys: 'x' }, prod: { Other: 'y' }, preprod: { SigningKeys: 'z' } }
    await keep({ ...others, prod: { ...others.prod, SigningKeys: JSON.stringify(deployed) } })
    const rotated = await npmRunKeys('rotate --stage prod', env)
    expect(rotated.code).toBe(0)
    const keys = await keysOf('prod')
    expect(keyInState(keys, 'active').kid).toBe(keyInState(deployed, 'next').kid)
    expect(await secrets()).toEqual({ ...others, prod: { ...others.prod, SigningKeys: expect.any(String) } })

    const early = await npmRunKeys('rotate --stage prod', env)
    expect([early.code, early.said]).toEqual([1, expect.stringContaining('Rotate again from')])
    expect(await keysOf('prod')).toEqual(keys)

    const calls = await readFile(join(home, 'calls'), 'utf8')
    for (const d of [...privateParts(deployed), ...privateParts(keys)]) {
      for (const seen of [calls, rotated.said, rotated.output, early.said]) expect(seen).not.toContain(d)
    }
  })

  test('are not rotated, with --url, while the service there publishes others', async () => {
    const others = await firstSigningKeys(hourAgo())
    await keep({ prod: { SigningKeys: JSON.stringify(others) } })
    const refused = await npmRunKeys(`rotate --stage prod --url ${service.url}/`, env)
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('publishes other keys than those kept')])
    expect(await keysOf('prod')).toEqual(others)

    await keep({ prod: { SigningKeys: JSON.stringify(deployed) } })
    expect((await npmRunKeys(`rotate --stage prod --url ${service.url}`, env)).code).toBe(0)
    const nobody = await npmRunKeys('rotate --stage prod --url http://127.0.0.1:1', env)
    expect([nobody.code, nobody.said]).toEqual([1, expect.stringMatching(/^No key set can be read at http/)])
  })

  test('that cannot be had are a sentence with what sst says', async () => {
    const { code, said } = await npmRunKeys('rotate --stage forbidden', env)
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^The secrets of stage forbidden cannot be read\. sst says:\n.+/),
    ])
    const none = await npmRunKeys('rotate --stage new', env)
    expect([none.code, none.said]).toEqual([1, expect.stringContaining('npm run keys -- init --stage new')])
    const nowhere = await npmRunKeys('rotate --stage prod', { PATH: '/nowhere' })
    expect([nowhere.code, nowhere.said]).toEqual([1, 'There is no sst here. Run npm install, then npm run keys.\n'])
  })
})

describe('API keys from the command line', () => {
  const service = world()
  const env = () => {
    const { catalog, sessions, credentials } = service.storage.tables
    return {
      DYNAMODB_ENDPOINT: inject('engineEndpoint'),
      CATALOG_TABLE: catalog,
      SESSIONS_TABLE: sessions,
      CREDENTIALS_TABLE: credentials,
    }
  }
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
    const key = await newKey("--name 'nightly job' --deployments 2 --expires 30d")
    expect([await status(key, 1), await status(key, 2)]).toEqual([403, 200])
    service.now = Date.now() + 31 * 86_400_000
    expect(await status(key, 2)).toBe(401)
    service.now = startOfTime
    const { output } = await npmRunKeys('list --account acme --user 1', env())
    const line = output.split('\n').find((line) => line.includes('nightly job'))
    const expires = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    expect(line).toMatch(
      new RegExp(`^${hashOfApiKey(key).slice(0, 12)}  1 +nightly job +2 +${expires}T\\S+  2026-06-01T12:00:00.000Z$`),
    )
  })

  test('are listed by account and by user, with what a terminal would obey taken out', async () => {
    const data = { accountId: 'other', userId: 1, name: 'red \u001b[31m', tokenHash: 'ab'.repeat(32) }
    await service.apply([{ kind: 'apiKey', data }])
    const { output } = await npmRunKeys('list --account other', env())
    expect(output).toContain('red �[31m')
    expect(output.trim().split('\n')).toHaveLength(3)
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
    const { said } = await npmRunKeys('list --account acme', { ...env(), CREDENTIALS_TABLE: 'no-such-table' })
    expect(said).toMatch(/^There are no such tables\. Set CATALOG_TABLE/)
  })
})
