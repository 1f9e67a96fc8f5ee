import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { command } from '../../cli/chosen.ts'
import { missing } from '../support/missing.ts'
import { tools } from './tools.ts'

const help = `Usage: npm run prove -- aws [OPTIONS OF VITEST]

Holds what is deployed against AWS's own descriptions, without AWS: every resource of every stage against the models of
its services (botocore) and moto, the commands and the scripts of .ci against moto, policies against the reference of
IAM. Linters read the template of the account, the workflows and the scripts. The first time it installs them into
node_modules/.cache, from PyPI and the proxy of Go. It needs Python 3.10 or later, Go and jq. On Debian:

  apt-get install python3-venv golang jq
`

/** Each in an environment of its own: they pin versions of the same packages. */
function install(): void {
  for (const { directory, requirements } of [tools.python, tools.checkov]) {
    if (existsSync(`${directory}/installed`)) continue
    execFileSync('python3', ['-m', 'venv', directory], { stdio: 'inherit' })
    const pip = ['install', '--quiet', '-r', requirements]
    execFileSync(`${directory}/bin/pip`, pip, { stdio: 'inherit' })
    execFileSync('touch', [`${directory}/installed`])
  }
  if (existsSync(`${tools.go.directory}/actionlint`)) return
  const env = { ...process.env, GOBIN: tools.go.directory }
  execFileSync('go', ['install', tools.go.actionlint], { stdio: 'inherit', env })
}

await command(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help')) return void process.stdout.write(help)
  const lacking = ['python3', 'go', 'jq'].filter(missing)
  if (lacking.length > 0) throw new Error(`This machine lacks ${lacking.join(', ')}.\n\n${help}`)
  install()
  execFileSync(process.execPath, ['test/infrastructure/install.ts'], { stdio: 'inherit' })
  const config = ['--config', 'test/aws/vitest.config.ts']
  process.exitCode =
    spawnSync('vitest', ['run', ...config, ...args], { stdio: 'inherit' }).status ?? 1
})
