import { once } from 'node:events'
import { createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { readStoredKeys, writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { applyingTo } from '../cli/catalog/import.ts'
import { importWithReport, summaryOf } from '../cli/catalog/report.ts'
import { command } from '../cli/command.ts'
import { plainly, tablePrefix } from '../cli/with-storage.ts'
import { handler as catalogSync } from '../functions/catalog-sync.ts'
import { hasCatalog, hasDemo, withoutKey } from './catalog.ts'
import { catalogChangesPath, withCatalogChanges } from './catalog-changes.ts'
import { demoCatalogFile } from './catalog-data.ts'
import { CatalogQueue } from './catalog-queue.ts'
import { demoKeys } from './demo/keys.ts'
import type { Engine } from './engine.ts'
import { guardedEngine } from './engine-guard.ts'
import { firstCalls } from './first-calls.ts'
import { freePort } from './free-port.ts'
import { lastingEngine } from './lasting-engine.ts'
import { onlyAtOwnHost } from './own-host.ts'
import { type Page, withPages } from './pages.ts'
import { playgroundPages } from './playground-pages.ts'
import { referencePages } from './reference-pages.ts'
import { requestLines } from './request-lines.ts'
import { createLocalService } from './service.ts'

const help = `Usage: npm start -- [options]

Serves the API on this machine, with an embedded DynamoDB engine and a demo catalog.

  --port PORT      where to listen (default: $PORT, else 8787; 0: any free port)
  --data DIR       keep the tables in DIR (default: in memory); a catalog that is there is not loaded again
  --catalog FILE   load FILE, one catalog change per line, gzipped or not, instead of the demo
  --help           show this

Environment:
  DYNAMODB_ENDPOINT   use the engine at this address instead of the embedded one
`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

let engine: Pick<Engine, 'stop'> | undefined

await command(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env.PORT || '8787' },
      data: { type: 'string' },
      catalog: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return print(help.trimEnd())

  const port = await portFrom(values.port)
  await requireFree(port)
  endWith('SIGINT', 'SIGTERM')
  try {
    await serve(port, values.data, values.catalog)
  } catch (error) {
    await engine?.stop()
    throw error
  }
})

async function serve(port: number, data: string | undefined, catalog: string | undefined): Promise<void> {
  if (data !== undefined && process.env.DYNAMODB_ENDPOINT) {
    throw new Error('--data and DYNAMODB_ENDPOINT both say where the database is. Give one of them.')
  }
  const url = `http://127.0.0.1:${port}`
  const own = process.env.DYNAMODB_ENDPOINT ? undefined : await embedded(data)
  const endpoint = own ?? (process.env.DYNAMODB_ENDPOINT as string)
  const address = own ? await guardedEngine(own) : endpoint
  const storage = connect(tablesWithPrefix(tablePrefix), endpoint)
  const began = performance.now()
  await createTables(storage).catch((error: unknown) => {
    throw plainly(error, endpoint, performance.now() - began)
  })
  await requireSigningKeys(storage)

  if (catalog !== undefined || !(await hasCatalog(storage))) await load(storage, catalog)
  const isDemo = await hasDemo(storage)

  const log = requestLines(process.stdout)
  const server = await createLocalService({
    storage,
    now: Date.now,
    issuer: url,
    corsOrigins: ['*'],
    log,
  })
  withPages(
    server,
    new Map([
      ...playgroundPages(storage, Date.now),
      ...referencePages(isDemo ? demoKeys.admin : undefined),
      enginePage(address),
    ]),
  )
  withCatalogChanges(server, catalogQueue(storage, url, log))
  onlyAtOwnHost(server)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw inUse(error, port)
  })
  print(`Listening on ${url}`)
  print(`API reference: ${url}/docs`)
  print(`The playground is at ${url}/`)
  print(`Catalog changes: CATALOG_QUEUE_URL=${url}${catalogChangesPath}`)
  print(`The database, for npm run catalog and other programs: DYNAMODB_ENDPOINT=${address}`)
  if (isDemo) return print(firstCalls(url))
  const advice = await withoutKey(storage, url)
  if (advice !== undefined) print(advice)
}

async function load(storage: Storage, catalog: string | undefined): Promise<void> {
  print(`Loading ${catalog ?? 'the demo catalog'} …`)
  const counts = await importWithReport(applyingTo(storage), catalog ?? demoCatalogFile)
  print(`  ${summaryOf(counts)}`)
  if (counts.refused + counts.failed > 0) {
    throw new Error('The catalog has lines that were not applied. Nothing is served.')
  }
}

/** Tells the commands of this machine where the database is. Pages of other origins can't read it. */
function enginePage(address: string): [string, Page] {
  return ['/local/engine.json', { type: 'application/json', content: () => JSON.stringify({ endpoint: address }) }]
}

/** Before anything is loaded: it may take long, and a data directory must stay as it is. */
async function requireFree(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1')
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw inUse(error, port)
  })
  probe.close()
  await once(probe, 'close')
}

function inUse(error: NodeJS.ErrnoException, port: number): Error {
  return error.code === 'EADDRINUSE' ? new Error(`Port ${port} is in use. Choose another with --port.`) : error
}

/** Messages that have failed come again after a second, and not after minutes as they do from SQS. */
function catalogQueue(storage: Storage, issuer: string, log: (line: string) => void): CatalogQueue {
  const runtime = { storage, now: Date.now, issuer, log: (entry: object) => log(JSON.stringify(entry)) }
  return new CatalogQueue((deadLetters) => catalogSync.create({ ...runtime, deadLetters }), {
    now: Date.now,
    pause: () => storage.pause(1000),
    log,
  })
}

/** @returns the address of an engine that lives as long as the service */
async function embedded(data: string | undefined): Promise<string> {
  const started = await lastingEngine(data, print, (reason) => {
    process.stderr.write(`${reason instanceof Error ? reason.message : reason}\n`)
    process.exit(1)
  })
  engine = started
  return started.endpoint
}

/** Makes signing keys if the tables have none. For a deployed stage a command does that. */
async function requireSigningKeys(storage: Storage): Promise<void> {
  if (!(await readStoredKeys(storage))) await writeSigningKeys(storage, await firstSigningKeys(Date.now()), undefined)
}

async function portFrom(text: string): Promise<number> {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${text} is not a port. It must be from 0 to 65535.`)
  return port === 0 ? freePort() : port
}

/** The engine ends last. Requests that are still running are not awaited. */
function endWith(...signals: readonly NodeJS.Signals[]): void {
  let ending = false
  for (const signal of signals) {
    process.on(signal, async () => {
      if (ending) return
      ending = true
      await engine?.stop()
      process.exit(0)
    })
  }
}
