import { execFile, spawn } from 'node:child_process'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { readPublicKeys, readSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { decodeJwt, decodeProtectedHeader, type JWK } from 'jose'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
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
const codeOfNode = readFileSync('examples/verifier.mjs', 'utf8')
const codeOfGo = readFileSync('examples/verifier.go', 'utf8')

describe('the code of docs/verify-a-token.md accepts tokens of this service alone,', () => {
  const service = world()
  let keySetUrl: string
  let readings: number
  let isAway: boolean
  let isReset: boolean
  let isSlow: boolean

  /**
   * The service's keys, and one for another algorithm, so that only the list of algorithms stands
   * before it.
   */
  beforeEach(async () => {
    readings = 0
    isAway = false
    isReset = false
    isSlow = false
    const extra = { ...others.rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' } as JWK
    const published = JSON.stringify({
      keys: [...(await readPublicKeys(service.storage)).keys, extra],
    })
    const answer: RequestListener = (_, response) => {
      readings += 1
      if (isReset) return response.socket?.resetAndDestroy()
      response.statusCode = isAway ? 503 : 200
      response.setHeader('content-type', 'application/json')
      if (isSlow) setTimeout(() => response.end(published), 50)
      else response.end(published)
    }
    keySetUrl = (await serving(answer)).url
  })

  const folder = temporaryDirectory()

  /** The code with the issuer and the key set of this test, whose addresses differ. */
  const here = (code: string): string => {
    expect(code).toContain('https://api.example.com')
    return code
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
      right: {
        'as it was made': token,
        'signed again': saying({}),
        'of a clock that is ahead': saying({ iat: seconds + 20, nbf: seconds + 20 }),
      },
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
        'that has just ended': saying({ iat: seconds - hour, nbf: seconds - hour, exp: seconds }),
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

  const subject = 'acme#external##u-1'

  /**
   * Starts a program that reads lines. A token it answers with the subject or that it refuses it,
   * and a number with nothing: it is so many seconds later then, for its key set.
   */
  function started(command: string, args: readonly string[]) {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
    const write = (line: string | number) => child.stdin.write(`${line}\n`)
    return {
      later: write,
      async answerTo(token: string): Promise<string> {
        write(token)
        return (await answers.next()).value ?? 'ended'
      },
    }
  }
  type Program = ReturnType<typeof started>

  async function expectRight({ answerTo }: Program): Promise<void> {
    const { right, wrong } = await tokens()
    const told: string[] = []
    for (const [name, token] of Object.entries({ ...right, ...wrong }))
      told.push(`${name}: ${await answerTo(token)}`)
    expect(told).toEqual([
      ...Object.keys(right).map((name) => `${name}: ${subject}`),
      ...Object.keys(wrong).map((name) => `${name}: refused`),
    ])
    for (let count = 0; count < 20; count += 1)
      expect(await answerTo(wrong['that names an unknown key'])).toBe('refused')
    // At the start, and at most once more for a key that is not in the set.
    expect(readings).toBeLessThanOrEqual(2)
  }

  /** Readings of the key set fail. A token is as good as before, until tokens live no longer. */
  async function expectPatience({ answerTo, later }: Program): Promise<void> {
    const { 'as it was made': token } = (await tokens()).right
    expect(await answerTo(token)).toBe(subject)
    isAway = true
    for (const seconds of [400, 3600, 82_000]) {
      const before = readings
      later(seconds)
      isReset = seconds === 3600
      expect(await answerTo(token)).toBe(subject)
      await expect.poll(() => readings).toBeGreaterThan(before)
      expect(await answerTo(token)).toBe(subject)
    }
    later(1000)
    expect(await answerTo(token)).toBe('refused')
    isAway = false
    later(400)
    expect(await answerTo(token)).toBe(subject)
  }

  const inNode = () => {
    const use = `import { createInterface } from 'node:readline'
    for await (const line of createInterface(process.stdin)) {
      if (/^\\d+$/.test(line)) {
        ahead += Number(line) * 1000
        for (const act of due) act()
      } else console.log(await verify(line).then((claims) => claims.sub, () => 'refused'))
    }`
    // jose keeps the age of a key set by Date.now, and looks at exp by a new Date.
    const clock = `const [{ now }, due] = [Date, []]
    let ahead = 0
    Date.now = () => now() + ahead
    globalThis.setInterval = (act) => ({ unref: () => due.push(act) })`
    return started(process.execPath, [
      '--input-type=module',
      '-e',
      `${clock}\n${here(codeOfNode)}\n${use}`,
    ])
  }

  const inPython = (command: string) =>
    started(command, [
      '-Bc',
      `
import sys, time
steady, ahead = time.monotonic, 0
time.monotonic = lambda: steady() + ahead
sys.path.insert(0, "examples")
from jwt import PyJWKClientConnectionError
from verifier import TokenRefused, Verifier
verifier = Verifier("${service.issuer}", "${service.issuer}", "acme", api_url="${keySetUrl}")
for line in sys.stdin:
    if line.strip().isdigit():
        ahead += int(line)
        continue
    try:
        print(verifier.verify(line.strip())["sub"], flush=True)
    except (TokenRefused, PyJWKClientConnectionError):
        print("refused", flush=True)
`,
    ])

  test('in Node', async () => {
    await expectRight(inNode())
  })

  test('in Node, also while the service is down', async () => {
    await expectPatience(inNode())
  })

  test('in Python', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    await expectRight(inPython(python))
  })

  test('in Python, also while the service is down', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    await expectPatience(inPython(python))
  })

  // Go fetches two packages and compiles its own library the first time. It does as little as it
  // can then: it optimizes nothing, notes nothing for debuggers and compiles no C.
  test('in Go', { timeout: 240_000 }, async ({ skip }) => {
    cpSync('test/docs/go', folder, { recursive: true })
    mkdirSync(join(folder, 'embedtoken'))
    const source = join(folder, 'embedtoken', 'embedtoken.go')
    writeFileSync(source, here(codeOfGo))
    const go = (...args: string[]) =>
      execute('go', args, {
        cwd: folder,
        timeout: 100_000,
        env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOGC: '400' },
      })
    const missing = await go('mod', 'download').then(
      () => undefined,
      (error: Error & { code?: unknown; stderr?: string }) =>
        error.code === 'ENOENT'
          ? 'There is no Go here.'
          : `Go does not get its packages: ${error.stderr?.trim()}`,
    )
    if (missing !== undefined) return skip(missing)
    const build = () =>
      go('build', '-gcflags=all=-N -l -dwarf=false -c=1', '-ldflags=-s -w', '-o', 'verify', '.')
    await build()
    await expectRight(started(join(folder, 'verify'), []))
    // The same with a shorter time between two readings, while the service is down.
    writeFileSync(source, here(codeOfGo).replace('5 * time.Minute', '20 * time.Millisecond'))
    await build()
    const { answerTo } = started(join(folder, 'verify'), [])
    const { 'as it was made': token } = (await tokens()).right
    expect(await answerTo(token)).toBe(subject)
    isAway = true
    const before = readings
    await expect.poll(() => readings).toBeGreaterThan(before + 2)
    expect(await answerTo(token)).toBe(subject)
    // One that starts meanwhile reads the key set for a token, a moment after it has tried in vain.
    writeFileSync(
      source,
      here(codeOfGo).replace('Every(30*time.Second', 'Every(20*time.Millisecond'),
    )
    await build()
    const late = started(join(folder, 'verify'), [])
    expect(await late.answerTo(token)).toBe('refused')
    isAway = false
    isSlow = true
    await expect.poll(() => late.answerTo(token)).toBe(subject)
  })
})
