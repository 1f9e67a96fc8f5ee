import { execFile, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createClient, redeem } from '@embed-access/client'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasChromium, launchChromium, watch, withoutChromium } from '../browser/chromium.ts'
import { demoChanges } from '../support/catalog.ts'
import { run, started, withoutLimits } from '../support/command.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'
import { python, withoutPython } from './python.ts'

const execute = promisify(execFile)
const withoutPython3 = spawnSync('python3', ['-c', '']).error !== undefined

test('npm start loads the demo unless it is told otherwise', async () => {
  const start = [...withoutLimits, 'cli/embed-access.ts', 'start']
  const { child, printed, ended } = run(start, { PORT: '0' })
  onTestFinished(async () => {
    child.kill('SIGINT')
    await ended
  })
  await printed(/^Loading the demo catalog …\n/)
})

describe('the examples, against npm start', () => {
  let url = ''
  const directory = temporaryDirectory()

  beforeAll(async () => {
    const build = execute(process.execPath, ['--run', 'build'], { cwd: 'client' })
    // The first things of each kind load faster than all.
    const byKind = Object.values(Object.groupBy(demoChanges(), ({ kind }) => kind))
    const part = byKind.flatMap((all = []) => all.slice(0, 30))
    const catalog = await fileIn(directory, 'demo.ndjson', part)
    const [service] = await Promise.all([started('--catalog', catalog), build])
    url = service.url
    // It says how to call it with the key of the demo.
    await service.printed(/sk-demo-harborline-admin[\s\S]*curl/)
    return async () => {
      for (const host of Object.values(hosts)) await (await host)?.end()
      await (await browser)?.close()
      await service.end()
    }
  })

  const inPython = (code = 'examples/embed.py', env: Record<string, string> = {}) =>
    execute(python ?? '', [...(code.endsWith('.py') ? [] : ['-c']), code], {
      env: { ...process.env, PYTHONPATH: 'examples', API_URL: url, ...env },
    })

  test('go through the whole flow with curl', async () => {
    const { stdout } = await execute('bash', ['examples/embed.sh'], {
      env: { ...process.env, API_URL: `${url}/` },
    })
    expect(stdout).toMatch(/claims/)
    expect(stdout).toMatch(/\neyJ[\w-]+…\n/)
    expect(stdout).toMatch(/\n401\n/)
    expect(stdout.match(/"items":\[\{/g)).toHaveLength(3)
    expect(stdout).toMatch(/\n204\n$/)
  })

  test('go through the whole flow in Python, and verify the token', async ({ skip }) => {
    skip(!python, withoutPython)
    const { stdout } = await inPython(undefined, { API_URL: `${url}/` })
    expect(stdout).toMatch(
      /^token for harborline#external#alder-oak#user-1 valid for (?:86400|8639\d) seconds\n/,
    )
    expect(stdout).toContain('second time: 401 invalid_session\n')
    expect(stdout).toMatch(
      new RegExp(
        'workbooks: [1-9]\\d*\\nfailed dbt syncs: [1-9]\\d*\\nnotifications: [1-9]\\d*\\n' +
          'The token was revoked\\.\\n$',
      ),
    )
  })

  test('say in a sentence in Python that there is no service', async ({ skip }) => {
    skip(!python, withoutPython)
    const without = inPython(undefined, { API_URL: 'http://127.0.0.1:1' })
    const stderr = expect.stringMatching(
      /^Nothing answers at http:\/\/127\.0\.0\.1:1 \(.*npm start\.\n$/,
    )
    await expect(without).rejects.toMatchObject({ code: 1, stderr })
  })

  test('refuse the token of another issuer or account in Python', async ({ skip }) => {
    skip(!python, withoutPython)
    const ofIssuer = inPython(undefined, { ISSUER: 'https://other.example' })
    await expect(ofIssuer).rejects.toThrow('TokenRefused: Invalid issuer')
    const ofAccount = inPython(
      (await readFile('examples/embed.py', 'utf8')).replace('"harborline"', '"another"'),
    )
    await expect(ofAccount).rejects.toThrow('TokenRefused: The token is of another account.')
  })

  type Language = 'TypeScript' | 'Python'

  /**
   * The host application and the platform, with these settings; the host's own part in Python on
   * request.
   */
  async function startHost(env: Record<string, string> = {}, language: Language = 'TypeScript') {
    for (;;) {
      // The next one is for the other origin.
      const port = 20_000 + 2 * randomInt(5000)
      try {
        return await startHostAt(port, { API_URL: `${url}/`, ...env }, language)
      } catch (error) {
        // Some systems give these ports to connections, and keep them for a minute after the end.
        if (!/Port \d+ is taken/.test(`${error}`)) throw error
      }
    }
  }

  async function startHostAt(port: number, env: Record<string, string>, language: Language) {
    const servers: ReturnType<typeof run>[] = []
    async function start(args: readonly string[], program?: string) {
      const server = run([...args, '--port', `${port}`], env, program)
      servers.push(server)
      await server.printed(/for a host application at|host application is at/)
    }
    async function end() {
      for (const { child } of servers) child.kill()
      const ended = await Promise.all(servers.map((each) => each.ended))
      return ended.map(({ printed }) => printed).join('')
    }
    try {
      if (language === 'Python') {
        await start(['examples/host/start.ts', '--only', 'platform'])
        await start(['examples/host/application.py'], 'python3')
      } else {
        await start(['examples/host/start.ts'])
      }
    } catch (error) {
      await end()
      throw error
    }
    return {
      address: `http://127.0.0.1:${port}`,
      platform: `http://127.0.0.1:${port + 1}`,
      end,
    }
  }

  /** Tests share a host of each language, and a browser. A page has cookies of its own. */
  const hosts: Partial<Record<string, ReturnType<typeof startHost>>> = {}
  const hostIn = (language: Language) => (hosts[language] ??= startHost({}, language))
  let browser: ReturnType<typeof launchChromium> | undefined

  async function newPage() {
    browser ??= launchChromium()
    const page = await (await browser).newPage()
    onTestFinished(() => page.close())
    return page
  }

  /** Somebody logs in at a host, and sees the workbooks of a tenant in its embedded page. */
  async function seesWorkbooks(
    page: Awaited<ReturnType<typeof newPage>>,
    name: string,
    of: string,
  ) {
    await page.getByRole('button', { name }).click()
    const embedded = page.frameLocator('iframe')
    await embedded.getByText(`Workbooks of ${of}, for ${name}`).waitFor()
    await embedded.getByRole('listitem').first().waitFor()
    return embedded
  }

  // A browser and two servers start.
  test.for(['TypeScript', 'Python'] as const)(
    'embed a page of another origin, by a host in %s',
    slow,
    async (language, { skip }) => {
      skip(!hasChromium, withoutChromium)
      skip(language === 'Python' && withoutPython3, 'There is no python3.')
      const [host, page] = await Promise.all([hostIn(language), newPage()])
      const { errors } = watch(page)
      await page.goto(host.address)
      await seesWorkbooks(page, 'Mara Lindgren', 'alder-oak')
      expect(new Set(page.frames().map((each) => new URL(each.url()).origin))).toEqual(
        new Set([host.address, host.platform]),
      )
      await page.getByRole('button', { name: 'Log out' }).click()
      await seesWorkbooks(page, 'Jon Bergström', 'fjordhus')
      expect(errors).toEqual([])
    },
  )

  test(
    'let the embedded page say its height, renew its session and load again',
    slow,
    async ({ skip }) => {
      skip(!hasChromium, withoutChromium)
      const [host, page] = await Promise.all([hostIn('TypeScript'), newPage()])
      await page.setViewportSize({ width: 390, height: 800 })
      const { requested, errors } = watch(page)
      const exchanges = () =>
        requested.filter((request) => request === `${url}/api/v1/embed/session/token`).length
      await page.goto(host.address)
      const embedded = await seesWorkbooks(page, 'Mara Lindgren', 'alder-oak')
      expect(exchanges()).toBe(1)
      const heightOf = (element: 'html' | 'iframe') =>
        (element === 'html' ? embedded : page)
          .locator(element)
          .evaluate((each) => Math.ceil(each.getBoundingClientRect().height))
      await expect.poll(async () => (await heightOf('iframe')) - (await heightOf('html'))).toBe(0)
      expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('top-navigation')
      expect(await page.locator('iframe').getAttribute('title')).toBe('Embedded analytics')

      // Nobody but the embedded page says how high it is.
      const height = await heightOf('iframe')
      await page.evaluate(`{
        const { contentWindow } = document.querySelector('iframe')
        const data = { 'embed-access: height': 5000 }
        for (const sent of [
          { data, source: contentWindow, origin: 'https://evil.example' },
          { data, source: window, origin: '${host.platform}' },
          { data: null },
        ]) dispatchEvent(new MessageEvent('message', sent))
      }`)
      expect(await heightOf('iframe')).toBe(height)

      await embedded.getByRole('button', { name: 'Renew now' }).click()
      await embedded.getByText(/^Renewed at \d\d:\d\d$/).waitFor()
      expect(exchanges()).toBe(2)
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/host.png` })

      const [, frame] = page.frames()
      await frame?.evaluate('location.reload()')
      await expect.poll(exchanges).toBe(3)
      await embedded.getByRole('listitem').first().waitFor()

      const { sessionId } = await page.evaluate<{ sessionId: string }>(
        `fetch('/session', { method: 'POST' }).then((answer) => answer.json())`,
      )
      // A link could bring somebody into the session of another.
      const tab = await newPage()
      await tab.goto(`${host.platform}/?session=${sessionId}`)
      await tab.getByText('This page is not embedded.').waitFor()
      const json = { 'content-type': 'application/json' }
      const unused = JSON.stringify({ sessionId })
      expect((await post(`${url}/api/v1/embed/session/token`, json, unused)).status).toBe(200)

      expect(errors).toEqual([])

      // The element goes by its attributes as they are, while it is shown.
      await page.evaluate(`{
        const element = document.querySelector('embed-frame')
        element.setAttribute('allow', 'fullscreen')
        element.setAttribute('src', '${host.platform}/?again=1')
        element.setAttribute('session-url', './session')
        element.setAttribute('title', 'Reports')
      }`)
      const iframe = page.locator('embed-frame iframe')
      expect(await iframe.getAttribute('title')).toBe('Reports')
      expect(await iframe.getAttribute('allow')).toBe('fullscreen')
      await expect.poll(() => page.frames()[1]?.url()).toBe(`${host.platform}/?again=1`)
      await embedded.getByRole('listitem').first().waitFor()
      await page.context().clearCookies()
      await embedded.getByRole('button', { name: 'Renew now' }).click()
      await embedded.getByText('The host gives no session.').waitFor()
      expect(errors).toContainEqual(expect.stringContaining('./session answered 403.'))

      const unseen = await page.evaluate<[string, number]>(`(() => {
        const removed = document.querySelector('embed-frame')
        const own = document.createElement('embed-frame')
        removed.remove()
        for (const each of [removed, own]) each.setAttribute('src', '${host.platform}/?unseen')
        const unseen = [removed.firstChild.src, own.childElementCount]
        document.body.append(removed)
        removed.setAttribute('src', '/')
        return unseen
      })()`)
      expect(unseen).toEqual([`${host.platform}/?again=1`, 0])
      await expect.poll(() => errors.join()).toContain('needs a src of another origin')
      expect(await page.locator('iframe').count()).toBe(0)
    },
  )

  test('keep a newSession that was set before the element came', slow, async ({ skip }) => {
    skip(!hasChromium, withoutChromium)
    const [host, page] = await Promise.all([hostIn('TypeScript'), newPage()])
    await page.goto(host.address)
    // Where the embedded page asks for a session, and what is said without a sessionId.
    const asked = await page.evaluate(`(async () => {
      const { promise, resolve } = Promise.withResolvers()
      const element = document.createElement('embed-frame')
      element.setAttribute('src', '${host.platform}/')
      element.newSession = async () => resolve('own')
      globalThis.fetch = async (url) => {
        resolve(url)
        return Response.json({ id: 1 })
      }
      document.body.append(element)
      await import('/embed-frame.js')
      await import('/embed-frame.js?copy')
      const asked = await promise
      delete element.newSession
      return [asked, await element.newSession().catch(({ message }) => message)]
    })()`)
    expect(asked).toEqual(['own', '/session gave no sessionId.'])
  })

  test('let nobody press a button before there is a session', slow, async ({ skip }) => {
    skip(!hasChromium, withoutChromium)
    const [host, page] = await Promise.all([hostIn('TypeScript'), newPage()])
    await page.goto(host.platform)
    await page.getByText('This page is not embedded.').waitFor()
    expect(await page.getByRole('button', { disabled: false }).count()).toBe(0)
  })

  const post = (address: string, headers: Record<string, string>, body = '') =>
    fetch(address, { method: 'POST', headers, body, redirect: 'manual' })

  const login = (host: string, person = 'mara', origin = host) =>
    post(
      `${host}/login`,
      { origin, 'content-type': 'application/x-www-form-urlencoded' },
      `person=${person}`,
    )

  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''

  test('give no session to a page of another origin, nor to nobody', async () => {
    const { address, platform } = await hostIn('TypeScript')
    const cookie = cookieOf(await login(address))
    const statusOf = async (headers: Record<string, string>) =>
      (await post(`${address}/session`, headers)).status
    expect(await statusOf({ origin: address, cookie })).toBe(200)
    expect(await statusOf({ origin: platform, cookie })).toBe(403)
    expect(await statusOf({ cookie })).toBe(403)
    expect(await statusOf({ origin: address })).toBe(403)
    expect((await login(address, 'mara', platform)).status).toBe(403)
    expect((await login(address, 'constructor')).status).toBe(403)
    await post(`${address}/logout`, { origin: address, cookie })
    expect(await statusOf({ origin: address, cookie })).toBe(403)
    const forged = { headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } }
    expect((await fetch(`${platform}/workbooks`, forged)).status).toBe(401)
  })

  test('let an actor read as the end user and not write, and notice a logout', async () => {
    const { platform } = await hostIn('TypeScript')
    const client = createClient({ baseUrl: url, token: 'sk-demo-harborline-admin' })
    const sessionOf = async (more: object) => {
      const request = { deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'u', ...more }
      const { sessionId } = await client.generateSession(request)
      return redeem({ baseUrl: url, sessionId })
    }
    const asked = async (method: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${platform}/workbooks`, { method, headers })).status
    }
    const statusOf = async (method: string, more: object) =>
      asked(method, await (await sessionOf(more)).token())
    const actor = { id: 'sam', reason: 'Ticket 4711' }
    expect([await statusOf('GET', { actor }), await statusOf('POST', { actor })]).toEqual([
      200, 403,
    ])
    expect([await statusOf('GET', {}), await statusOf('POST', {})]).toEqual([200, 405])
    expect(await statusOf('GET', { embedTenantName: undefined })).toBe(200)
    const internal = { internalId: 'ines', embedTenantName: undefined }
    expect(await statusOf('GET', { ...internal, externalId: undefined })).toBe(403)
    const session = await sessionOf({})
    const token = await session.token()
    expect(await asked('GET', token)).toBe(200)
    await session.end()
    expect(await asked('GET', token)).toBe(401)
  })

  test.for(['TypeScript', 'Python'] as const)(
    'give no session after a logout that came before it, by a host in %s',
    async (language, { skip }) => {
      skip(language === 'Python' && withoutPython3, 'There is no python3.')
      const { promise: isLoggedOut, resolve: release } = Promise.withResolvers<void>()
      const { promise: generated, resolve: generate } = Promise.withResolvers<string>()
      // Stands before the service, and keeps the answer with the session back.
      const before = await serving(async (request, response) => {
        const { authorization = '' } = request.headers
        const headers = { authorization, 'content-type': 'application/json' }
        const body = await text(request)
        const answer = await fetch(url + request.url, { method: 'POST', headers, body })
        const answered = await answer.text()
        if (request.url?.includes('generate-session')) {
          generate(JSON.parse(answered).sessionId)
          await isLoggedOut
        }
        response.writeHead(answer.status).end(answered)
      })
      const { address, end } = await startHost({ API_URL: before.url }, language)
      const headers = { origin: address, cookie: cookieOf(await login(address)) }
      const asked = post(`${address}/session`, headers)
      const sessionId = await generated
      expect((await post(`${address}/logout`, headers)).status).toBe(303)
      release()
      expect((await asked).status).toBe(403)
      const redeemed = await fetch(`${url}/api/v1/embed/session/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId }),
      })
      expect(redeemed.status).toBe(401)
      await end()
    },
  )

  test.for(['TypeScript', 'Python'] as const)(
    'end a login when somebody else logs in, and read its cookie among others, in %s',
    async (language, { skip }) => {
      skip(language === 'Python' && withoutPython3, 'There is no python3.')
      const { address } = await hostIn(language)
      const earlier = `settings[x]={"a": 1}; ${cookieOf(await login(address))}`
      const headers = { origin: address, cookie: earlier }
      const answer = await post(`${address}/session`, headers)
      const { sessionId } = (await answer.json()) as { sessionId: string }
      const session = await redeem({ baseUrl: url, sessionId })
      const asked = { headers: { authorization: `Bearer ${await session.token()}` } }
      const isGood = async () => (await fetch(`${url}/api/v1/embed/session`, asked)).ok
      expect(await isGood()).toBe(true)

      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      const later = cookieOf(await post(`${address}/login`, form, 'person=jon'))
      expect(await isGood()).toBe(false)
      expect((await post(`${address}/session`, headers)).status).toBe(403)
      const again = { origin: address, cookie: later }
      expect((await post(`${address}/session`, again)).status).toBe(200)
    },
  )

  test.for(['TypeScript', 'Python'] as const)(
    'answer 502 where a proxy answers, and revoke all at the next logout, in %s',
    async (language, { skip }) => {
      skip(language === 'Python' && withoutPython3, 'There is no python3.')
      let asked = 0
      const proxy = await serving(async (request, response) => {
        await text(request)
        asked += 1
        const isAnswered = asked < 3 || asked > 5
        response.end(isAnswered ? JSON.stringify({ sessionId: `${asked}` }) : '<!doctype html>')
      })
      const { address, end } = await startHost({ API_URL: proxy.url }, language)
      const headers = { origin: address, cookie: cookieOf(await login(address)) }
      const statusOf = async (path: string) => (await post(address + path, headers)).status
      expect([await statusOf('/session'), await statusOf('/session')]).toEqual([200, 200])
      expect([await statusOf('/session'), asked]).toEqual([502, 3])
      expect(await statusOf('/logout')).toBe(502)
      expect(asked).toBe(5)
      expect([await statusOf('/logout'), asked]).toEqual([303, 7])
      expect(await statusOf('/session')).toBe(403)
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      expect((await post(`${address}/login`, form, 'person=%FF')).status).toBe(403)
      await end()
    },
  )

  test('explain themselves with --help', async () => {
    expect(await run(['examples/host/start.ts', '--help']).ended).toEqual({
      code: 0,
      printed: expect.stringMatching(/^Usage: npm run example /),
    })
  })

  test.each([
    [['--port', 'x'], '--port must be a number from 1 to 65534, not x.'],
    [['--port', '65535'], '--port must be a number from 1 to 65534, not 65535.'],
    [['--only', 'host'], '--only takes platform alone, not host.'],
    [['--prot', '3000'], "Unknown option '--prot'"],
  ])('say what is wrong with %j', async (options, message) => {
    const { code, printed } = await run(['examples/host/start.ts', ...options]).ended
    expect(code).toBe(2)
    expect(printed.split('\n', 3)).toEqual([
      expect.stringContaining(message),
      '',
      expect.any(String),
    ])
    expect(printed).toContain('\nUsage: npm run example ')
  })

  test('say that a port is taken, and how to take another one', async () => {
    const port = Number(new URL(url).port)
    expect(
      await run(['examples/host/start.ts', '--port', String(port - 1)], { API_URL: url }).ended,
    ).toEqual({
      code: 1,
      printed: `Port ${port} is taken. Another one: npm run example -- --port ${port + 100}\n`,
    })
  })

  test('answer 502 without a word of the key when the service refuses the key', async () => {
    const { address, end } = await startHost({ API_KEY: 'sk-secret-but-wrong' })
    const cookie = cookieOf(await login(address))
    const response = await post(`${address}/session`, { origin: address, cookie })
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.not.stringContaining('sk-'),
    ])
    const printed = await end()
    expect(printed).toContain('The request lacks a valid credential.')
    expect(printed).not.toContain('sk-secret')
  })
})
