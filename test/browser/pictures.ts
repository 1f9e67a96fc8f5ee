import { mkdir } from 'node:fs/promises'
import { run } from '../support/command.ts'
import { launchChromium } from './chromium.ts'

/** Writes the picture of the playground that the README shows. */
const folder = 'docs/images'
await mkdir(folder, { recursive: true })
const service = run(['cli/embed-access.ts', 'start', '--port', '8787'])
const [, url] = await service.printed(/The playground is at (\S+)\//)
const browser = await launchChromium()
const page = await browser.newPage({
  viewport: { width: 1200, height: 1140 },
  reducedMotion: 'reduce',
})

await page.goto(`${url}/`)
await page.locator('#content[aria-busy=false]').waitFor()
await page.getByLabel('Pick a person').selectOption('ao-1002 of Alder & Oak Furnishings')
const embedded = page.frameLocator('iframe')
await embedded.getByText('for ao-1002').waitFor()
await embedded.getByRole('listitem').first().waitFor()
// The frame paints its list only after it has become as high as that.
await page.evaluate('new Promise((painted) => setTimeout(painted, 500))')
await page.evaluate('scrollTo(0, 0)')
await page.screenshot({ path: `${folder}/session.png` })

await browser.close()
service.child.kill('SIGINT')
await service.ended
