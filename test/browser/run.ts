import { spawnSync } from 'node:child_process'

const help = `Usage: npm run prove -- browser [FILES AND OPTIONS OF VITEST]

Tries the playground and the reference in Chromium. CHROMIUM names one that is not at
/usr/bin/chromium.
`

const args = process.argv.slice(2)
if (args.includes('--help')) process.stdout.write(help)
else {
  const config = ['--config', 'vitest.browser.config.ts']
  process.exitCode =
    spawnSync('vitest', ['run', ...config, ...args], { stdio: 'inherit' }).status ?? 1
}
