import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../../cli/chosen.ts'
import { missing } from '../support/missing.ts'
import { client, emulator } from './emulated.ts'

const help = `Usage: npm run prove -- lambda [OPTIONS OF VITEST]

Runs every bundle under AWS's Runtime Interface Emulator and Client, in the environment that each stage gives it, over
AWS's DynamoDB Local. Without Java 17 or Maven it takes the embedded engine, and says so. The first time it builds the
emulator from its sources at GitHub, and the client from npm into node_modules/.cache. On Debian that needs:

  apt-get install git golang cmake g++ make autoconf libtool xz-utils
`

const sources = 'https://github.com/aws/aws-lambda-runtime-interface-emulator'

function install(): void {
  if (!existsSync(emulator.program)) {
    const checkout = join(emulator.directory, 'sources')
    const { version, commit } = emulator
    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] })
    const clone = ['clone', '--quiet', '--depth', '1', '--branch', version, sources, checkout]
    if (!existsSync(checkout)) execFileSync('git', clone, { stdio: 'inherit' })
    const found = run('git', 'rev-parse', 'HEAD').trim()
    if (found !== commit) throw new Error(`${version} of the emulator is ${found}, not ${commit}.`)
    run('go', 'build', '-o', emulator.program, './cmd/aws-lambda-rie')
  }
  if (!existsSync(client.program)) {
    const args = ['install', '--prefix', client.directory, '--no-audit', '--no-fund']
    const own = [`aws-lambda-ric@${client.version}`, '--allow-scripts', 'aws-lambda-ric']
    execFileSync('npm', [...args, ...own], { stdio: 'inherit' })
  }
}

await command(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help')) return void process.stdout.write(help)
  const isInstalled = existsSync(emulator.program) && existsSync(client.program)
  const needed = ['git', 'go', 'cmake', 'g++', 'make'].filter((each) => missing(each))
  if (!isInstalled && needed.length > 0) {
    throw new Error(`This machine lacks ${needed.join(', ')}.\n\n${help}`)
  }
  install()
  execFileSync(process.execPath, ['test/infrastructure/install.ts'], { stdio: 'inherit' })
  const config = ['--config', 'test/lambda/vitest.config.ts']
  process.exitCode =
    spawnSync('vitest', ['run', ...config, ...args], { stdio: 'inherit' }).status ?? 1
})
