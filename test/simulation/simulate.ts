import { parseArgs } from 'node:util'
import { command } from '../../cli/command.ts'
import { progressLine } from '../../cli/progress-line.ts'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { omissions } from './omissions.ts'
import type { Simulation } from './run.ts'
import { failureOf, shrunk } from './shrink.ts'

const help = `Usage: npm run prove -- simulate [options]

Several writers and a reader over a simulated DynamoDB that lags, throttles, loses answers and delivers calls late, while
writers are killed. In the end every list has to be what the newest changes say, and on the way no page may show a workbook
that was taken away. A seed decides everything.

  --seeds N       how many seeds to run (1000 if left out)
  --from S        the first of them (0 if left out)
  --seed S        runs one seed; if it fails, makes it smaller and prints its steps
  --handler       delivers the changes through the function of the queue
  --without NAME  leaves a part out, which makes a seed fail

Parts: ${Object.keys(omissions).join('\n       ')}
`

const options = {
  help: { type: 'boolean' },
  seeds: { type: 'string', default: '1000' },
  from: { type: 'string', default: '0' },
  seed: { type: 'string' },
  handler: { type: 'boolean' },
  without: { type: 'string' },
} as const

type Kind = Pick<Simulation, 'handler' | 'omission'>

await command(async () => {
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const [seeds, from] = [natural('--seeds', values.seeds), natural('--from', values.from)]
  const handler = values.handler ? sync.create : undefined
  const kind: Kind = { handler, omission: values.without === undefined ? undefined : omissionNamed(values.without) }
  const seed = values.seed === undefined ? await firstFailing(from, seeds, kind) : natural('--seed', values.seed)
  if (seed === undefined) process.stdout.write(`${seeds} seeds hold.\n`)
  else await tell(seed, kind, values.without)
})

function natural(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} must be a whole number, not ${text}.`)
  return Number(text)
}

function omissionNamed(name: string): Simulation['omission'] {
  const omission = omissions[name]
  if (!omission) throw new Error(`There is no part ${name}. The parts are: ${Object.keys(omissions).join('; ')}.`)
  return omission
}

async function firstFailing(from: number, seeds: number, kind: Kind): Promise<number | undefined> {
  const bar = progressLine(process.stderr)
  let seed = from
  while (seed < from + seeds && !(await failureOf({ seed, ...kind }))) {
    seed += 1
    bar.say(`${seed - from} of ${seeds} seeds`)
  }
  bar.end()
  return seed < from + seeds ? seed : undefined
}

/** Says what a seed does, step by step, in the smallest simulation that still fails. */
async function tell(seed: number, kind: Kind, without: string | undefined): Promise<void> {
  const failure = await failureOf({ seed, ...kind })
  if (!failure) {
    process.stdout.write(`Seed ${seed} holds.\n`)
    return
  }
  process.exitCode = 1
  process.stdout.write(`Seed ${seed} fails: ${failure.message}\n`)
  const smallest = await shrunk({ seed, ...kind })
  const steps: string[] = []
  const smaller = (await failureOf({ ...smallest, trace: (line) => steps.push(line) })) as Error
  const changes = (smallest.plan ?? []).map(({ change }) => JSON.stringify(change))
  process.stdout.write(`
A smaller one (${JSON.stringify(smallest.weather)}), changes in the order of their arrival:
${changes.join('\n')}

Its steps:
${steps.join('\n')}

${smaller.stack}

Again: npm run prove -- simulate --seed ${seed}${kind.handler ? ' --handler' : ''}${without === undefined ? '' : ` --without '${without}'`}
`)
}
