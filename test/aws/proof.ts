import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command } from '../../scripts/chosen.ts'
import { missing } from '../support/missing.ts'

/** What a proof needs, the programs that installing it takes, and the command of the shell. */
type Tool = { readonly directory: string; readonly takes: string[]; readonly install: string }

const cached = (name: string, takes: string[], install: string): Tool => ({
  directory: resolve('node_modules/.cache', name),
  takes,
  install,
})

/** Each list has an environment of its own: they pin versions of the same packages. */
function python(list: string, options = ''): Tool {
  const version = hash('sha256', readFileSync(list)).slice(0, 12)
  const pip = `bin/pip install --quiet ${options} -r "${resolve(list)}"`
  return cached(`python-${version}`, ['python3'], `python3 -m venv . && ${pip}`)
}

export const tools = {
  linters: python('test/aws/requirements.txt'),
  checkov: python('test/aws/checkov.txt'),
  actionlint: cached(
    'actionlint-1.7.12',
    ['go'],
    'GOBIN=$PWD go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  ),
  // AWS's command for serverless applications brings the emulator along.
  emulator: python('test/lambda/emulator.txt', '--no-deps'),
  // npm lets only a global installation say whose scripts may run. This one compiles.
  client: cached(
    'aws-lambda-ric-4.0.2',
    ['cmake', 'g++', 'make', 'autoconf', 'libtoolize', 'xz'],
    `mkdir -p lib
    npm install --global --prefix . --allow-scripts=aws-lambda-ric aws-lambda-ric@4.0.2`,
  ),
}

type Proof = {
  readonly help: string
  /** Where its tests are. */
  readonly folder: string
  readonly tools: readonly Tool[]
  /** Programs that it runs, and Linux if it runs nowhere else. */
  readonly takes: readonly string[]
  /** Starts what its tests work with. They see `env`. */
  readonly serve: () => Promise<{ env: Record<string, string>; stop(): Promise<void> }>
}

/** Installs the tools of a proof, once, and runs its tests. */
export const prove = ({ help, folder, tools, takes, serve }: Proof): Promise<void> =>
  command(async () => {
    const args = process.argv.slice(2)
    if (args.includes('--help')) return void process.stdout.write(help)
    const absent = tools.filter(({ directory }) => !existsSync(`${directory}/installed`))
    const taken = new Set([...takes, ...absent.flatMap((tool) => tool.takes)])
    const lacking = [...taken].filter((each) =>
      each === 'Linux' ? process.platform !== 'linux' : missing(each),
    )
    if (lacking.length > 0) throw new Error(`This machine lacks ${lacking.join(', ')}.\n\n${help}`)
    for (const { directory, install } of absent) {
      mkdirSync(directory, { recursive: true })
      const script = `${install}\ntouch installed`
      execFileSync('sh', ['-ec', script], { cwd: directory, stdio: 'inherit' })
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
  })
