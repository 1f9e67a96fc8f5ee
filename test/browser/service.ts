import type { TestProject } from 'vitest/node'
import { started } from '../support/command.ts'
import { chromiumPath, hasChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    playgroundUrl: string
  }
}

/** `npm start` with the demo catalog, for all tests in the browser. */
export default async function service({ provide }: TestProject) {
  if (!hasChromium) {
    console.error(
      `These tests need Chromium, which is not at ${chromiumPath}. On Debian: apt-get ` +
        'install -y chromium. ' +
        'Elsewhere name one: CHROMIUM=/path/to/chromium npm run prove -- browser',
    )
    process.exit(1)
  }
  const { url, end } = await started()
  provide('playgroundUrl', url)
  return end
}
