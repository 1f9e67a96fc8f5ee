import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import type { OperationId } from '../functions/operations/operations.ts'
import { catalog } from '../test/pages/catalog.ts'
import { notifications, syncs } from '../test/pages/history.ts'
import { workbook } from '../test/pages/workbook.ts'
import { cpuOf, memoryOf } from '../test/soak/process.ts'
import { started } from '../test/support/command.ts'
import { callerChanges } from './caller.ts'
import { reading, type Shot, shotsAt } from './load/shots.ts'
import { printTable } from './table.ts'

export const help = `Usage: npm run bench -- load [--seconds N] [--mix-seconds N]

Sends each operation, and a mix of them, to what "npm start" serves, over 10 and 100 connections, by
autocannon. Server and engine are on this machine. Every answer is checked; it ends with 1 if one is
wrong. CPU is that of the server's process alone, memory what it has resident. Linux only.

  --seconds N       how long each operation takes at each number of connections (default: 2).
                    Those of sessions get 500 requests each
  --mix-seconds N   how long the mix takes at each number of connections (default: 20)
`

/**
 * In this order: exchange and revocation take the sessions that the generation before them made.
 */
const operations: readonly OperationId[] = [
  'generate-session',
  'exchange-session',
  'generate-session',
  'revoke-session',
  ...reading,
]

/** How many sessions are made, redeemed and revoked over each number of connections. */
const sessions = 500

/**
 * Ten requests: three sessions, two of them redeemed and one revoked, a page of each list, and the
 * key set.
 */
const mix: readonly OperationId[] = [
  'list-embed-tenant-workbooks',
  'generate-session',
  'exchange-session',
  'list-dbt-syncs',
  'generate-session',
  'exchange-session',
  'list-notifications',
  'generate-session',
  'revoke-session',
  'get-key-set',
]

/** The catalog as a file: lists of workbooks and of what has happened, with pages of 100. */
function lines(): string {
  const batches = [...catalog(1000, workbook), ...syncs(500), ...notifications(500), callerChanges]
  return batches
    .flat()
    .map((change) => `${JSON.stringify(change)}\n`)
    .join('')
}

async function measureAll(server: Server, seconds: number, mixSeconds: number): Promise<void> {
  const waiting: string[] = []
  const shots = await shotsAt(server.url, waiting)
  const rows: unknown[][] = []
  let wrong = 0
  const measure = async (
    name: string,
    ids: readonly OperationId[],
    connections: number,
    until: Until,
  ) => {
    const sent = ids.map((id) => shots[id])
    const { failed, cells } = await fire(server, sent, connections, until)
    wrong += failed
    rows.push([name, connections, ...cells])
  }
  for (const connections of [10, 100]) {
    for (const id of operations) {
      const until = id.endsWith('-session') ? { amount: sessions } : { duration: seconds }
      await measure(id, [id], connections, until)
    }
    await measure('the mix', mix, connections, { duration: mixSeconds })
  }
  const day = new Date().toISOString().slice(0, 10)
  process.stdout.write(
    `${day}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}\n\n`,
  )
  printTable(
    ['', 'connections', 'a second', 'p50, ms', 'p99, ms', 'wrong', 'CPU, ms', 'resident, MB'],
    rows,
  )
  if (wrong > 0) throw new Error(`${wrong} requests had no answer or a wrong one.`)
}

type Until = { readonly amount: number } | { readonly duration: number }

type Server = Awaited<ReturnType<typeof started>>

/**
 * Sends the shots in turn on each connection. Returns how many failed, and the cells of a row:
 * requests a second, and what they took.
 */
async function fire(
  { url, pid }: Server,
  shots: readonly Shot[],
  connections: number,
  until: Until,
) {
  let wrong = 0
  const requests = shots.map(({ method, path, headers, body, isRight }) => ({
    method,
    path,
    headers,
    ...(body && { setupRequest: (request: autocannon.Request) => ({ ...request, body: body() }) }),
    onResponse: (status: number, text: string) => {
      if (!isRight(status, text)) wrong += 1
    },
  }))
  const before = cpuOf(pid)
  const {
    latency,
    requests: sent,
    errors,
    timeouts,
    resets,
    duration,
  } = await autocannon({
    url,
    connections,
    requests,
    ...until,
    sampleInt: 100,
    timeout: 30,
  })
  if (sent.total === 0) throw new Error('Nothing was answered in time. Give more seconds.')
  const cpu = (cpuOf(pid) - before) / sent.total
  const failed = wrong + errors + timeouts + resets
  const perSecond = Math.round(sent.total / duration)
  const cells = [perSecond, latency.p50, latency.p99, failed, cpu.toFixed(2), memoryOf(pid)]
  return { failed, cells }
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '2' },
      'mix-seconds': { type: 'string', default: '20' },
    },
  })
  const [seconds, mixSeconds] = [Number(values.seconds), Number(values['mix-seconds'])]
  if (!(seconds > 0 && mixSeconds > 0))
    throw new Error('--seconds and --mix-seconds take numbers above 0.')
  const directory = await mkdtemp(join(tmpdir(), 'load-'))
  try {
    const file = join(directory, 'catalog.ndjson')
    await writeFile(file, lines())
    const server = await started('--catalog', file)
    try {
      await measureAll(server, seconds, mixSeconds)
    } finally {
      await server.end()
    }
  } finally {
    await rm(directory, { recursive: true })
  }
}
