import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { launchChromium } from './chromium.ts'

/** Pages for the tests of a file. None may ask another origin for anything, nor have an error in its console. */
export function visits(url: () => string = () => inject('playgroundUrl')) {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const elsewhere: string[] = []
  const errors: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] })
  })

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    contexts.push(context)
    const page = await context.newPage()
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== url() && protocol !== 'data:') elsewhere.push(request.url())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      // Chromium itself writes an error for every refusal, and these tests cause refusals.
      const isRefusal =
        message.text().startsWith('Failed to load') && /\/(api\/v1|playground)\//.test(message.location().url)
      if (message.type() === 'error' && !isRefusal) errors.push(`${message.text()} ${message.location().url}`)
    })
    return page
  }

  /**
   * A new page of the playground at a section, as soon as all of it is there, or as it can be used at first.
   * @param before prepares the page, whose data may then never come
   */
  async function open(section = 'session', options = {}, before?: (page: Page) => Promise<void>): Promise<Page> {
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
