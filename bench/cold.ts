import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '@embed-access/core/storage/storage.ts'
import { build } from 'esbuild'
import { lambdas } from '../functions/operations/lambdas.ts'
import { tableVariables } from '../functions/runtime/environment.ts'
import { bundle, options as bundling } from '../stacks/bundle.ts'
import { type FilledEngine, filledEngine } from '../test/pages/filled-engine.ts'
import { workbook } from '../test/pages/workbook.ts'
import { certificateIn } from './cold/certificate.ts'
import { type ReplayingDatabase, replayingDatabase } from './cold/database.ts'
import { eventsOf } from './cold/events.ts'
import { type Start, start } from './cold/start.ts'
import { median, quantile } from './median.ts'
import { printTable } from './table.ts'

export const help = `Usage: npm run bench -- cold [FUNCTION…] [options]

Measures the processor time of each function's start, beside that of a function that has only the
SDK's client, and reads once at its start and once when it is called (bench/cold/bare.ts). Each
start has a process of its own, the two take turns, and a server replays the database over TLS.
Prints medians, and quartiles of the ratios. Needs the program openssl.

  --rounds N        starts of each (default: 15)
  --compile-cache   each function with Node's compile cache on disk, against itself without it
`

const invocations = 40

/** From this invocation on, the median is that of a warm instance. */
const warmFrom = 10

const options = {
  rounds: { type: 'string', default: '15' },
  'compile-cache': { type: 'boolean', default: false },
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
  const day = new Date().toISOString().slice(0, 10)
  const load = loadavg()[0]?.toFixed(1)
  process.stdout.write(`${day}, Node ${process.versions.node}, ${rounds} rounds, load ${load}\n\n`)
}

const titles = [
  'milliseconds of',
  'load + first call',
  'the other',
  'ratio',
  'its quartiles',
  'first call',
  'a warm one',
  'ratio',
]

type Given = {
  readonly environment: object
  readonly place: string
  readonly rounds: number
  readonly isCached: boolean
}

async function measured(
  name: string,
  event: object,
  { environment, place, rounds, isCached }: Given,
): Promise<unknown[]> {
  const { directory } = await bundle(name, place)
  const file = join(directory, 'index.mjs')
  const cache = isCached && { NODE_COMPILE_CACHE: join(place, `${name}-cache`) }
  const startOurs = () => start(file, { ...environment, ...cache }, event, invocations)
  const other = isCached ? file : join(place, 'bare.mjs')
  const startOther = () => start(other, environment, event, 1)
  // Once each before, so that the database knows the answers.
  requireSuccess(name, await startOurs())
  requireSuccess(name, await startOther())
  const pairs: { ours: Start; other: Start }[] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push({ ours: await startOurs(), other: await startOther() })
  const firstOf = ({ calls }: Start) => calls[0] as number
  const took = (start: Start) => start.load + firstOf(start)
  const ratios = pairs.map(({ ours, other }) => took(ours) / took(other))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2))
  const first = median(pairs.map(({ ours }) => firstOf(ours)))
  const warm = median(pairs.map(({ ours }) => median(ours.calls.slice(warmFrom))))
  return [
    name,
    median(pairs.map(({ ours }) => took(ours))).toFixed(0),
    median(pairs.map(({ other }) => took(other))).toFixed(0),
    middle,
    `${low} to ${high}`,
    first.toFixed(1),
    warm.toFixed(2),
    (first / warm).toFixed(1),
  ]
}

function requireSuccess(name: string, { answer }: Start): void {
  const { statusCode = 200, isAuthorized = true, batchItemFailures = [] } = Object(answer)
  if (statusCode >= 300 || !isAuthorized || batchItemFailures.length > 0)
    throw new Error(`${name} answered ${JSON.stringify(answer)}`)
}

export async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
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
    const certificate = certificateIn(place)
    database = await replayingDatabase(engine.endpoint, certificate)
    const given = {
      environment: { ...environmentOf(engine, database), NODE_EXTRA_CA_CERTS: certificate.file },
      place,
      rounds: Number(values.rounds),
      isCached: values['compile-cache'],
    }
    const bare = { entryPoints: ['bench/cold/bare.ts'], outfile: join(place, 'bare.mjs') }
    await build({ ...bundling, ...bare })
    const rows: unknown[][] = []
    for (const name of positionals.length > 0 ? positionals : Object.keys(lambdas))
      rows.push(await measured(name, events[name] as object, given))
    printCircumstances(values.rounds)
    printTable(titles, rows)
  } finally {
    database?.stop()
    await engine.stop()
    await rm(place, { recursive: true })
  }
}
