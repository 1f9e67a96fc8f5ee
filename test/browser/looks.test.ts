import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { slow } from '../support/time.ts'
import { picture, visits } from './visit.ts'

const { open, newPage, url } = visits()

/** What axe finds wrong with what is shown: contrast, names, roles, ids, small targets. */
async function faultsOf(page: Page): Promise<string[]> {
  const rules = { 'target-size': { enabled: true } }
  const { violations } = await new AxeBuilder({ page }).options({ rules }).analyze()
  return violations.flatMap(({ help, nodes }) => nodes.map(({ html }) => `${help}: ${html}`))
}

// axe takes seconds for each look at a page.
test.each(['light', 'dark'] as const)(
  'axe finds no fault in the session, in a %s browser',
  slow,
  async (colorScheme) => {
    const page = await open('session', { colorScheme })
    expect(
      await page.evaluate(`matchMedia('(prefers-color-scheme: ${colorScheme})').matches`),
    ).toBe(true)
    await page.frameLocator('iframe').getByRole('listitem').first().waitFor()
    await page.getByRole('tab', { name: 'Attributes' }).click()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('tab', { name: 'Groups and roles' }).click()
    await page.getByLabel('Global groups', { exact: true }).fill('nobody-knows')
    await page.getByRole('button', { name: 'Generate the session' }).click()
    await page.locator('.error').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Global groups', { exact: true }).fill('emea')
    await page.getByRole('button', { name: 'Generate the session' }).click()
    await page.getByRole('button', { name: 'Redeem the session' }).click()
    await page.locator('#token .token').waitFor()
    await page.evaluate(
      `for (const each of document.querySelectorAll('#session details')) each.open = true`,
    )
    expect(await faultsOf(page)).toEqual([])
    await picture(page, `session-${colorScheme}`)

    for (const tab of ['End user', 'Theme', 'Settings', 'Any other field']) {
      await page.getByRole('tab', { name: tab }).click()
      expect(await faultsOf(page), tab).toEqual([])
    }
  },
)

test.each(['light', 'dark'] as const)(
  'axe finds no fault in the other sections, in a %s browser',
  slow,
  async (colorScheme) => {
    const page = await open('session', { colorScheme })
    const why = 'workbooks?tenant=alder-oak&why=5155'
    for (const section of ['workbooks?first=200', 'syncs', why, 'notifications', 'requests']) {
      await page.goto(`${page.url().split('#')[0]}#${section}`)
      const [id] = section.split('?')
      await page.locator(`#${id} .outcome`).last().waitFor()
      if (section.includes('why')) await page.locator('.facts').waitFor()
      expect(await faultsOf(page), section).toEqual([])
      await picture(page, `${id}-${colorScheme}`)
    }
  },
)

test.each(['light', 'dark'] as const)(
  'axe finds no fault in the reference of errors, in a %s browser',
  async (colorScheme) => {
    const page = await newPage({ colorScheme, bypassCSP: true })
    // Chromium asks for an icon by itself.
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
    await page.goto(`${url()}/docs/errors#unknown_name`)
    await page.locator('#unknown_name:target').waitFor()
    expect(await faultsOf(page)).toEqual([])
  },
)

test('one tab of each list is underlined, in forced colours', async () => {
  const page = await open('session', { forcedColors: 'active' })
  const underlined = `[...document.querySelectorAll('[role=tab]')].filter(
    (each) => parseFloat(getComputedStyle(each).borderBottomWidth) > 0).length`
  const lists = await page.locator('[role=tablist]').count()
  expect(await page.evaluate(underlined)).toBe(lists)
})

// 640 are 1280 at 200 %.
test.each([360, 390, 640, 768, 900])(
  'no section scrolls sideways on a screen of %d pixels',
  async (width) => {
    for (const section of ['session', 'workbooks', 'syncs', 'notifications', 'requests']) {
      const page = await open(section, { viewport: { width, height: 780 } })
      expect(await page.evaluate('document.documentElement.scrollWidth'), section).toBe(width)
      await picture(page, `${section}-${width}`)
      await page.context().close()
    }
  },
)

test('on a phone every tab is in sight, and the key bar is folded', async () => {
  const page = await open('session', { viewport: { width: 390, height: 844 } })
  const edges = await page.evaluate<[number, number][]>(`
    [...document.querySelectorAll('nav a, [role=tab]')].map((each) => {
      const { left, right } = each.getBoundingClientRect()
      return [left, right]
    })`)
  expect(edges.length).toBe(14)
  for (const [left, right] of edges) expect([left >= 0, right <= 390]).toEqual([true, true])
  expect(await page.getByLabel('Deployment').isVisible()).toBe(false)
  await page.getByText('Ines, an admin, deployment 1001').click()
  expect(await page.getByLabel('Deployment').isVisible()).toBe(true)
  for (const name of ['Workbooks', 'dbt syncs', 'Notifications', 'Requests']) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.locator('nav [aria-current]', { hasText: name }).waitFor()
    await page.locator('section:not([hidden]) .listing .outcome').waitFor()
  }
})

test.each([390, 1280])('long names stay on a screen of %d pixels', async (width) => {
  const names = /"(name|firstName|about|branchName|member)":"[^"]+"/g
  async function lengthen(page: Page): Promise<void> {
    await page.route(/accounts\.json|explain\.json|\/deployments\//, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(names, `"$1":"${'unbroken'.repeat(30)}"`)
      await route.fulfill({ response, body })
    })
  }
  const workbooks = 'workbooks?tenant=alder-oak&why=5155&first=3'
  for (const section of ['session', workbooks, 'syncs', 'notifications']) {
    const page = await open(section, { viewport: { width, height: 780 } }, lengthen)
    if (section === workbooks) await page.locator('.explain .outcome').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth'), section).toBe(width)
    await picture(page, `long-${section.slice(0, 7)}-${width}`)
  }
})
