import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { missing } from '../support/missing.ts'

const cached = (name: string) => resolve('node_modules/.cache', name)

/** Where each tool is, once it is installed. Lists of Python pin versions of the same packages. */
const python = (list: string) => cached(`python-${hash('sha256', readFileSync(list)).slice(0, 12)}`)
const pip = (list: string, options = '') =>
  `python3 -m venv . && bin/pip install --quiet ${options} -r "${resolve(list)}"`

export const tools = {
  linters: python('test/aws/requirements.txt'),
  checkov: python('test/aws/checkov.txt'),
  actionlint: cached('actionlint-1.7.12'),
  emulator: python('test/lambda/emulator.txt'),
  client: cached('aws-lambda-ric-4.0.2'),
}

/** The command of the shell that installs a tool, and the programs that this takes. */
const installations: Readonly<Record<keyof typeof tools, readonly [string, ...string[]]>> = {
  linters: [pip('test/aws/requirements.txt'), 'python3'],
  checkov: [pip('test/aws/checkov.txt'), 'python3'],
  actionlint: ['GOBIN=$PWD go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12', 'go'],
  // AWS's command for serverless applications brings the emulator along.
  emulator: [pip('test/lambda/emulator.txt', '--no-deps'), 'python3'],
  // npm lets only a global installation say whose scripts may run. This one compiles.
  client: [
    `mkdir -p lib
    npm install --global --prefix . --allow-scripts=aws-lambda-ric aws-lambda-ric@4.0.2`,
    'cmake',
    'g++',
    'make',
    'autoconf',
    'libtoolize',
    'xz',
  ],
}

type Proof = {
  readonly help: string
  readonly folder: string
  readonly uses: readonly (keyof typeof tools)[]
  /** Programs that it runs, and Linux if it runs nowhere else. */
  readonly takes: readonly string[]
  /** Starts what its tests work with. They see `env`. */
  readonly serve: () => Promise<{ env: Record<string, string>; stop(): Promise<void> }>
}

/** Installs the tools of a proof, once, and runs its tests. */
export async function prove({ help, folder, uses, takes, serve }: Proof): Promise<void> {
  const args = process.argv.slice(2)
  const absent = uses.filter((tool) => !existsSync(`${tools[tool]}/installed`))
  const taken = [...takes, ...absent.flatMap((tool) => installations[tool].slice(1))]
  const lacking = taken.filter((each) =>
    each === 'Linux' ? process.platform !== 'linux' : missing(each),
  )
  if (lacking.length > 0) {
    throw new Error(`This machine lacks ${[...new Set(lacking)].join(', ')}.\n\n${help}`)
  }
  for (const tool of absent) {
    const cwd = tools[tool]
    mkdirSync(cwd, { recursive: true })
    const script = `${installations[tool][0]}\ntouch installed`
    execFileSync('sh', ['-ec', script], { cwd, stdio: 'inherit' })
  }
  execFileSync(process.execPath, ['scripts/install.ts'], { stdio: 'inherit' })
  const { env, stop } = await serve()
  try {
    const config = ['--config', 'test/infrastructure/vitest.config.ts', '--dir', folder]
    const options = { stdio: 'inherit', env: { ...process.env, ...env } } as const
    process.exitCode = spawnSync('vitest', ['run', ...config, ...args], options).status ?? 1
  } finally {
    await stop()
  }
}
