import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visits } from './visit.ts'

const { open } = visits()

/** Where the focus is, and whether that can be seen. */
type Focus = { readonly id: string; readonly name: string; readonly isVisible: boolean }

async function focus(page: Page): Promise<Focus> {
  // On its way into a frame of another site it is nowhere for a moment.
  await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true)
  const [main, embedded = page.mainFrame()] = page.frames()
  const isEmbedded = await page.evaluate(`document.activeElement.tagName === 'IFRAME'`)
  return (isEmbedded ? embedded : (main as Frame)).evaluate(`(() => {
    const at = document.activeElement
    const style = getComputedStyle(at)
    const { width, height } = at.getBoundingClientRect()
    return {
      id: at.id,
      name: at.textContent.trim(),
      isVisible: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 &&
        width > 0 && height > 0,
    }
  })()`)
}

/**
 * Presses a key where the Tab key gets to, by its id or text. At every stop on the way the focus
 * must be visible.
 */
async function pressAt(page: Page, place: string, key = 'Enter', step = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press(step)
    const now = await focus(page)
    expect(now).toEqual({ ...now, isVisible: true })
    if (now.id === place || now.name === place) return page.keyboard.press(key)
  }
  throw new Error(`the Tab key never gets to ${place}`)
}
const announced = (page: Page) => page.locator('#announcer').textContent()

test('a session needs no mouse, from the form to its end', async () => {
  const page = await open()
  await page.keyboard.press('Tab')
  expect((await focus(page)).name).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await pressAt(page, 'person', 'ArrowDown')
  expect(await page.locator('#external-id').inputValue()).toBe('ao-1002')
  await page.frameLocator('iframe').getByText('for ao-1002').waitFor()
  await pressAt(page, 'End user', 'ArrowRight')
  await pressAt(page, 'finance', 'Space')
  expect(await page.locator('#groups').inputValue()).toBe('finance')
  await pressAt(page, 'Groups and roles', 'ArrowRight', 'Shift+Tab')
  await pressAt(page, 'user-attributes', 'r')
  await page.keyboard.type('egion: north')
  await pressAt(page, 'generate')
  await page.locator('#generate-answer .badge.good').waitFor()
  expect(await announced(page)).toMatch(/^200 OK/)
  await pressAt(page, 'redeem')
  await page.locator('#token .badge.good').waitFor()
  await page.locator('#announcer:has-text("Verified expires")').waitFor()
  expect((await focus(page)).id).toBe('redeem')
  await page.keyboard.press('Enter')
  await page.locator('#redeem-exchange .badge.bad').waitFor()
  expect(await announced(page)).toMatch(/^401/)
  await pressAt(page, 'revoke', 'Space')
  await page.locator('#revoke-exchange').getByText('204 No Content').waitFor()
})

test('the lists need no mouse', async () => {
  const page = await open()
  await pressAt(page, 'Workbooks')
  await page.locator('#workbooks .outcome').waitFor()
  expect((await focus(page)).name).toBe('What an embed tenant sees')
  await pressAt(page, 'workbooks-access-source', 'T')
  expect(await page.getByLabel('Access source').inputValue()).toBe('tenant')
  await pressAt(page, 'workbooks-first', 'ControlOrMeta+A')
  await page.keyboard.type('2\n')
  await page.locator('#workbooks').getByText('2 workbooks, more follow').waitFor()
  await pressAt(page, 'Next page')
  await page.getByText('Page 2').waitFor()
  await page.waitForFunction('document.activeElement.classList.contains("outcome")')

  await page.goto(`${page.url().split('#')[0]}#syncs`)
  await page.locator('#syncs .outcome').waitFor()
  await pressAt(page, 'syncs-status', 'F')
  await page.locator('#syncs .sync:not(:has(.sync-error))').first().waitFor({ state: 'detached' })
  await pressAt(page, 'Phases and details')
  await page.locator('#syncs .sync pre').first().waitFor()
})

test('who skips to the content keeps the address of what is filled in', async () => {
  const page = await open('workbooks?tenant=brightwater')
  const link = page.url()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForFunction('document.activeElement.id === "content"')
  await page.waitForURL(link)
})
