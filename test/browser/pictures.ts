import { mkdir } from 'node:fs/promises'
import { run } from '../support/command.ts'
import { launchChromium } from './chromium.ts'

/** Writes the pictures of the playground that the documents show. */
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
await page.evaluate('scrollTo(0, 0)')
await page.screenshot({ path: `${folder}/session.png` })

await page.goto(`${url}/#workbooks?tenant=alder-oak&why=5155`)
const explained = page.locator('.explain')
await explained.locator('.path').waitFor()
await explained.screenshot({ path: `${folder}/explained.png` })

await browser.close()
service.child.kill('SIGINT')
await service.ended
