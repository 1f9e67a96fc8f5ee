import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { demoKeys } from '../../local/demo/keys.ts'
import { started } from '../support/command.ts'

export const help = `Usage: npm run prove -- fuzz [OPTIONS OF SCHEMATHESIS RUN]

Serves the demo on this machine, and has schemathesis generate requests from the document that it
serves, right and wrong ones. No wrong one may be accepted, and every answer must be what the
document says. Needs Python 3.10 or later; the command installs schemathesis from PyPI into
node_modules/.cache.

  npm run prove -- fuzz --max-examples 500
`

/** Says which checks can't hold here. */
const config = resolve('test/fuzz/schemathesis.toml')

const version = '4.32.5'
const environment = resolve('node_modules/.cache', `schemathesis-${version}`)
const inEnvironment = (name: string) =>
  join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', name)

function install(): void {
  if (existsSync(inEnvironment('schemathesis'))) return
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' })
  execFileSync(inEnvironment('pip'), ['install', '--quiet', `schemathesis==${version}`], {
    stdio: 'inherit',
  })
}

export async function run(): Promise<void> {
  const args = process.argv.slice(2)
  install()
  const { url, end } = await started()
  try {
    const options = ['--header', `Authorization: Bearer ${demoKeys.admin}`]
    // It leaves files where it runs.
    const child = spawn(
      inEnvironment('schemathesis'),
      ['--config-file', config, 'run', `${url}/api/v1/spec`, ...options, ...args],
      { cwd: environment, stdio: 'inherit' },
    )
    const [code] = await once(child, 'close')
    process.exitCode = code ?? 1
  } finally {
    await end()
  }
}
