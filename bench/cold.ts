import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '@embed-access/core/storage/storage.ts'
import { lambdas } from '../functions/operations/lambdas.ts'
import { tableVariables } from '../functions/runtime/environment.ts'
import { command } from '../scripts/chosen.ts'
import { type FilledEngine, filledEngine } from '../test/pages/filled-engine.ts'
import { workbook } from '../test/pages/workbook.ts'
import { built } from './cold/built.ts'
import { certificateIn } from './cold/certificate.ts'
import { type ReplayingDatabase, replayingDatabase } from './cold/database.ts'
import { eventsOf } from './cold/events.ts'
import { type Start, start, type Took } from './cold/start.ts'
import { median } from './median.ts'
import { printTable } from './table.ts'

const help = `Usage: npm run bench -- cold [FUNCTION…] [options]

What each function costs when it starts: its bundle against the same source built by esbuild's
defaults, each start in a process of its own and the two in turn, over a database that is replayed
at a socket. Prints medians as a table.

  --rounds N        starts of each (default: 15)
  --tls             with TLS, as on Lambda; needs the program openssl
  --compile-cache   with Node's compile cache on disk for our bundle, filled by a start before
  --help            show this
`

/** The first, then enough that the median of the last ones is that of a warm instance. */
const invocations = 40
const warmFrom = 10

const options = {
  rounds: { type: 'string', default: '15' },
  tls: { type: 'boolean', default: false },
  'compile-cache': { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const

function environmentOf({ tables }: FilledEngine, { endpoint }: ReplayingDatabase) {
  const names = Object.entries(tables).map(([table, name]) => [
    tableVariables[table as keyof typeof tables],
    name,
  ])
  return {
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_SESSION_TOKEN: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    DEAD_LETTERS_URL: 'http://127.0.0.1:9/dead-letters',
    ISSUER: 'https://embed.bench',
    ...Object.fromEntries(names),
  }
}

function printCircumstances(rounds: string): void {
  const { version } = JSON.parse(
    readFileSync('node_modules/@aws-sdk/client-dynamodb/package.json', 'utf8'),
  )
  const day = new Date().toISOString().slice(0, 10)
  const load = loadavg()[0]?.toFixed(1)
  process.stdout.write(
    `${day}, Node ${process.versions.node}, SDK ${version}, ${rounds} rounds, load average ` +
      `${load}\n\n`,
  )
}

const titles = [
  'function',
  'KB',
  ...['load + first call, ms', 'by defaults', 'ratio'],
  ...['CPU, ms', 'by defaults', 'ratio'],
  ...['CPU of the first call', 'of a warm one', 'ratio'],
]

type Given = {
  readonly environment: object
  /** For our bundle alone. */
  readonly cache: object
  readonly place: string
  readonly rounds: number
}

async function measured(
  name: string,
  event: object,
  { environment, cache, place, rounds }: Given,
): Promise<string[]> {
  const { ours, defaults, bytes } = await built(name, place)
  const startOurs = () => start(ours, { ...environment, ...cache }, event, invocations)
  const startDefaults = () => start(defaults, environment, event, invocations)
  // Once each before, so that the database knows the answers.
  requireSuccess(name, await startOurs())
  requireSuccess(name, await startDefaults())
  const starts: { ours: Start[]; defaults: Start[] } = { ours: [], defaults: [] }
  for (let round = 0; round < rounds; round += 1) {
    starts.ours.push(await startOurs())
    starts.defaults.push(await startDefaults())
  }
  const pair = (part: (start: Start) => number) => {
    const [one, other] = [median(starts.ours.map(part)), median(starts.defaults.map(part))]
    return [one.toFixed(0), other.toFixed(0), (one / other).toFixed(2)]
  }
  const first = median(starts.ours.map(({ calls }) => (calls[0] as Took).cpu))
  const warm = median(
    starts.ours.map(({ calls }) => median(calls.slice(warmFrom).map(({ cpu }) => cpu))),
  )
  return [
    name,
    (bytes / 1024).toFixed(0),
    ...pair(({ load, calls }) => load.ms + (calls[0] as Took).ms),
    ...pair(({ load, calls }) => load.cpu + (calls[0] as Took).cpu),
    first.toFixed(1),
    warm.toFixed(2),
    (first / warm).toFixed(1),
  ]
}

function requireSuccess(name: string, { answer }: Start): void {
  const {
    statusCode = 200,
    isAuthorized = true,
    batchItemFailures = [],
  } = answer as {
    statusCode?: number
    isAuthorized?: boolean
    batchItemFailures?: readonly unknown[]
  }
  const isRight = statusCode < 300 && isAuthorized && batchItemFailures.length === 0
  if (!isRight) throw new Error(`${name} answered ${JSON.stringify(answer)}`)
}

await command(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  for (const name of positionals)
    if (!Object.hasOwn(lambdas, name)) throw new Error(`There is no function ${name}.`)
  if (!(Number(values.rounds) > 0)) throw new Error('--rounds takes a number above 0.')
  const engine = await filledEngine({ workbooks: 1000, syncs: 100, notifications: 1000 }, workbook)
  const place = await mkdtemp(join(tmpdir(), 'cold-'))
  let database: ReplayingDatabase | undefined
  try {
    const storage = connect(engine.tables, engine.endpoint)
    const events = await eventsOf(storage)
    storage.client.destroy()
    const certificate = values.tls ? certificateIn(place) : undefined
    database = await replayingDatabase(engine.endpoint, certificate)
    const environment = {
      ...environmentOf(engine, database),
      ...(certificate && { NODE_EXTRA_CA_CERTS: certificate.file }),
    }
    const rows: string[][] = []
    for (const name of positionals.length > 0 ? positionals : Object.keys(lambdas)) {
      const event = events[name] as object
      const cache = values['compile-cache']
        ? { NODE_COMPILE_CACHE: join(place, `${name}-cache`) }
        : {}
      rows.push(
        await measured(name, event, { environment, cache, place, rounds: Number(values.rounds) }),
      )
    }
    printCircumstances(values.rounds)
    printTable(titles, rows)
  } finally {
    database?.stop()
    await engine.stop()
    await rm(place, { recursive: true })
  }
})
