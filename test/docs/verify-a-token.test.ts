import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { keys, world } from '../world.ts'

const execute = promisify(execFile)
const page = readFileSync('docs/verify-a-token.md', 'utf8')

/** A Python that has PyJWT. */
const python = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import jwt, cryptography']).status === 0,
)

describe('the code of the page on verification', () => {
  const service = world()

  /** The code in this language, for the issuer of this test, whose address is another one. */
  const code = (language: string) => {
    const [block = ''] = page.split(`\`\`\`${language}\n`)[1]?.split('```') ?? []
    expect(block).toContain('https://api.example.com')
    return block.replaceAll('https://api.example.com', service.issuer).replaceAll(/\$?\{issuer\}/gi, service.url)
  }
  const inNode = (tokens: readonly string[]) => {
    const use = `for (const token of process.argv.slice(1))
      console.log(await verify(token).then((claims) => claims.sub, (error) => error.code ?? error.name))`
    return linesOf(process.execPath, ['--input-type=module', '-e', `${code('js')}\n${use}`, '--', ...tokens])
  }
  const inPython = (tokens: readonly string[]) => {
    const use = `
import sys
for token in sys.argv[1:]:
    try:
        print(verify(token)["sub"])
    except jwt.InvalidTokenError as error:
        print(type(error).__name__)
`
    return linesOf(python ?? '', ['-c', `${code('python')}\n${use}`, ...tokens])
  }
  const linesOf = async (command: string, args: readonly string[]) =>
    (await execute(command, args)).stdout.trim().split('\n')

  /** A token of the service, and three that are not: its signature changed, another type, and signed by somebody else. */
  async function tokens(): Promise<readonly string[]> {
    service.now = Date.now()
    const post = async (path: string, body: object, headers: object = {}) =>
      (
        await fetch(`${service.url}/api/v1/embed/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      ).json()
    const authorization = `Bearer ${keys.admin}`
    const session = await post('generate-session', { deploymentId: 1, externalId: 'u-1' }, { authorization })
    const { token } = (await post('session/token', session as object)) as { token: string }
    const [header = '', payload = '', signature = ''] = token.split('.')
    const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
    const signed = (typ: string) =>
      new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()))
        .setProtectedHeader({ alg: 'ES256', kid, typ })
        .sign(privateKey)
    const changed = `${header}.${payload}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`
    return [token, changed, await signed('JWT'), await signed('embed+jwt')]
  }

  test('accepts a token of the service and no other, in Node', async () => {
    const [first, ...others] = await inNode(await tokens())
    expect(first).toBe('acme#external##u-1')
    expect(others).toEqual([
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ])
  })

  test.skipIf(!python)('accepts a token of the service and no other, in Python', async () => {
    const [first, ...others] = await inPython(await tokens())
    expect(first).toBe('acme#external##u-1')
    expect(others).toEqual(['InvalidSignatureError', 'InvalidTokenError', 'InvalidSignatureError'])
  })
})
