import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readPublicKeys, readSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { decodeJwt, decodeProtectedHeader, type JWK } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  attackers,
  es256,
  type Fields,
  hs256,
  others,
  signed,
  unsigned,
} from '../access/forging.ts'
import { python, withoutPython } from '../examples/python.ts'
import { world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { serving, temporaryDirectory } from '../support/temporary.ts'

const execute = promisify(execFile)
const page = readFileSync('docs/verify-a-token.md', 'utf8')

describe('the code of docs/verify-a-token.md accepts tokens of this service alone,', () => {
  const service = world()
  let keySetUrl: string

  /**
   * The service's keys, and one for another algorithm, so that only the list of algorithms stands
   * before it.
   */
  beforeEach(async () => {
    const extra = { ...others.rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' } as JWK
    const published = JSON.stringify({
      keys: [...(await readPublicKeys(service.storage)).keys, extra],
    })
    const answer: RequestListener = (_, response) =>
      response.setHeader('content-type', 'application/json').end(published)
    keySetUrl = (await serving(answer)).url
  })

  const folder = temporaryDirectory()

  /**
   * The code in this language, with the issuer and the key set of this test, whose addresses
   * differ.
   */
  const code = (language: string): string => {
    const [block = ''] = page.split(`\`\`\`${language}\n`)[1]?.split('```') ?? []
    expect(block).toContain('https://api.example.com')
    return block
      .replaceAll('https://api.example.com', service.issuer)
      .replaceAll(/\$?\{issuer\}|(?<=")(?=\/\.well-known)/gi, keySetUrl)
      .replace('issuer + ', '')
  }

  /** Tokens to accept and tokens to refuse, which differ from the first ones in one thing each. */
  async function tokens() {
    service.now = Date.now()
    const token = await sessionsOf(service).newToken({ externalId: 'u-1' })
    const [header, claims] = [decodeProtectedHeader(token), decodeJwt(token)]
    const own = (await readSigningKeys(service.storage)).keys.find(({ kid }) => kid === header.kid)
    const privateKey = createPrivateKey({ key: own as JWK, format: 'jwk' })
    const publicKey = createPublicKey(privateKey)
    const signer = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    const ours = es256({ kid: 'ours', privateKey, publicKey })
    const [hour, seconds] = [3600, Math.floor(Date.now() / 1000)]
    const saying = (fields: Fields) => signed(header, { ...claims, ...fields }, ours)
    const headed = (fields: Fields, by = ours) => signed({ ...header, ...fields }, claims, by)
    return {
      right: { 'as it was made': token, 'signed again': saying({}) },
      wrong: {
        'with another signature': token.replace(/[^.]*$/, 'A'.repeat(86)),
        'signed by somebody else': headed({}, es256(attackers)),
        'that names an unknown key': headed({ kid: 'unknown' }),
        'of another type': headed({ typ: 'JWT' }),
        'without a type': headed({ typ: undefined }),
        'for another audience': saying({ aud: 'https://other.test' }),
        'for nobody': saying({ aud: undefined }),
        'of another issuer': saying({ iss: 'https://other.test' }),
        'of no issuer': saying({ iss: undefined }),
        'that has ended': saying({
          iat: seconds - 2 * hour,
          nbf: seconds - 2 * hour,
          exp: seconds - hour,
        }),
        'that has not begun': saying({ nbf: seconds + hour }),
        'without an end': saying({ exp: undefined }),
        'without a subject': saying({ sub: undefined }),
        'under an algorithm of another key of the set': headed(
          { alg: 'RS256', kid: 'rsa' },
          es256({ kid: 'rsa', ...others.rsa }),
        ),
        'under another algorithm': headed({ alg: 'ES384' }, (input) =>
          sign('sha384', Buffer.from(input), signer),
        ),
        'with the public key as a secret': headed(
          { alg: 'HS256' },
          hs256(publicKey.export({ type: 'spki', format: 'pem' })),
        ),
        'without a signature': headed({ alg: 'none' }, unsigned),
      },
    }
  }

  /** Has a command tell the subject of each token, or that it refuses it. */
  async function expectRight(command: string, args: readonly string[]): Promise<void> {
    const { right, wrong } = await tokens()
    const { stdout } = await execute(command, [
      ...args,
      ...Object.values(right),
      ...Object.values(wrong),
    ])
    const told = stdout.split('\n')
    const names = Object.keys({ ...right, ...wrong })
    expect(names.map((name, index) => `${name}: ${told[index]}`)).toEqual(
      names.map((name) => `${name}: ${name in right ? 'acme#external##u-1' : 'refused'}`),
    )
  }

  test('in Node', async () => {
    const use = `for (const token of process.argv.slice(1))
      console.log(await verify(token).then((claims) => claims.sub, () => 'refused'))`
    await expectRight(process.execPath, [
      '--input-type=module',
      '-e',
      `${code('js')}\n${use}`,
      '--',
    ])
  })

  test('in Python', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const use = `
import sys
sys.path.insert(0, "examples")
from verifier import TokenRefused, Verifier
verifier = Verifier("${service.issuer}", "${service.issuer}", "acme", api_url="${keySetUrl}")
for token in sys.argv[1:]:
    try:
        print(verifier.verify(token)["sub"])
    except TokenRefused:
        print("refused")
`
    await expectRight(python, ['-Bc', use])
  })

  // Go compiles its own library the first time, and fetches two packages.
  test('in Go', { timeout: 240_000 }, async ({ skip }) => {
    cpSync('test/docs/go', folder, { recursive: true })
    mkdirSync(join(folder, 'embedtoken'))
    writeFileSync(join(folder, 'embedtoken', 'embedtoken.go'), code('go'))
    const go = (...args: string[]) =>
      execute('go', args, {
        cwd: folder,
        timeout: 100_000,
        env: { ...process.env, GOTOOLCHAIN: 'local' },
      })
    const missing = await go('mod', 'download').then(
      () => undefined,
      (error: Error & { code?: unknown; stderr?: string }) =>
        error.code === 'ENOENT'
          ? 'There is no Go here.'
          : `Go does not get its packages: ${error.stderr?.trim()}`,
    )
    if (missing !== undefined) return skip(missing)
    await go('build', '-o', 'verify', '.')
    await expectRight(join(folder, 'verify'), [])
  })
})
