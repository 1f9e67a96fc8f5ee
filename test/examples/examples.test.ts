import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/free-port.ts'
import { hasChromium, launchChromium, watch, withoutChromium } from '../browser/chromium.ts'
import { run } from '../support/command.ts'
import { python, withoutPython } from '../support/python.ts'

const execute = promisify(execFile)

describe('the examples, against npm start', () => {
  let service: ReturnType<typeof run>
  let url = ''

  beforeAll(async () => {
    await execute('npm', ['run', 'build', '--workspace', 'client'])
    service = run(['local/start.ts', '--port', '0'])
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
    expect(stdout).toMatch(/workbooks: [1-9]\d*\nfailed dbt syncs: [1-9]\d*\nnotifications: [1-9]\d*\nrevoked\n$/)
  })

  test('refuse the token of another issuer in Python', async ({ skip }) => {
    skip(!python, withoutPython)
    await expect(inPython({ ISSUER: 'https://other.example' })).rejects.toThrow('InvalidIssuerError')
  })

  /** The host application, with these settings. */
  async function startHost(env: Record<string, string> = {}) {
    const host = run(['examples/host/server.ts'], { API_URL: url, PORT: String(await freePort()), ...env })
    const [, address] = await host.printed(/host application is at (http:\S+)/)
    return {
      address: address as string,
      async end() {
        host.child.kill()
        return (await host.ended).printed
      },
    }
  }

  test('show the embedded page, which renews its session through the page around it', async ({ skip }) => {
    skip(!hasChromium, withoutChromium)
    const [browser, host] = await Promise.all([launchChromium(), startHost()])
    const page = await browser.newPage()
    const { requested, errors } = watch(page)
    await page.goto(host.address)
    const embedded = page.frameLocator('iframe')
    await embedded.getByText('Hello Mara Lindgren').waitFor()
    const tokenId = async () => JSON.parse((await embedded.locator('#claims').textContent()) ?? '').jti
    const first = await tokenId()
    await embedded.getByRole('button', { name: 'Renew now' }).click()
    await expect.poll(tokenId).not.toBe(first)
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/host.png` })

    expect(requested.filter((request) => request === `${url}/api/v1/embed/session/token`)).toHaveLength(2)
    expect(page.frames().map((frame) => frame.url())).toEqual([`${host.address}/`, `${host.address}/embedded`])
    // There is no icon, and a browser asks for one.
    expect(errors.filter((error) => !error.includes('404'))).toEqual([])
    await browser.close()
    await host.end()
  })

  test('say that something is amiss, and nothing of the key, when the service refuses it', async () => {
    const host = await startHost({ API_KEY: 'sk-secret-but-wrong' })
    const response = await fetch(host.address)
    expect([response.status, await response.text()]).toEqual([502, expect.not.stringContaining('sk-')])
    const printed = await host.end()
    expect(printed).toContain('The request lacks a valid credential.')
    expect(printed).not.toContain('sk-secret')
  })
})
