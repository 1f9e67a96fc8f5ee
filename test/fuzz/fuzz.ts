import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { command } from '../../cli/command.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { freePort } from '../../local/engine.ts'

const help = `Usage: npm run prove -- fuzz [OPTIONS OF SCHEMATHESIS RUN]

Serves the demo on this machine, and has schemathesis generate requests from the document that it serves, right and wrong
ones. No wrong one may be accepted, and every answer must be what the document says. Needs Python 3.10 or later; the command
installs schemathesis from PyPI into node_modules/.cache.

  npm run prove -- fuzz --max-examples 500
`

/** What schemathesis checks besides, and what can't hold here. */
const excluded = [
  // A schema can't say which cursors and names there are. test/local/demo-catalog tries the document's examples.
  'positive_data_acceptance',
  // API Gateway answers 404 to a method that no route has, where 405 is asked for.
  'unsupported_method',
]

const version = '4.32.5'
const root = fileURLToPath(new URL('../..', import.meta.url))
const environment = join(root, 'node_modules/.cache', `schemathesis-${version}`)
const inEnvironment = (name: string) => join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', name)

function install(): void {
  if (existsSync(inEnvironment('schemathesis'))) return
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' })
  execFileSync(inEnvironment('pip'), ['install', '--quiet', `schemathesis==${version}`], { stdio: 'inherit' })
}

await command(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(help)
    return
  }
  install()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const service = spawn(process.execPath, ['cli/start.ts', '--port', port], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DYNAMODB_ENDPOINT: '' },
  })
  try {
    const { status } = spawnSync(
      inEnvironment('schemathesis'),
      [
        'run',
        `${url}/api/v1/spec`,
        '--wait-for-schema',
        '60',
        '--header',
        `Authorization: Bearer ${demoKeys.admin}`,
        '--exclude-checks',
        excluded.join(','),
        ...args,
      ],
      // It leaves files where it runs.
      { cwd: environment, stdio: 'inherit' },
    )
    process.exitCode = status ?? 1
  } finally {
    service.kill()
  }
})
