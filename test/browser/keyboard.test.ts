import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visits } from './visit.ts'

const { open } = visits()

/** Where the focus is, and whether that can be seen. */
type Focus = { readonly id: string; readonly name: string; readonly isVisible: boolean }

const focus = (page: Page): Promise<Focus> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    const style = getComputedStyle(at)
    const { width, height } = at.getBoundingClientRect()
    return {
      id: at.id,
      name: at.textContent.trim(),
      isVisible: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && width > 0 && height > 0,
    }
  })()`)

/** Presses Tab until the focus is where it should be; at every stop on the way it must be visible. */
async function tabTo(page: Page, isThere: (focus: Focus) => boolean): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab')
    const now = await focus(page)
    expect(now).toEqual({ ...now, isVisible: true })
    if (isThere(now)) return
  }
  throw new Error('the Tab key never gets there')
}
const tabToId = (page: Page, id: string) => tabTo(page, (focus) => focus.id === id)

test('a session needs no mouse, from the form to its end', async () => {
  const page = await open()
  await page.keyboard.press('Tab')
  expect((await focus(page)).name).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await tabToId(page, 'person')
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('#external-id').inputValue()).toBe('ao-1002')
  await tabTo(page, ({ name }) => name === 'finance')
  await page.keyboard.press('Space')
  expect(await page.locator('#groups').inputValue()).toBe('finance')
  await tabToId(page, 'add-attribute')
  await page.keyboard.press('Enter')
  await page.keyboard.type('region')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('north')
  await tabToId(page, 'generate')
  await page.keyboard.press('Enter')
  await page.locator('#generate-answer .badge.good').waitFor()
  expect(await page.locator('#announcer').textContent()).toMatch(/^200 OK/)
  await tabToId(page, 'redeem')
  await page.keyboard.press('Enter')
  await page.locator('#token .badge.good').waitFor()
  expect(await page.locator('#announcer').textContent()).toContain('verified')
  expect((await focus(page)).id).toBe('redeem')
  await page.keyboard.press('Enter')
  await page.locator('.attempts .badge.bad').waitFor()
  expect(await page.locator('#announcer').textContent()).toMatch(/^401/)
  await tabToId(page, 'revoke')
  await page.keyboard.press('Space')
  await page.locator('#revoke-exchange').getByText('204 No Content').waitFor()
})

test('the lists need no mouse', async () => {
  const page = await open()
  await tabTo(page, ({ name }) => name === 'Workbooks')
  await page.keyboard.press('Enter')
  await page.locator('#workbooks .outcome').waitFor()
  expect((await focus(page)).name).toBe('What an embed tenant sees')
  await tabTo(page, ({ id }) => id === 'workbooks-tenant')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('radio', { name: 'Tenant', exact: true, checked: true }).waitFor()
  await tabTo(page, ({ id }) => id === 'workbooks-first')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.locator('#workbooks').getByText('2 workbooks, more follow').waitFor()
  await tabTo(page, ({ name }) => name === 'Next page')
  await page.keyboard.press('Enter')
  await page.getByText('Page 2').waitFor()
  await page.waitForFunction('document.activeElement.classList.contains("outcome")')

  await page.keyboard.press('Home')
  await page.goto(`${page.url().split('#')[0]}#syncs`)
  await page.locator('#syncs .outcome').waitFor()
  await tabToId(page, 'syncs-status')
  await page.keyboard.type('FAIL')
  await page.locator('#syncs .sync-error').first().waitFor()
  await tabTo(page, ({ name }) => name === 'Phases and details')
  await page.keyboard.press('Enter')
  await page.locator('#syncs .sync table').first().waitFor()
})
