import crypto from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Inputs, mocks } from './mocks.ts'
import { recordResources } from './recorder.ts'

const stage = process.argv[2] as string
const root = process.cwd()
const sst = realpathSync(join(root, '.sst'))
const platform = join(sst, 'platform')
// Where SST puts the archives it makes of bundles.
const work = mkdtempSync(join(tmpdir(), 'evaluation-'))
process.on('exit', () => rmSync(work, { recursive: true }))
const require = createRequire(join(platform, 'package.json'))
// SST ends names with random letters. Here they are always the same (`sstLetters` of suite.ts).
Object.assign(crypto, { randomBytes: (length: number) => Buffer.alloc(length) })

const pulumi = require('@pulumi/pulumi') as {
  runtime: {
    setMocks(mocks: unknown, project: string, stack: string, preview: boolean): void
    runInPulumiStack(program: () => Promise<unknown>): Promise<unknown>
    disconnect(): Promise<void>
  }
  output(value: unknown): { promise(): Promise<unknown> }
}

/** What the SST command answers to its config; a bundle that is made already is passed through. */
const answers: Readonly<Record<string, (input: { bundle?: string; handler?: string }) => unknown>> = {
  'Provider.Aws.Bootstrap': () => ({ asset: 'sst-asset', state: 'sst-state', assetEcrRegistryId: '', assetEcrUrl: '' }),
  'Provider.Aws.Appsync': () => ({ http: 'http', realtime: 'realtime' }),
  'Runtime.AddTarget': () => true,
  'Runtime.Build': ({ bundle, handler }) => ({ out: bundle, handler, errors: [], sourcemaps: [] }),
}

const command = createServer(async (request, response) => {
  const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  const answer = answers[method]
  response.end(JSON.stringify(answer ? { result: answer(params[0]), error: null } : { error: `${method}: unexpected` }))
})
await new Promise<void>((resolve) => command.listen(0, '127.0.0.1', resolve))
process.env.SST_SERVER = `http://127.0.0.1:${(command.address() as AddressInfo).port}`

type Config = { default: { app(input: object): Promise<Inputs> } }

const configFile = pathToFileURL(join(root, 'sst.config.ts')).href
Object.assign(globalThis, { $config: (config: object) => config })
const { default: config } = (await import(configFile)) as Config
const app = { removal: 'retain', protect: false, providers: { aws: {} }, ...(await config.app({ stage })), stage }

pulumi.runtime.setMocks(mocks, 'embed-access', stage, false)
const resources = recordResources(require)

const providers = JSON.parse(readFileSync(join(sst, 'provider-lock.json'), 'utf8')) as {
  alias: string
  package: string
}[]
const globals = [
  ...providers.map(({ alias, package: name }) => `import * as ${alias} from '${name}';`),
  `import * as sst from '${platform}/src/components';`,
].join('\n')
const define = {
  $app: JSON.stringify(app),
  $cli: JSON.stringify({
    command: 'deploy',
    dev: false,
    paths: { home: root, root, work, platform },
    state: { version: {} },
  }),
  $dev: 'false',
}
const contents = `
  import { run } from '${platform}/src/auto/run.ts'
  import config from '${join(root, 'sst.config.ts')}'
  export default () => run(config.run)`
const run = await bundled()

let outputs: unknown
await pulumi.runtime.runInPulumiStack(async () => {
  outputs = await run()
})
await pulumi.runtime.disconnect()
process.send?.({ app, resources: resources(), outputs: await pulumi.output(outputs).promise() }, () => process.exit(0))

/** Bundles the config as the SST command does before it runs it: with `sst`, `aws` and `$app` as globals. */
async function bundled(): Promise<() => Promise<object>> {
  const outfile = join(platform, `evaluation.${process.pid}.mjs`)
  const { build } = require('esbuild') as typeof import('esbuild')
  await build({
    stdin: { contents, resolveDir: root, sourcefile: 'evaluation.ts', loader: 'ts' },
    banner: {
      js: `import { createRequire as topLevelCreateRequire } from 'node:module'
import { fileURLToPath as topLevelFileUrlToPath } from 'node:url'
const require = topLevelCreateRequire(import.meta.url), __filename = topLevelFileUrlToPath(import.meta.url)
const __dirname = topLevelFileUrlToPath(new URL('.', import.meta.url))`,
    },
    inject: [join(platform, 'src/shim/run.js')],
    external: ['@pulumi/*', '@pulumiverse/*', '@aws-sdk/*', 'undici', 'esbuild', 'archiver', 'glob', 'vite'],
    nodePaths: [join(platform, 'node_modules')],
    mainFields: ['module', 'main'],
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    bundle: true,
    define,
    outfile,
    logLevel: 'error',
    plugins: [
      {
        name: 'globals',
        setup(build) {
          build.onLoad({ filter: /\.[jt]s$/ }, ({ path }) =>
            path.startsWith(sst) || path.includes('/node_modules/')
              ? undefined
              : { contents: `${globals}\n${readFileSync(path, 'utf8')}`, loader: path.endsWith('.ts') ? 'ts' : 'js' },
          )
        },
      },
    ],
  })
  try {
    return (await import(pathToFileURL(outfile).href)).default
  } finally {
    rmSync(outfile)
  }
}
