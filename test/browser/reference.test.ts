import { expect, test } from 'vitest'
import { routes } from '../../functions/operations/operations.ts'
import { operationIdOf } from '../../openapi/document.ts'
import { picture, visits } from './visit.ts'

const { newPage, url } = visits()

test('the API reference shows every operation, and tries one out', async () => {
  const page = await newPage({ viewport: { width: 1200, height: 1600 } })
  await page.goto(`${url()}/docs`)
  for (const route of routes) {
    const operation = page.locator(`[id$="-${operationIdOf(route)}"]`)
    await operation.waitFor()
    expect((await operation.textContent())?.replaceAll('\u200b', '')).toContain(route.path)
  }

  expect(await page.locator('main').count()).toBe(1)

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
  expect([response.status(), new URL(response.url()).searchParams.get('status')]).toEqual([
    200,
    'FAILED',
  ])
  expect((await response.json()).items).toHaveLength(2)
  await syncs
    .locator('.live-responses-table .response-col_status')
    .filter({ hasText: '200' })
    .waitFor()
  await picture(page, 'reference')
})
