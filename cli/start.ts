import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { parseArgs } from 'node:util'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { readStoredKeys, writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { CatalogQueue, catalogChanges, catalogChangesPath } from '../local/catalog-queue.ts'
import { firstCalls, hasDemo } from '../local/demo/catalog.ts'
import { demoKeys } from '../local/demo/keys.ts'
import { type Engine, freePort, startEngine } from '../local/engine.ts'
import { databasePath, engineProxy, localApp } from '../local/local-app.ts'
import { playgroundPages } from '../local/playground-pages.ts'
import { referencePages } from '../local/reference-pages.ts'
import { requestLines } from '../local/request-lines.ts'
import { createLocalService } from '../local/service.ts'
import { command, linesTo } from './command.ts'
import { catalogFile, loadDemo, withoutKey } from './start/load.ts'
import { explainAwsError, tablePrefix } from './with-storage.ts'

const help = `Usage: npm start -- [options]

Serves the API on this machine, with an embedded DynamoDB engine and a demo catalog.

  --port PORT      where to listen (default: $PORT, else 8787; 0: any free port)
  --data DIR       keep the tables in DIR (default: in memory). The demo is not loaded where a catalog is there. Only you
                   may open DIR (mode 700), because private keys are in it
  --catalog FILE   load FILE, one catalog change per line, gzipped or not, instead of the demo. If a line is not valid,
                   nothing is written or served. DIR keeps its digest: FILE is loaded again if it has changed
  --watch          load FILE again whenever it is saved, and say which lines can't be applied. To change a thing, raise
                   its revision. A line that is gone deletes nothing: write a change with "op": "delete"
  --help           show this

Environment:
  DYNAMODB_ENDPOINT   use the engine at this address instead of the embedded one
`

const options = {
  port: { type: 'string' },
  data: { type: 'string' },
  catalog: { type: 'string' },
  watch: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const print = linesTo(process.stdout)

let engine: Engine | undefined
let ending = false

await command(async () => {
  requireSeparator(process.env)
  const { values } = parseArgs({ options })
  if (values.help) return print(help.trimEnd())
  if (values.watch && values.catalog === undefined) throw new Error('--watch needs --catalog FILE.')

  const port = await portFrom(values.port ?? (process.env.PORT || '8787'))
  await requireFree(port)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
  try {
    await serve(port, values)
  } catch (error) {
    ending = true
    await engine?.stop()
    throw error
  }
})

type Values = { readonly data?: string; readonly catalog?: string; readonly watch?: boolean }

async function serve(port: number, { data, catalog, watch }: Values): Promise<void> {
  const external = process.env.DYNAMODB_ENDPOINT || undefined
  if (data !== undefined && external !== undefined) {
    throw new Error(
      '--data and DYNAMODB_ENDPOINT both say where the database is. Give one of them.',
    )
  }
  // Before the engine: it makes files in the data directory.
  const terminal = { out: process.stdout, err: process.stderr }
  const file = catalog === undefined ? undefined : await catalogFile(catalog, data, terminal)
  const url = `http://127.0.0.1:${port}`
  const endpoint = external ?? (await embedded(data))
  const address = external ?? `${url}${databasePath}`
  const storage = connect(tablesWithPrefix(tablePrefix), endpoint)
  const began = performance.now()
  await createTables(storage).catch((error: unknown) => {
    throw explainAwsError(error, endpoint, performance.now() - began)
  })
  // For a deployed stage a command does that.
  if (!(await readStoredKeys(storage)))
    await writeSigningKeys(storage, await firstSigningKeys(Date.now()), undefined)

  if (file) await file.load(storage)
  else await loadDemo(storage, process.stdout)
  const isDemo = await hasDemo(storage)

  const service = { storage, now: Date.now, issuer: url, log: requestLines(process.stdout) }
  const app = localApp()
    .route('/', playgroundPages(storage, Date.now))
    .route('/', referencePages(isDemo ? demoKeys.admin : undefined))
    .route(catalogChangesPath, catalogChanges(new CatalogQueue(service)))
    // Tells the commands of this machine where the database is. Pages of other origins can't read
    // it.
    .get('/local/engine.json', (c) => c.json({ endpoint: address }))
  if (external === undefined) app.route(databasePath, engineProxy(endpoint))
  const server = await createLocalService({ ...service, corsOrigins: ['*'] }, app)
  await listen(server, port)
  print(`Listening on ${url}`)
  print(`API reference: ${url}/docs`)
  print(`The playground is at ${url}/`)
  print(`Catalog changes: CATALOG_QUEUE_URL=${url}${catalogChangesPath}`)
  print(`The database, for npm run catalog and other programs: DYNAMODB_ENDPOINT=${address}`)
  if (isDemo) print(firstCalls(url))
  const advice = isDemo ? undefined : await withoutKey(storage, url)
  if (advice !== undefined) print(advice)
  if (!file || !watch) return
  print(`Edits of ${catalog} are loaded when they are saved.`)
  file.watch(storage)
}

/**
 * Without the `--` before them, npm takes the options for its own. Its scripts find them in the
 * environment alone.
 */
function requireSeparator(env: NodeJS.ProcessEnv): void {
  const taken = Object.keys(options).filter((name) => env[`npm_config_${name}`] !== undefined)
  if (env.npm_lifecycle_event !== 'start' || taken.length === 0) return
  const words = taken.map((name) => `--${name}`)
  throw new Error(
    `npm took ${words.join(' and ')} for itself. Write -- before the options: npm start -- ${words[0]} …`,
  )
}

/** Before anything is loaded: it may take long, and a data directory must stay as it is. */
async function requireFree(port: number): Promise<void> {
  const probe = createServer()
  await listen(probe, port)
  probe.close()
  await once(probe, 'close')
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Port ${port} is in use. Choose another with --port.`)
      : error
  })
}

/** @returns the address of an engine without which the service ends */
async function embedded(data: string | undefined): Promise<string> {
  engine = await startEngine({ dataDirectory: data })
  engine.ended.then(() => {
    if (ending) return
    const loss = data === undefined ? ', and all data with it' : ''
    process.stderr.write(
      `The embedded DynamoDB engine has ended${loss}. Start the service again.\n`,
    )
    process.exit(1)
  })
  return engine.endpoint
}

async function portFrom(text: string): Promise<number> {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${text} is not a port. It must be from 0 to 65535.`)
  return port === 0 ? freePort() : port
}

/** The engine ends last. Requests that are still running are not awaited. */
async function end(): Promise<void> {
  if (ending) return
  ending = true
  await engine?.stop()
  process.exit(0)
}
