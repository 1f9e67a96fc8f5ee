import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationIdOf, routes } from '../../functions/operations/operations.ts'
import { run } from '../support/command.ts'
import { hasChromium, launchChromium, watch } from './chromium.ts'

describe.skipIf(!hasChromium)('the API reference of npm start', () => {
  let service: ReturnType<typeof run>
  let browser: Browser
  let url = ''

  beforeAll(async () => {
    service = run(['cli/start.ts', '--port', '0'])
    url = (await service.printed(/API reference: (http:\/\/127\.0\.0\.1:\d+)\/docs/))[1] as string
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    service?.child.kill('SIGINT')
    await service?.ended
  })

  test('shows every operation, tries one out, and asks nobody but the server itself', async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } })
    const { requested, errors } = watch(page)
    await page.goto(`${url}/docs`)
    for (const route of routes) {
      const operation = page.locator(`[id$="-${operationIdOf(route)}"]`)
      await operation.waitFor()
      expect((await operation.textContent())?.replaceAll('\u200b', '')).toContain(route.path)
    }

    await page.locator('.btn.authorize').click()
    const [first] = await page.locator('.auth-container').all()
    expect(await first?.textContent()).toMatch(/^bearer.*Authorized/)
    await page.waitForFunction('document.activeElement.closest(".modal-ux-content")')
    expect(await page.evaluate('document.querySelector(".modal-ux-content").scrollTop')).toBe(0)
    await page.getByRole('button', { name: 'Close' }).first().click()

    const syncs = page.locator('[id$="-listDbtSyncs"]')
    await syncs.locator('.opblock-summary-control').click()
    await syncs.locator('tr[data-param-name="first"] input').fill('2')
    await syncs.locator('tr[data-param-name="status"] select').selectOption('FAILED')
    const [response] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/dbt-sync')),
      syncs.getByRole('button', { name: 'Execute' }).click(),
    ])
    expect([response.status(), new URL(response.url()).searchParams.get('status')]).toEqual([200, 'FAILED'])
    expect((await response.json()).items).toHaveLength(2)
    await syncs.locator('.live-responses-table .response-col_status').filter({ hasText: '200' }).waitFor()
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/reference.png` })

    expect(requested.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
    expect(errors).toEqual([])
    await page.close()
  })
})
