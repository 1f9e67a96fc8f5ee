import { runVitest } from '../support/run-vitest.ts'

export const help = `Usage: npm run prove -- published [OPTIONS OF VITEST]

Compares docs/openapi.json with what the platform publishes of the same operations
(openapi/published.ts), and with the differences that docs/versioning.md has. npm test does so too.
`

export const run = () => runVitest('test/contract/published.test.ts', 'test/cli/published.test.ts')
