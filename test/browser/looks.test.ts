import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { picture, visits } from './visit.ts'

const { open } = visits()

type Rgb = readonly [number, number, number]
type Colours = { readonly what: string; readonly front: Rgb; readonly back: Rgb }

/** The colours of every match, with the background that is really behind it. */
const coloursOf = (page: Page, selector: string, property = 'color'): Promise<Colours[]> =>
  page.evaluate(`(() => {
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number)
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor
        if ((parts(colour)[3] ?? 1) === 1) return colour
      }
      return 'rgb(255, 255, 255)'
    }
    const isColour = ${JSON.stringify(property)} === 'color'
    return [...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => ({
        what: element.outerHTML.slice(0, 80),
        front: parts(getComputedStyle(element)[${JSON.stringify(property)}]).slice(0, 3),
        back: parts(behind(isColour ? element : element.parentElement)).slice(0, 3),
      }))
  })()`)

const luminance = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map((each) =>
    each <= 10 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** As WCAG reckons it. */
function contrast({ front, back }: Colours): number {
  const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const faintOf = (all: readonly Colours[], atLeast: number) =>
  all.filter((each) => contrast(each) < atLeast).map((each) => `${contrast(each).toFixed(2)} ${each.what}`)

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test('texts and edges have contrast', async () => {
    const page = await open('session', { colorScheme })
    const [paper] = await coloursOf(page, 'html')
    expect(luminance((paper as Colours).back) > 0.5).toBe(colorScheme === 'light')

    await page.getByLabel('Global groups', { exact: true }).fill('nobody-knows')
    await page.getByRole('button', { name: 'Generate the session' }).click()
    await page.locator('.error').waitFor()
    const texts =
      'h1, h1 span, h2, h3, h4, p, a, label, legend, dt, dd, pre, code, button:enabled, summary, .badge, .hint, .error, td, th'
    expect(faintOf(await coloursOf(page, texts), 4.5)).toEqual([])
    await page.getByRole('button', { name: 'emea' }).click()
    await page.getByLabel('Global groups', { exact: true }).fill('emea')
    await page.getByRole('button', { name: 'Generate the session' }).click()
    await page.getByRole('button', { name: 'Redeem the session' }).click()
    await page.locator('#token .token').waitFor()
    await page.locator('#token summary').click()
    const shown = await coloursOf(page, `${texts}, .raw-token span, .mark, .time-left`)
    expect(shown.length).toBeGreaterThan(80)
    expect(faintOf(shown, 4.5)).toEqual([])
    expect(faintOf(await coloursOf(page, 'input, select, textarea', 'borderTopColor'), 3)).toEqual([])
    await picture(page, `session-${colorScheme}`)

    for (const section of ['syncs', 'workbooks', 'notifications']) {
      await page.goto(`${page.url().split('#')[0]}#${section}`)
      await page.locator(`#${section} .outcome`).waitFor()
      expect(faintOf(await coloursOf(page, `#${section} :is(${texts}, .axis span, .legend li)`), 4.5)).toEqual([])
      await picture(page, `${section}-${colorScheme}`)
    }
    await page.goto(`${page.url().split('#')[0]}#syncs`)
    const bars = await coloursOf(page, '.segment:not(.stopped)', 'backgroundColor')
    expect(bars.length).toBeGreaterThan(10)
    expect(faintOf(bars, 3)).toEqual([])
    await page.close()
  })
})

// 640 are 1280 at 200 %.
test.each([360, 390, 640, 768, 900])('fits a screen of %d pixels without scrolling sideways', async (width) => {
  for (const section of ['session', 'workbooks', 'syncs', 'notifications']) {
    const page = await open(section, { viewport: { width, height: 780 } })
    expect(await page.evaluate('document.documentElement.scrollWidth'), section).toBe(width)
    await picture(page, `${section}-${width}`)
    await page.close()
  }
})

test('on a phone the tabs are one row that scrolls, and the key bar is folded', async () => {
  const page = await open('session', { viewport: { width: 390, height: 844 } })
  const tops = await page.evaluate<number[]>(`[...document.querySelectorAll('nav a')].map((link) => link.offsetTop)`)
  expect(new Set(tops).size).toBe(1)
  expect(await page.getByLabel('Deployment').isVisible()).toBe(false)
  await page.getByText('Ines, an admin, deployment 1001').click()
  expect(await page.getByLabel('Deployment').isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.locator('#notifications .outcome').waitFor()
  const [left, right] = await page.evaluate<number[]>(`(() => {
    const { left, right } = document.querySelector('nav [aria-current]').getBoundingClientRect()
    return [left, right]
  })()`)
  expect([(left ?? -1) >= 0, (right ?? 999) <= 390]).toEqual([true, true])
  await page.close()
})
