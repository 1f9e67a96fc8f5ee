import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/* Installs from npm what SST evaluates its config with. Needs no AWS account. */

const read = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').trim()
  } catch {
    return undefined
  }
}

const { version } = JSON.parse(read('node_modules/sst/package.json') ?? '{}') as {
  version?: string
}
if (
  read('.sst/platform/version') !== version ||
  !read('.sst/platform/node_modules/@pulumi/aws/package.json')
) {
  process.stdout.write(`Installing the platform of SST ${version} …\n`)
  execFileSync('sst', ['install', '--stage', 'infra'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      SST_SKIP_DEPENDENCY_CHECK: '1',
      SST_NO_BUN: '1',
      SST_TELEMETRY_DISABLED: '1',
      // npm hands our strict-allow-scripts on to SST's own npm, which knows none of our allowed
      // scripts. It needs none.
      NPM_CONFIG_IGNORE_SCRIPTS: 'true',
    },
  })
}
