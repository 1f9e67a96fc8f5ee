import crypto from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bundles, bundledConfig } from './bundled-config.ts'
import { type Inputs, lookedUp, mocks } from './mocks.ts'
import type { Resource } from './stages.ts'

const [stage = '', bundles] = process.argv.slice(2)
const root = process.cwd()
const platform = realpathSync(join(root, '.sst', 'platform'))
// SST keeps its zip files here. Evaluations that run at once must not share them.
const work = mkdtempSync(join(tmpdir(), 'evaluation-'))
process.once('exit', () => rmSync(work, { recursive: true }))
// SST ends names with random letters. Here they are always the same (`sstLetters` of suite.ts).
Object.assign(crypto, { randomBytes: (length: number) => Buffer.alloc(length) })

type Request = {
  getType(): string
  getName(): string
  getObject(): { toJavaScript(): object }
  getRetainondelete(): boolean
  getIgnorechangesList(): string[]
  getProvider(): string
  getDependenciesList(): string[]
}

// How Pulumi's protocol marks a secret.
const signature = '4dabf18193072939515e22adb298388d'
const secret = '1b47061264138c4ac30d75fd1eb44270'

const require = createRequire(join(platform, 'package.json'))
const { runtime, output } = require('@pulumi/pulumi') as {
  runtime: {
    setMocks(mocks: unknown, project: string, stack: string, preview: boolean): void
    getMonitor(): { registerResource(request: Request, callback: unknown): void }
    runInPulumiStack(program: () => Promise<unknown>): Promise<unknown>
    disconnect(): Promise<void>
  }
  output(value: unknown): { promise(): Promise<unknown> }
}

/** What the SST command answers to its config; a bundle that is made already is passed through. */
const answers: Readonly<Record<string, (input: { bundle?: string; handler?: string }) => unknown>> =
  {
    'Provider.Aws.Bootstrap': () => ({
      asset: 'sst-asset',
      state: 'sst-state',
      assetEcrRegistryId: '',
      assetEcrUrl: '',
    }),
    'Runtime.Build': ({ bundle, handler }) => ({
      out: bundle,
      handler,
      errors: [],
      sourcemaps: [],
    }),
  }

const command = createServer(async (request, response) => {
  const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  const answer = answers[method]
  response.end(
    JSON.stringify(
      answer ? { result: answer(params[0]), error: null } : { error: `${method}: unexpected` },
    ),
  )
})
await new Promise<void>((resolve) => command.listen(0, '127.0.0.1', resolve))
process.env.SST_SERVER = `http://127.0.0.1:${(command.address() as AddressInfo).port}`

type Config = { app(input: object): Promise<object> }

const configFile = join(root, 'sst.config.ts')
// Parts of the bundled config call `require`.
Object.assign(globalThis, { $config: (config: object) => config, require })
const { default: config } = (await import(configFile)) as { default: Config }
const app = {
  removal: 'retain',
  protect: false,
  providers: { aws: {} },
  ...(await config.app({ stage })),
  stage,
}
Object.assign(globalThis, {
  $app: app,
  $cli: {
    command: 'deploy',
    dev: false,
    paths: { home: root, root, work, platform },
    state: { version: {} },
  },
  $dev: false,
})

runtime.setMocks(mocks, 'embed-access', stage, false)
const resources = recordResources()
const { default: run } = (await import(bundledConfig(bundles as Bundles))) as {
  default: () => Promise<object>
}
let outputs: unknown
await runtime.runInPulumiStack(async () => {
  outputs = await run()
})
await runtime.disconnect()
const lookUps = [...lookedUp].sort()
const evaluation = { app, resources, lookUps, outputs: await output(outputs).promise() }
process.stdout.write(JSON.stringify(evaluation), () => process.exit(0))

/** Notes all that is registered from now on, options included, which mocks don't get to see. */
function recordResources(): Resource[] {
  const monitor = runtime.getMonitor()
  const register = monitor.registerResource.bind(monitor)
  const resources: Resource[] = []
  monitor.registerResource = (request, callback) => {
    resources.push({
      type: request.getType(),
      name: request.getName(),
      inputs: parsed(JSON.stringify(request.getObject().toJavaScript())),
      retained: request.getRetainondelete(),
      ignored: request.getIgnorechangesList(),
      provider: request.getProvider().split('::').at(-2) ?? '',
      after: request.getDependenciesList().map((urn) => urn.split('::').at(-1) as string),
    })
    return register(request, callback)
  }
  return resources
}

/**
 * Without Pulumi's marks of secrets, and with JSON in texts parsed. The format of the access log is
 * almost JSON.
 */
function parsed(json: string): Inputs {
  return JSON.parse(json, (_, item) => {
    if (item?.[signature] === secret) return item.value
    return typeof item === 'string' && /^{".*}$/s.test(item) && !item.includes('$context')
      ? parsed(item)
      : item
  })
}
