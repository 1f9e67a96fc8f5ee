import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { launchChromium, watch } from './chromium.ts'

/**
 * Pages for the tests of a file. None may ask another server for anything, nor have an error in its
 * console.
 */
export function visits(url: () => string = () => inject('playgroundUrl')) {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const watched: ReturnType<typeof watch>[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    // The embedded page is on the same server by its other name.
    const embedded = url().replace('127.0.0.1', 'localhost')
    const here = [`${url()}/`, `${embedded}/playground/embedded/`, `${embedded}/api/`, 'data:']
    const isHere = (address: string) => here.some((each) => address.startsWith(each))
    // Chromium itself writes an error for every refusal, and these tests cause refusals.
    const isRefusal = (error: string) => /^Failed to load .*\/(api\/v1|playground)\//.test(error)
    for (const { requested, errors } of watched) {
      expect(requested.filter((address) => !isHere(address))).toEqual([])
      expect(errors.filter((error) => !isRefusal(error))).toEqual([])
    }
  })

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    contexts.push(context)
    const page = await context.newPage()
    watched.push(watch(page))
    return page
  }

  /**
   * A new page of the playground at a section, as soon as all of it is there, or as it can be used
   * at first.
   * @param before prepares the page, whose data may then never come
   */
  async function open(
    section = 'session',
    options = {},
    before?: (page: Page) => Promise<void>,
  ): Promise<Page> {
    const page = await newPage(options)
    await before?.(page)
    await page.goto(section === 'session' ? `${url()}/` : `${url()}/#${section}`)
    if (!before) await page.locator('#content[aria-busy=false]').waitFor()
    const [id] = section.split('?')
    await page.locator(`#${id} .request-line, #${id} .listing .outcome`).first().waitFor()
    return page
  }
  return { url, newPage, open }
}

/** Where SCREENSHOTS names a folder, a picture of the whole page is left there. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
