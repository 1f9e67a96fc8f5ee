import { expect, inject, test } from 'vitest'
import { launchChromium } from './chromium.ts'

const script = '/playground/embedded/embed-frame.js'

test('no embedded page can scroll in its frame, on a screen that is scaled', async () => {
  const browser = await launchChromium('--force-device-scale-factor=1.25')
  try {
    const page = await browser.newPage({ viewport: null })
    const host = inject('playgroundUrl')
    const embedded = host.replace('127.0.0.1', 'localhost')
    await page.route(`${host}/host`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><embed-frame src="${embedded}/embedded"></embed-frame>
          <script type="module" src="${script}"></script>`,
      }),
    )
    await page.route(`${embedded}/embedded`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><style>body { margin: 0 }</style><div></div>
          <script type="module">
            import { reportHeight } from '${script}'
            reportHeight({ origins: ['${host}'] })
          </script>`,
      }),
    )
    await page.goto(`${host}/host`)
    const frame = page.frameLocator('iframe').locator('html')
    for (const height of [200, 300.25, 400.4, 500.49, 600.5, 700.9]) {
      await frame.evaluate(`document.querySelector('div').style.height = '${height}px'`)
      const isFitted = `Math.abs(innerHeight - ${height}) < 2`
      await expect.poll(() => frame.evaluate(isFitted), { message: `${height}` }).toBe(true)
      expect(await frame.evaluate('scrollTo(0, 99), scrollY'), `${height}`).toBe(0)
    }
  } finally {
    await browser.close()
  }
})
