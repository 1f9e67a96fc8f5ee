import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Debian's Chromium, or the one that CHROMIUM names. */
export const chromiumPath = process.env.CHROMIUM || '/usr/bin/chromium'
export const hasChromium = existsSync(chromiumPath)

export const withoutChromium = `There is no Chromium at ${chromiumPath}. Set CHROMIUM to its path.`

/**
 * Without its sandbox, which containers don't allow (it is shown nothing but pages of ours), and
 * calling nobody.
 */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const launchChromium = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: [...args, ...more] })

/** Every address a page asks for, as it goes, and what its console says that is an error. */
export function watch(page: Page): { readonly requested: string[]; readonly errors: string[] } {
  const requested: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`),
  )
  page.on('pageerror', (error) => errors.push(error.message))
  return { requested, errors }
}
