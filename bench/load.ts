import { parseArgs } from 'node:util'
import { startEngine } from '../local/engine.ts'
import { groups, type Measured, measureGroup, wrong } from './load/measure.ts'
import { type Mixed, measureMix } from './load/mix.ts'
import { installPackages } from './load/packages.ts'
import { circumstances, memoryTable, postgresTable, serviceTable } from './load/report.ts'
import { startTargets, type Targets } from './load/sides.ts'

const help = `Usage: npm run bench:load -- [--seconds N] [--mix-seconds N]

Sends each operation, and a mix of them, to the local service over 10 and 100 connections, and in the same run to

  functions   the same authorizer and functions behind a bare server in place of the local gateway
  bare        a bare server that makes the same calls to the database and gives the same answers, and checks nothing
  fastify     Fastify over PostgreSQL, which has the list of workbooks and the exchange

All servers are processes of their own on 127.0.0.1. Every answer is checked. CPU is that of the server's process alone.
The first run installs autocannon, Fastify and PostgreSQL into node_modules/.cache. Takes about ten minutes. It fails
if an answer is wrong, or the heap grows during the mix.

  --seconds N       how long each operation takes at each server and number of connections (default: 2)
  --mix-seconds N   how long the mix takes over 100 connections (default: 300)
  --help            show this
`

/** Generation is only there to make the sessions. */
const fastifyHas = ['list-embed-tenant-workbooks', 'generate-session', 'exchange-session']

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    'mix-seconds': { type: 'string', default: '300' },
    help: { type: 'boolean' },
  },
})
const [seconds, mixSeconds] = [Number(values.seconds), Number(values['mix-seconds'])]

if (values.help) process.stdout.write(help)
else if (!(seconds > 0 && mixSeconds > 0)) throw new Error('--seconds and --mix-seconds must be numbers above 0.')
else await run()

async function run(): Promise<void> {
  // So that what ends with this process ends in order.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  installPackages()
  const engine = await startEngine({})
  const targets = await startTargets(engine.endpoint, true)
  try {
    const measured = await operations(targets)
    const mixed = [await measureMix(targets, 10, mixSeconds / 10), await measureMix(targets, 100, mixSeconds)]
    const tables = [serviceTable(measured, mixed), memoryTable(mixed), postgresTable(measured), circumstances()]
    process.stdout.write(`${tables.join('\n\n')}\n`)
    requireRight(measured, mixed)
  } finally {
    await targets.stop()
    await engine.stop()
  }
}

async function operations({ service, functions, bare, fastify }: Targets): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const connections of [10, 100]) {
    for (const group of groups) {
      process.stderr.write(`${group.join(', ')} over ${connections} connections\n`)
      measured.push(...(await measureGroup(group, [service, functions, bare], connections, seconds)))
      const ofFastify = group.filter((id) => fastifyHas.includes(id))
      if (fastify && ofFastify.length > 0)
        measured.push(...(await measureGroup(ofFastify, [fastify], connections, seconds)))
    }
  }
  return measured
}

function requireRight(measured: readonly Measured[], mixed: readonly Mixed[]): void {
  const runs = [
    ...measured.flatMap(({ rounds }) => rounds),
    ...mixed.flatMap(({ service, bare, functions }) => [service, ...bare, ...functions]),
  ]
  if (wrong(runs) > 0) {
    const example = runs.find(({ firstWrong }) => firstWrong !== undefined)?.firstWrong ?? ''
    throw new Error(`${wrong(runs)} requests had no answer or a wrong one. ${example}`)
  }
  for (const {
    memory: [early, late],
  } of mixed) {
    if (late.heap > 1.25 * early.heap + 5) throw new Error(`The heap grew from ${early.heap} to ${late.heap} MB.`)
  }
}
