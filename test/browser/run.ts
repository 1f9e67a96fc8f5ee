import { runVitest } from '../support/run-vitest.ts'

export const help = `Usage: npm run prove -- browser [FILES AND OPTIONS OF VITEST]

Tries the playground and the reference in Chromium. CHROMIUM names one that is not at
/usr/bin/chromium.
`

export const run = () => runVitest('--config', 'vitest.browser.config.ts')
