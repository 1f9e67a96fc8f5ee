import { parseArgs } from 'node:util'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { startEngine } from '../local/engine.ts'
import { median } from './cpu.ts'
import { filledTables } from './tables.ts'
import { callsOver } from './warm/calls.ts'
import { type Invoke, invocationsOf, requireSame } from './warm/invocations.ts'
import { least } from './warm/least.ts'
import { ours } from './warm/ours.ts'
import { partNames, profileOf } from './warm/profile.ts'
import { type Scenario, scenario } from './warm/scenario.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench:warm -- [--rounds N] [--profile] [--calls]

The processor time of an invocation of each operation and of the authorizer, against the least handler by hand that makes
the same calls through the SDK as it comes and gives the same answer. The database's answers are replayed. Both take turns;
times are medians of their rounds, the ratio is the median of the ratios of rounds next to each other.

  --rounds N   how often each takes its turn, 41 by default
  --profile    also prints which parts take the time of ours
  --calls      prints only what calls take: by our client, by the SDK as it comes, and the least that is possible. Warns if
               calls by our client go through other parts of the SDK than were known
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '41' },
    profile: { type: 'boolean' },
    calls: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

const engine = await startEngine({})
try {
  const { storage, measure } = await filledTables(
    engine.endpoint,
    { workbooks: 1000, syncs: 1000, notifications: 1000 },
    workbook,
  )
  const given = await scenario({ storage, measure })
  console.log(`Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`)
  if (values.calls) await printCalls(storage.tables)
  else await printInvocations(storage, given)
  storage.client.destroy()
} finally {
  await engine.stop()
}

async function printCalls(tables: Storage['tables']): Promise<void> {
  const calls = callsOver(tables, engine.endpoint)
  console.log('| call | ours, µs | as it comes, µs | least, µs |\n|---|---|---|---|')
  for (const [name, ...ways] of calls) {
    const times = (await compare(ways)).map(median)
    console.log(`| ${name} | ${times.map((time) => time.toFixed(time < 10 ? 1 : 0)).join(' | ')} |`)
  }
}

async function printInvocations({ tables }: Storage, given: Scenario): Promise<void> {
  const both = [ours(tables, engine.endpoint, given), await least(tables, engine.endpoint, given)] as const
  console.log('| invocation | calls | ours, µs | least, µs | ratio |\n|---|---|---|---|---|')
  const invocations = invocationsOf(both, given)
  for (const [name, ...pair] of invocations) {
    const calls = await requireSame(name, both, pair, given)
    const [own = [], other = []] = await compare(pair)
    const ratio = median(own.map((time, round) => time / (other[round] as number)))
    console.log(
      `| ${name} | ${calls.length} | ${median(own).toFixed(0)} | ${median(other).toFixed(0)} | ${ratio.toFixed(2)} |`,
    )
  }
  if (values.profile) {
    console.log(`\n| % of the time of ours | ${partNames.join(' | ')} |\n|---|${'---|'.repeat(partNames.length)}`)
    for (const [name, invoke] of invocations) {
      // Some two seconds.
      const times = Math.ceil(2_000_000 / ((await cpuOf(invoke, 1000)) + 1))
      const shares = await profileOf(() => repeat(invoke, times))
      const cells = partNames.map((part) => ((shares.get(part) ?? 0) * 100).toFixed(0))
      console.log(`| ${name} | ${cells.join(' | ')} |`)
    }
  }
}

/** Microseconds of each way in each round. */
async function compare(ways: readonly Invoke[]): Promise<number[][]> {
  for (const invoke of ways) await repeat(invoke, 500)
  // A round of some 30 ms.
  const times = Math.ceil(30_000 / ((await cpuOf(ways[0] as Invoke, 100)) + 1))
  const rounds: number[][] = ways.map(() => [])
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [index, invoke] of ways.entries()) rounds[index]?.push(await cpuOf(invoke, times))
  }
  return rounds
}

/** Microseconds of an invocation. */
async function cpuOf(invoke: Invoke, times: number): Promise<number> {
  const before = process.cpuUsage()
  await repeat(invoke, times)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

async function repeat(invoke: Invoke, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await invoke()
}
