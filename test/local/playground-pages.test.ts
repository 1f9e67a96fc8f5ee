import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { demoDirectory } from '../../local/directory.ts'
import { withPages } from '../../local/pages.ts'
import { playgroundPages } from '../../local/playground-pages.ts'
import { world } from '../support/service.ts'

describe('the playground', () => {
  const pages = playgroundPages(demoDirectory)
  const server = createServer((_request, response) => response.writeHead(404).end('gateway'))
  let url = ''
  beforeAll(async () => {
    withPages(server, pages)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const { get } = world([])
  test('is no part of the service itself', async () => {
    for (const path of pages.keys()) expect((await get(path)).status, path).toBe(404)
  })

  test('is served before the gateway, with a policy that lets it load its own files only', async () => {
    const page = await fetch(`${url}/?any=query`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await page.text()
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|https?:\/\//)
    const files = [...text.matchAll(/(?:src|href)="(\/playground\/[^"]+)"/g)].map(([, path]) => path as string)
    expect(files.length).toBeGreaterThan(3)
    for (const path of files) expect((await fetch(url + path)).status, path).toBe(200)
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${url}/playground/tsconfig.json`)).status).toBe(404)
    expect((await fetch(`${url}/playground/..%2Fstart.ts`)).status).toBe(404)
  })

  test('gives browsers JavaScript of its TypeScript', async () => {
    const script = await fetch(`${url}/playground/main.ts`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await script.text()).not.toMatch(/import type|: Directory/)
  })

  test('offers every demo key, with what it may do', async () => {
    const { accounts } = (await (await fetch(`${url}/playground/directory.json`)).json()) as ReturnType<
      typeof demoDirectory
    >
    const keys = accounts.flatMap((account) => account.keys)
    expect(keys.map(({ key }) => key).sort()).toEqual(Object.values(demoKeys).sort())
    const about = Object.fromEntries(keys.map((each) => [each.key, each.about]))
    expect(about[demoKeys.analyst]).toBe('Priya, not an admin; reads deployment 1001 only')
    expect(about[demoKeys.expired]).toMatch(/expired on 2026-01-01$/)
  })
})
