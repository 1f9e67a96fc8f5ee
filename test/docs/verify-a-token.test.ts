import { execFile } from 'node:child_process'
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readPublicKeys, readSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import type { JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { python, withoutPython } from '../support/python.ts'
import { keys, world } from '../support/service.ts'

const execute = promisify(execFile)
const page = readFileSync('docs/verify-a-token.md', 'utf8')

type Fields = Readonly<Record<string, unknown>>

const encoded = (value: Fields): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const decoded = (part = ''): Fields => JSON.parse(Buffer.from(part, 'base64url').toString())

/** By hand, since no library makes most of these. */
function signed(header: Fields, claims: Fields, by: (input: string) => Buffer): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${by(input).toString('base64url')}`
}

const ecdsa = (key: KeyObject, hash = 'sha256') => {
  return (input: string) => sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
}

const without = (fields: Fields, name: string): Fields => ({ ...fields, [name]: undefined })

describe('the code of the page on verification accepts a token of the service and no other', () => {
  const service = world()
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let keySet: Server

  /** The service's key set, and a key that would do for another algorithm, so that only the list of algorithms stands before it. */
  beforeAll(async () => {
    const extra = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' } as JWK
    const published = JSON.stringify({ keys: [...(await readPublicKeys(service.storage)).keys, extra] })
    keySet = createServer((_, response) => response.setHeader('content-type', 'application/json').end(published))
    await new Promise<void>((resolve) => keySet.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => keySet.close())

  /** The code in this language, with the issuer and the key set of this test, whose addresses differ. */
  const code = (language: string): string => {
    const [block = ''] = page.split(`\`\`\`${language}\n`)[1]?.split('```') ?? []
    expect(block).toContain('https://api.example.com')
    const url = `http://127.0.0.1:${(keySet.address() as AddressInfo).port}`
    return block
      .replaceAll('https://api.example.com', service.issuer)
      .replaceAll(/\$?\{issuer\}|(?<=")(?=\/\.well-known)/gi, url)
      .replace('issuer + ', '')
  }

  /** Tokens to accept and tokens to refuse, which differ from the first ones in one thing each. */
  async function tokens() {
    service.now = Date.now()
    const body = { deploymentId: 1, externalId: 'u-1' }
    const session = await service.post('/api/v1/embed/generate-session', { key: keys.admin, body })
    const { token } = (await service.post('/api/v1/embed/session/token', { body: session.body })).body
    const [first, second, signature] = token.split('.') as [string, string, string]
    const [header, claims] = [decoded(first), decoded(second)]
    const own = (await readSigningKeys(service.storage)).keys.find(({ kid }) => kid === header.kid)
    const privateKey = createPrivateKey({ key: own as JWK, format: 'jwk' })
    const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
    const ours = ecdsa(privateKey)
    const hour = 3600
    const seconds = Math.floor(Date.now() / 1000)
    const saying = (fields: Fields) => signed(header, { ...claims, ...fields }, ours)
    return {
      right: { 'as it was made': token, 'signed again': signed(header, claims, ours) },
      wrong: {
        'with another signature': `${first}.${second}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
        'signed by somebody else': signed(header, claims, ecdsa(another.privateKey)),
        'that names an unknown key': signed({ ...header, kid: 'unknown' }, claims, ours),
        'of another type': signed({ ...header, typ: 'JWT' }, claims, ours),
        'without a type': signed(without(header, 'typ'), claims, ours),
        'for another audience': saying({ aud: 'https://other.test' }),
        'for nobody': signed(header, without(claims, 'aud'), ours),
        'of another issuer': saying({ iss: 'https://other.test' }),
        'of no issuer': signed(header, without(claims, 'iss'), ours),
        'that has ended': saying({ iat: seconds - 2 * hour, nbf: seconds - 2 * hour, exp: seconds - hour }),
        'that has not begun': saying({ nbf: seconds + hour }),
        'without an end': signed(header, without(claims, 'exp'), ours),
        'without a subject': signed(header, without(claims, 'sub'), ours),
        'under an algorithm of another key of the set': signed(
          { ...header, alg: 'RS256', kid: 'rsa' },
          claims,
          (input) => sign('sha256', Buffer.from(input), rsa.privateKey),
        ),
        'under another algorithm': signed({ ...header, alg: 'ES384' }, claims, ecdsa(privateKey, 'sha384')),
        'with the public key as a secret': signed({ ...header, alg: 'HS256' }, claims, (input) =>
          createHmac('sha256', publicKey).update(input).digest(),
        ),
        'without a signature': signed({ ...header, alg: 'none' }, claims, () => Buffer.alloc(0)),
      },
    }
  }

  /** Has a command tell the subject of each token, or that it refuses it. */
  async function expectRight(command: string, args: readonly string[]): Promise<void> {
    const { right, wrong } = await tokens()
    const all = { ...right, ...wrong }
    const { stdout } = await execute(command, [...args, ...Object.values(all)])
    const lines = stdout.trim().split('\n')
    expect(Object.fromEntries(Object.keys(all).map((name, index) => [name, lines[index]]))).toEqual({
      ...Object.fromEntries(Object.keys(right).map((name) => [name, 'acme#external##u-1'])),
      ...Object.fromEntries(Object.keys(wrong).map((name) => [name, 'refused'])),
    })
  }

  test('in Node', async () => {
    const use = `for (const token of process.argv.slice(1))
      console.log(await verify(token).then((claims) => claims.sub, () => 'refused'))`
    await expectRight(process.execPath, ['--input-type=module', '-e', `${code('js')}\n${use}`, '--'])
  })

  test('in Python', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const use = `
import sys
for token in sys.argv[1:]:
    try:
        print(verify(token)["sub"])
    except jwt.PyJWTError:
        print("refused")
`
    await expectRight(python, ['-c', `${code('python')}\n${use}`])
  })

  // Go compiles its own library the first time, and fetches two packages.
  test('in Go', { timeout: 240_000 }, async ({ skip, onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'verify-a-token-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync('test/docs/go', folder, { recursive: true })
    mkdirSync(join(folder, 'embedtoken'))
    writeFileSync(join(folder, 'embedtoken', 'embedtoken.go'), code('go'))
    const go = (...args: string[]) =>
      execute('go', args, { cwd: folder, timeout: 100_000, env: { ...process.env, GOTOOLCHAIN: 'local' } })
    const missing = await go('mod', 'download').then(
      () => undefined,
      (error: Error & { code?: unknown; stderr?: string }) =>
        error.code === 'ENOENT' ? 'There is no Go here.' : `Go does not get its packages: ${error.stderr?.trim()}`,
    )
    if (missing !== undefined) return skip(missing)
    await go('build', '-o', 'verify', '.')
    await expectRight(join(folder, 'verify'), [])
  })
})
