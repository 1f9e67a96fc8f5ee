import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { cpu, type Measured, percentile, rate, ratio, type Taken, wrong } from './measure.ts'
import type { Mixed } from './mix.ts'
import { packageVersions } from './packages.ts'

const table = (titles: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const speed = (rounds: readonly Taken[]) => [
  Math.round(rate(rounds)),
  percentile(rounds, 50).toFixed(1),
  percentile(rounds, 99).toFixed(1),
  wrong(rounds),
]

const milliseconds = (value: number): string => value.toFixed(value < 1 ? 3 : 2)

/** Each operation and the mix at the service, against the bare server. */
export function serviceTable(measured: readonly Measured[], mixed: readonly Mixed[]): string {
  const titles = ['', 'connections', 'a second', 'p50, ms', 'p99, ms', 'wrong', 'CPU, ms']
  const compared = ['× bare', 'functions alone, CPU', '× bare', 'bare, CPU']
  const row = (name: string, connections: number, service: readonly Taken[], others: readonly (readonly Taken[])[]) => {
    const [functions = [], bare = []] = others
    const ratios = [ratio(service, bare).toFixed(2), milliseconds(cpu(functions)), ratio(functions, bare).toFixed(2)]
    const own = [...speed(service), milliseconds(cpu(service))]
    return [name, connections, ...own, ...ratios, milliseconds(cpu(bare))]
  }
  const roundsAt = ({ operation, connections }: Measured, target: string) =>
    measured.find((one) => one.operation === operation && one.connections === connections && one.target === target)
      ?.rounds ?? []
  const rows = measured
    .filter(({ target }) => target === 'service')
    .map((one) => row(one.operation, one.connections, one.rounds, [roundsAt(one, 'functions'), roundsAt(one, 'bare')]))
  const mixes = mixed.map(({ connections, service, functions, bare }) =>
    row('the mix', connections, [service], [together(functions), together(bare)]),
  )
  return table([...titles, ...compared], [...rows, ...mixes])
}

/** Runs as one. */
const together = (rounds: readonly Taken[]): Taken[] => [
  {
    seconds: rounds.reduce((sum, { seconds }) => sum + seconds, 0),
    cpuMs: rounds.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    latencies: rounds.flatMap(({ latencies }) => latencies),
    wrong: wrong(rounds),
  },
]

/** What Fastify over PostgreSQL has, beside the service. */
export function postgresTable(measured: readonly Measured[]): string {
  const shown = ['list-embed-tenant-workbooks', 'exchange-session']
  const at = measured.filter(({ operation }) => shown.includes(operation))
  const rows = at
    .filter(({ target }) => target === 'fastify')
    .flatMap(({ operation, connections }) =>
      ['service', 'functions', 'bare', 'fastify'].map((name) => {
        const one = at.find(
          (each) => each.operation === operation && each.connections === connections && each.target === name,
        )
        return [operation, connections, name, ...speed(one?.rounds ?? []), milliseconds(cpu(one?.rounds ?? []))]
      }),
    )
  return table(['', 'connections', 'server', 'a second', 'p50, ms', 'p99, ms', 'wrong', 'CPU, ms'], rows)
}

/** The service's memory during the mix. */
export const memoryTable = (mixed: readonly Mixed[]): string =>
  table(
    ['mix', 'heap, a quarter through', 'at the end', 'resident, a quarter through', 'at the end'],
    mixed.map(({ connections, memory: [early, late] }) => [
      `${connections} connections`,
      ...[early.heap, late.heap, early.rss, late.rss].map((megabytes) => `${megabytes.toFixed(1)} MB`),
    ]),
  )

/** Date, machine and versions. */
export function circumstances(): string {
  const installed = (name: string) => createRequire(import.meta.url)(`${name}/package.json`).version as string
  const sdk = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'].map((name) => `${name}@${installed(name)}`)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${sdk.join(', ')}, ${packageVersions}`
}
