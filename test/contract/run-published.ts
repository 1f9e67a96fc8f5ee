import { spawnSync } from 'node:child_process'

const help = `Usage: npm run prove -- published [OPTIONS OF VITEST]

Compares docs/openapi.json with what the platform publishes of the same operations
(openapi/published.ts), and with the differences that docs/versioning.md has. npm test does so too.
`

const args = process.argv.slice(2)
if (args.includes('--help')) process.stdout.write(help)
else {
  const files = ['test/contract/published.test.ts', 'test/cli/published.test.ts']
  process.exitCode =
    spawnSync('vitest', ['run', ...files, ...args], { stdio: 'inherit' }).status ?? 1
}
