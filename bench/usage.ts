import { parseArgs } from 'node:util'
import { measured } from './measured-command.ts'
import { printTable } from './table.ts'

export const help = `Usage: npm run bench -- usage [--lines N] [--users N]

Counts so many audit lines (1000000) of November 2026, for so many end users (100000) of 200 embed
tenants, by "npx embed-access usage". Half of them are redemptions. The lines come from this process
while they are counted. Memory is that of the command: when a quarter of its time was over, and the
most at any time. Linux only.
`

const month = '2026-11'

/** Lines as long as those of the functions, in chunks of a thousand. */
function* auditLines(lines: number, users: number): Generator<string> {
  for (let from = 0; from < lines; from += 1000) {
    yield Array.from({ length: 1000 }, (_, each) => auditLine(from + each, users)).join('')
  }
}

function auditLine(index: number, users: number): string {
  const user = (index >> 1) % users
  const [accountId, embedTenantName] = [`account-${user % 10}`, `tenant-${user % 200}`]
  const sub = `${accountId}#external#${embedTenantName}#user-${user}`
  const Timestamp = Date.parse(`${month}-01T00:00:00Z`) + index
  const Metrics = [{ Name: 'sessionsRedeemed', Unit: 'Count' }]
  const CloudWatchMetrics = [{ Namespace: 'EmbedAccess', Dimensions: [['issuer']], Metrics }]
  const line = {
    level: 'info',
    routeKey: 'POST /api/v1/embed/session/token',
    requestId: 'AbCdEfGhIjKlMnO=',
    awsRequestId: '2b1b5b0e-6f39-4f8f-9f83-9d1f3d7f0d1e',
    traceId: '1-67891233-abcdef012345678912345678',
    sourceIp: '203.0.113.7',
    event: index % 2 === 0 ? 'session.generated' : 'session.redeemed',
    jti: String(index >> 1).padStart(22, '0'),
    for: { accountId, deploymentId: 1001, sub, embedTenantName },
    sessionsRedeemed: 1,
    time: new Date(Timestamp).toISOString(),
    issuer: 'https://embed.example',
    _aws: { Timestamp, CloudWatchMetrics },
  }
  return `${JSON.stringify(line)}\n`
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      lines: { type: 'string', default: '1000000' },
      users: { type: 'string', default: '100000' },
    },
  })
  if (!/^[1-9]\d{0,5}000$/.test(values.lines)) throw new Error('--lines takes a multiple of 1000.')
  if (!/^[1-9]\d{0,8}$/.test(values.users)) throw new Error('--users takes a whole number above 0.')
  const [lines, users] = [Number(values.lines), Number(values.users)]
  const args = ['usage', '--month', month, '--json', '--quiet']
  const { printed, seconds, megabytes } = await measured(args, { input: auditLines(lines, users) })
  const { usage } = JSON.parse(printed.slice(printed.indexOf('{')))
  const total = (name: string) =>
    usage.reduce((sum: number, row: Record<string, number>) => sum + Number(row[name]), 0)
  printTable(
    ['lines', 'redeemed', 'end users', 'seconds', 'MB', 'MB at most'],
    [[lines, total('redeemed'), total('endUsers'), seconds.toFixed(1), ...megabytes]],
  )
}
