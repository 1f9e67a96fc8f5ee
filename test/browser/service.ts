import type { TestProject } from 'vitest/node'
import { run } from '../support/command.ts'
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
      `These tests need Chromium, which is not at ${chromiumPath}. On Debian: apt-get install -y chromium. ` +
        'Elsewhere name one: CHROMIUM=/path/to/chromium npm run prove -- browser',
    )
    process.exit(1)
  }
  const started = run(['cli/start.ts', '--port', '0'])
  const [, url] = await started.printed(/The playground is at (\S+)\//)
  provide('playgroundUrl', url as string)
  return async () => {
    started.child.kill('SIGINT')
    await started.ended
  }
}
