import { execFile, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/engine.ts'
import { hasChromium, launchChromium, watch, withoutChromium } from '../browser/chromium.ts'
import { run } from '../support/command.ts'
import { python, withoutPython } from '../support/python.ts'
import { slow } from '../support/time.ts'

const execute = promisify(execFile)

describe('the examples, against npm start', () => {
  let service: ReturnType<typeof run>
  let url = ''

  beforeAll(async () => {
    await execute('npm', ['run', 'build', '--workspace', 'client'])
    service = run(['cli/start.ts', '--port', '0'])
    url = (await service.printed(/Listening on (http:\/\/127\.0\.0\.1:\d+)/))[1] as string
  })
  afterAll(async () => {
    service?.child.kill('SIGINT')
    await service?.ended
  })

  const inPython = (env: Record<string, string> = {}) =>
    execute(python ?? '', ['examples/embed.py'], { env: { ...process.env, API_URL: url, ...env } })

  test('go through the whole flow with curl', async () => {
    const { stdout } = await execute('bash', ['examples/embed.sh'], { env: { ...process.env, API_URL: url } })
    expect(stdout).toMatch(/claims/)
    expect(stdout).toMatch(/\neyJ[\w-]+…\n/)
    expect(stdout).toMatch(/\n401\n/)
    expect(stdout.match(/"items":\[\{/g)).toHaveLength(3)
    expect(stdout).toMatch(/\n204\n$/)
  })

  test('go through the whole flow in Python, and verify the token', async ({ skip }) => {
    skip(!python, withoutPython)
    const { stdout } = await inPython()
    expect(stdout).toMatch(/^token for harborline#external#alder-oak#user-1 valid for 86400 seconds\n/)
    expect(stdout).toContain('second time: 401 invalid_session\n')
    expect(stdout).toMatch(
      /workbooks: [1-9]\d*\nfailed dbt syncs: [1-9]\d*\nnotifications: [1-9]\d*\nThe token was revoked\.\n$/,
    )
  })

  test('refuse the token of another issuer in Python', async ({ skip }) => {
    skip(!python, withoutPython)
    await expect(inPython({ ISSUER: 'https://other.example' })).rejects.toThrow('TokenRefused: Invalid issuer')
  })

  test('refuse the token of another account in Python', async ({ skip }) => {
    skip(!python, withoutPython)
    const { stdout } = await execute('sed', ['s/"harborline"/"another"/', 'examples/embed.py'])
    const other = execute(python ?? '', ['-c', stdout], {
      env: { ...process.env, API_URL: url, PYTHONPATH: 'examples' },
    })
    await expect(other).rejects.toThrow('TokenRefused: The token is of another account.')
  })

  /** A port with another one after it, for the two origins. */
  async function twoPorts(): Promise<number> {
    const port = await freePort()
    return (await isFree(port + 1)) ? port : twoPorts()
  }

  const isFree = (port: number) =>
    new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })

  /** The host application and the platform, with these settings; the host's own part in Python on request. */
  async function startHost(env: Record<string, string> = {}, language: 'TypeScript' | 'Python' = 'TypeScript') {
    const port = await twoPorts()
    const only = language === 'Python' ? ['--only', 'platform'] : []
    const started = run(['examples/host/start.ts', '--port', String(port), ...only], { API_URL: url, ...env })
    await started.printed(/for a host application at|host application is at/)
    const options = { env: { ...process.env, API_URL: url, ...env } }
    const inPython =
      only.length > 0 && spawn('python3', ['examples/host/application.py', '--port', String(port)], options)
    if (inPython) await new Promise((resolve) => inPython.stdout.once('data', resolve))
    return {
      address: `http://127.0.0.1:${port}`,
      platform: `http://127.0.0.1:${port + 1}`,
      async end() {
        if (inPython) inPython.kill()
        started.child.kill()
        return (await started.ended).printed
      },
    }
  }

  // A browser and two servers start.
  test.for(['TypeScript', 'Python'] as const)(
    'embed a page of another origin, by a host in %s',
    slow,
    async (language, { skip }) => {
      skip(!hasChromium, withoutChromium)
      skip(language === 'Python' && spawnSync('python3', ['-c', '']).error !== undefined, 'There is no python3.')
      const [browser, host] = await Promise.all([launchChromium(), startHost({}, language)])
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
      const { requested, errors } = watch(page)
      const exchanges = () => requested.filter((request) => request === `${url}/api/v1/embed/session/token`).length
      await page.goto(host.address)
      await page.getByRole('button', { name: 'Mara Lindgren' }).click()
      const embedded = page.frameLocator('iframe')
      await embedded.getByText('Workbooks of alder-oak, for Mara Lindgren').waitFor()
      await embedded.getByRole('listitem').first().waitFor()
      expect(exchanges()).toBe(1)

      await embedded.getByRole('button', { name: 'Renew now' }).click()
      await embedded.getByText(/^Renewed at \d\d:\d\d$/).waitFor()
      expect(exchanges()).toBe(2)
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/host.png` })

      const [, frame] = page.frames()
      await frame?.evaluate('location.reload()')
      await expect.poll(exchanges).toBe(3)
      await embedded.getByRole('listitem').first().waitFor()
      expect(new Set(page.frames().map((each) => new URL(each.url()).origin))).toEqual(
        new Set([host.address, host.platform]),
      )

      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('button', { name: 'Jon Bergström' }).click()
      await embedded.getByText('Workbooks of fjordhus, for Jon Bergström').waitFor()
      await embedded.getByRole('listitem').first().waitFor()
      expect(errors).toEqual([])

      await page.context().clearCookies()
      await embedded.getByRole('button', { name: 'Renew now' }).click()
      await embedded.getByText('The host gives no session.').waitFor()
      expect(errors).toContainEqual(expect.stringContaining('Our backend answered 403.'))
      await browser.close()
      await host.end()
    },
  )

  test('give no session to a page of another origin, nor to nobody', async () => {
    const host = await startHost()
    const post = (path: string, headers: Record<string, string>, body = '') =>
      fetch(host.address + path, { method: 'POST', headers, body, redirect: 'manual' })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const login = await post('/login', { origin: host.address, ...form }, 'person=mara')
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const statusOf = async (headers: Record<string, string>) => (await post('/session', headers)).status
    expect(await statusOf({ origin: host.address, cookie })).toBe(200)
    expect(await statusOf({ origin: host.platform, cookie })).toBe(403)
    expect(await statusOf({ cookie })).toBe(403)
    expect(await statusOf({ origin: host.address })).toBe(403)
    expect((await post('/login', { origin: host.platform, ...form }, 'person=mara')).status).toBe(403)
    expect((await post('/login', { origin: host.address, ...form }, 'person=constructor')).status).toBe(403)
    await post('/logout', { origin: host.address, cookie })
    expect(await statusOf({ origin: host.address, cookie })).toBe(403)
    const forged = { headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } }
    expect((await fetch(`${host.platform}/workbooks`, forged)).status).toBe(401)
    await host.end()
  })

  test('say that a port is taken, and how to take another one', async () => {
    const port = await twoPorts()
    const other = createServer().listen(port, '127.0.0.1')
    const { code, printed } = await run(['examples/host/start.ts', '--port', String(port)], { API_URL: url }).ended
    expect([code, printed]).toEqual([
      1,
      `Port ${port} is taken. Another one: npm run example -- --port ${port + 100}\n`,
    ])
    other.close()
  })

  test('answer 502 without a word of the key when the service refuses the key', async () => {
    const host = await startHost({ API_KEY: 'sk-secret-but-wrong' })
    const headers = { origin: host.address, 'content-type': 'application/x-www-form-urlencoded' }
    const login = await fetch(`${host.address}/login`, {
      method: 'POST',
      headers,
      body: 'person=mara',
      redirect: 'manual',
    })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const response = await fetch(`${host.address}/session`, {
      method: 'POST',
      headers: { origin: host.address, cookie },
    })
    expect([response.status, await response.text()]).toEqual([502, expect.not.stringContaining('sk-')])
    const printed = await host.end()
    expect(printed).toContain('The request lacks a valid credential.')
    expect(printed).not.toContain('sk-secret')
  })
})
