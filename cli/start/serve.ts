import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { readStoredKeys, writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { CatalogQueue, catalogChanges, catalogChangesPath } from '../../local/catalog-queue.ts'
import { firstCalls, hasDemo } from '../../local/demo/catalog.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { embeddedPage } from '../../local/embedded-page.ts'
import { type Engine, startEngine } from '../../local/engine.ts'
import { databasePath, engineProxy, localApp } from '../../local/local-app.ts'
import { playgroundPages } from '../../local/playground-pages.ts'
import { recentRequests } from '../../local/recent-requests.ts'
import { referencePages } from '../../local/reference-pages.ts'
import { requestLines } from '../../local/request-lines.ts'
import { createLocalService } from '../../local/service.ts'
import { createTables } from '../create-tables.ts'
import { endingSignals, linesTo, type Terminal } from '../terminal.ts'
import { endpointIn, explainAwsError, tablePrefix } from '../with-storage.ts'
import { adviceWithoutKey, catalogFile, loadDemo } from './load.ts'

let engine: Engine | undefined
let ending = false

type Options = {
  data?: string | undefined
  catalog?: string | undefined
  watch?: boolean | undefined
  corsOrigin?: readonly string[] | undefined
}

export async function serve(port: number, options: Options, terminal: Terminal): Promise<void> {
  await requireFree(port)
  for (const signal of endingSignals) process.on(signal, end)
  try {
    await serveAt(port, options, terminal)
  } catch (error) {
    for (const signal of endingSignals) process.off(signal, end)
    ending = true
    await engine?.stop()
    throw error
  }
}

async function serveAt(port: number, options: Options, terminal: Terminal): Promise<void> {
  const { data, catalog, watch, corsOrigin: corsOrigins = ['*'] } = options
  const print = linesTo(terminal.out)
  const external = endpointIn(terminal.env, { data })
  // Checked before the engine starts, because the engine makes files in the data directory.
  const file = catalog === undefined ? undefined : await catalogFile(catalog, data, terminal)
  const url = `http://127.0.0.1:${port}`
  const endpoint = external ?? (await embedded(data))
  const address = external ?? `${url}${databasePath}`
  const storage = connect(tablesWithPrefix(tablePrefix), endpoint)
  const began = performance.now()
  await createTables(storage).catch((error: unknown) => {
    throw explainAwsError(error, endpoint, performance.now() - began)
  })
  // For a deployed stage, `keys init` does that.
  if (!(await readStoredKeys(storage)))
    await writeSigningKeys(storage, await firstSigningKeys(Date.now()), undefined)

  if (file) await file.load(storage)
  else await loadDemo(storage, terminal.out, data)
  const isDemo = await hasDemo(storage)

  const requests = recentRequests(Date.now)
  const log = requestLines(terminal.out, requests.keep)
  const service = { storage, now: Date.now, issuer: url, log }
  const app = localApp()
    .route('/', playgroundPages(storage, Date.now, requests.newestFirst))
    .route('/', embeddedPage(url))
    .route('/', referencePages(isDemo ? demoKeys.admin : undefined))
    .route(catalogChangesPath, catalogChanges(new CatalogQueue(service)))
    // Tells the commands of this machine where the database is. Pages of other origins can't read
    // it.
    .get('/local/engine.json', (c) => c.json({ endpoint: address }))
  if (external === undefined) app.route(databasePath, engineProxy(endpoint))
  const server = await createLocalService({ ...service, corsOrigins }, app)
  await listen(server, port)
  print(`Listening on ${url}`)
  print(`API reference: ${url}/docs`)
  print(`The playground is at ${url}/`)
  print(`Catalog changes: CATALOG_QUEUE_URL=${url}${catalogChangesPath}`)
  print(`The database, for npx embed-access and other programs: DYNAMODB_ENDPOINT=${address}`)
  if (isDemo) print(firstCalls(url))
  const advice = isDemo ? undefined : await adviceWithoutKey(storage, url)
  if (advice !== undefined) print(advice)
  if (!file || !watch) return
  print(`Edits of ${catalog} are loaded when they are saved.`)
  file.watch(storage)
}

/** Called before anything is loaded: a load takes long, and changes the data directory. */
async function requireFree(port: number): Promise<void> {
  const probe = createServer()
  await listen(probe, port)
  probe.close()
  await once(probe, 'close')
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
    const reason = error.code === 'EACCES' ? 'may not be used by you' : 'is in use'
    throw new Error(`Port ${port} ${reason}. Choose another with --port.`)
  })
}

/** @returns the engine's address. The service ends when the engine ends */
async function embedded(data: string | undefined): Promise<string> {
  engine = await startEngine(data)
  engine.ended.then(() => {
    if (ending) return
    const loss = data === undefined ? ', and all data with it' : ''
    const ended = `The embedded DynamoDB engine has ended${loss}.`
    process.stderr.write(`${ended} Start the service again.\n`)
    process.exit(1)
  })
  return engine.endpoint
}

/** The engine ends last. Requests that are still running are not awaited. */
async function end(): Promise<void> {
  if (ending) return
  ending = true
  await engine?.stop()
  process.exit(0)
}
