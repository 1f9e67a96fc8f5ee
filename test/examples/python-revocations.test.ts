import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startOfTime, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { serving } from '../support/temporary.ts'
import { python, withoutPython } from './python.ts'

describe('the Python verifier', () => {
  const service = world()
  let begin = startOfTime
  let state: {
    isAway: boolean
    isSlow?: boolean
    document?: string
    keySet?: string
    proxy?: string
    asked: string[]
  }
  beforeEach(() => {
    begin += 1_000_000
    service.now = begin
    state = { isAway: false, asked: [] }
  })
  const newToken = () => sessionsOf(service).newToken({ externalId: 'u-1' })
  const end = (token: string) => service.delete('/api/v1/embed/session', bearer(token))

  /**
   * What it says of each token at the same time, and the time that passes for it and for the
   * service.
   */
  async function started(more = '') {
    const { url } = await serving(async ({ url = '', headers }, response) => {
      if (state.isAway) return response.writeHead(503).end()
      if (state.proxy !== undefined) return response.end(state.proxy)
      state.asked.push(url)
      if (state.isSlow) await setTimeout(200)
      const { authorization } = headers
      const reply = await service.get(url, authorization ? { authorization } : {})
      const replacement = url.endsWith('/embed-revocations') ? state.document : state.keySet
      response.writeHead(reply.status).end(replacement ?? reply.text)
    })
    const code = `
import concurrent.futures, datetime, sys, time
import jwt.api_jwt
steady, ahead, later = time.monotonic, 0, ${(service.now - Date.now()) / 1000}
time.monotonic = lambda: steady() + ahead
class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.now(tz) + datetime.timedelta(seconds=later + ahead)
jwt.api_jwt.datetime = Clock
sys.path.insert(0, "examples")
from verifier import TokenRefused, Verifier
issuer = "${service.issuer}"
verifier = Verifier(issuer, issuer, "acme", api_url="${url}", revocations=True${more})
def told(token):
    try:
        verifier.verify(token)
        return "good"
    except TokenRefused:
        return "revoked"
    except Exception as error:
        return error
pool = concurrent.futures.ThreadPoolExecutor()
for line in sys.stdin:
    if line.strip().isdigit():
        ahead += int(line)
    else:
        print(*pool.map(told, line.split()), flush=True)
`
    const child = spawn(`${python}`, ['-Bc', code], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
    return {
      later(seconds: number) {
        service.now += seconds * 1000
        child.stdin.write(`${seconds}\n`)
      },
      async verdict(...tokens: string[]): Promise<string> {
        child.stdin.write(`${tokens.join(' ')}\n`)
        return (await answers.next()).value ?? 'ended'
      },
    }
  }
  const readings = () => state.asked.filter((path) => path.endsWith('/embed-revocations')).length
  const questions = () => state.asked.filter((path) => path === '/api/v1/embed/session').length

  test('refuses what is revoked within 30 seconds, by one reading in 15', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const [token, other] = [await newToken(), await newToken()]
    const { verdict, later } = await started()
    for (let count = 0; count < 20; count += 1) expect(await verdict(token)).toBe('good')
    await end(token)
    let seconds = 0
    for (; (await verdict(token)) === 'good'; seconds += 5) later(5)
    expect(seconds).toBeLessThanOrEqual(30)
    expect([await verdict(other), questions()]).toEqual(['good', 0])
    expect(readings()).toBe(2)
  })

  test('refuses what it knows while the service is away, then all, or asks', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const [token, ended] = [await newToken(), await newToken()]
    await end(ended)
    const [refusing, asking] = [await started(), await started(', on_stale="ask"')]
    for (const { verdict, later } of [refusing, asking]) {
      state.isAway = false
      expect([await verdict(token), await verdict(ended)]).toEqual(['good', 'revoked'])
      state.isAway = true
      for (const seconds of [60, 180, 55]) {
        later(seconds)
        expect([await verdict(token), await verdict(ended)]).toEqual(['good', 'revoked'])
      }
      later(10)
      expect([await verdict(token), await verdict(ended)]).toEqual([
        expect.stringMatching(/older than five minutes|503/),
        'revoked',
      ])
    }
    state.isAway = false
    state.document = 'nonsense'
    for (const { later } of [refusing, asking]) later(30)
    expect(await refusing.verdict(token)).toBe('The revocations are older than five minutes.')
    expect([await asking.verdict(token), questions()]).toEqual(['good', 1])
  })

  test('waits for new revocations if the last ones count no more', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const { verdict, later } = await started()
    expect(await verdict(await newToken())).toBe('good')
    state.isSlow = true
    later(400)
    const token = await newToken()
    expect(await verdict(token, token)).toBe('good good')
  })

  test('takes no document that is older or a token, and none of nobody', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const [token, ended] = [await newToken(), await newToken()]
    const older = (await service.get('/.well-known/embed-revocations')).text
    await end(ended)
    service.now += 15_000
    const { verdict, later } = await started()
    expect(await verdict(ended)).toBe('revoked')
    for (const document of [older, token, '']) {
      state.document = document
      later(15)
      expect([await verdict(ended), await verdict(token)]).toEqual(['revoked', 'good'])
    }
    const first = await started()
    expect(await first.verdict(token)).toBe('The revocations could not be read yet.')
  })
  test('blames no token for a key set that is none', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const token = await newToken()
    const { verdict, later } = await started()
    state.keySet = '[]'
    expect(await verdict(token)).toBe('The JWKS endpoint did not return a JSON object')
    delete state.keySet
    later(30)
    expect(await verdict(token)).toBe('good')
  })
  test('takes the page of a proxy for no answer about a token', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const token = await newToken()
    const { verdict, later } = await started(', every_seconds=0')
    expect(await verdict(token)).toBe('good')
    state.proxy = '<!doctype html>'
    later(15)
    expect(await verdict(token)).toMatch(/^Expecting value/)
    state.proxy = '{}'
    later(15)
    expect(await verdict(token)).toBe('This is no answer of the service.')
  })
})
