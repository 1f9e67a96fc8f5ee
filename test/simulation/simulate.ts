import { Command, Option } from '@commander-js/extra-typings'
import { wholeNumber } from '../../cli/command.ts'
import { progressLine } from '../../cli/progress-line.ts'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { omissions } from './omissions.ts'
import type { Planned } from './plan.ts'
import { failureOf, type Simulation, scene } from './run.ts'

const program = new Command('npm run prove -- simulate')
  .configureOutput({ getOutHelpWidth: () => 100 })
  .description(
    'Several writers and a reader over a simulated DynamoDB that lags, throttles, loses answers ' +
      'and delivers calls late, while writers are killed. In the end every list has to be what ' +
      'the newest changes say. On the way no page may show a workbook that was taken away, and ' +
      'no verifier may take a token that has ended. A seed decides everything.',
  )
  .option('--seeds <count>', 'how many seeds to run', wholeNumber, 1000)
  .option('--from <seed>', 'the first of them', wholeNumber, 0)
  .option(
    '--seed <seed>',
    'runs one seed; if it fails, makes it smaller and prints its steps',
    wholeNumber,
  )
  .option('--handler', 'delivers the changes through the function of the queue')
  .addOption(
    new Option('--without <part>', 'leaves a part out, so that a seed fails').choices(
      Object.keys(omissions),
    ),
  )

/** The most smaller simulations that are tried. */
const mostTries = 1500

type Kind = Pick<Simulation, 'handler' | 'omission'>

export async function run(): Promise<void> {
  const { seeds, from, without, ...options } = program.parse().opts()
  const handler = options.handler ? sync.create : undefined
  const kind: Kind = { handler, omission: without === undefined ? undefined : omissions[without] }
  const seed = options.seed ?? (await firstFailing(from, seeds, kind))
  if (seed === undefined) process.stdout.write(`${seeds} seeds hold.\n`)
  else await tell(seed, kind, without)
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
  const smallest = await shrunk({ seed, ...kind }, failure)
  const steps: string[] = []
  const smaller = (await failureOf({ ...smallest, trace: (line) => steps.push(line) })) as Error
  const changes = (smallest.plan ?? []).map(({ change }) => JSON.stringify(change))
  process.stdout.write(`
A smaller one (${JSON.stringify(smallest.weather)}), changes in the order of their arrival:
${changes.join('\n')}

Its steps:
${steps.join('\n')}

${smaller.stack}

Again: npm run prove -- simulate --seed ${seed}${kind.handler ? ' --handler' : ''}${
    without === undefined ? '' : ` --without '${without}'`
  }
`)
}

/**
 * A smaller simulation of the same seed that fails in the same way: fewer things, fewer changes,
 * better weather.
 */
async function shrunk(
  { seed, ...fixed }: Kind & { readonly seed: number },
  failure: Error,
): Promise<Simulation> {
  const [way] = failure.message.split(' ')
  const own = scene(seed)
  let smallest: Simulation = { seed, ...fixed, plan: own.plan, weather: own.weather }
  let tries = 0
  const attempt = async (smaller: Partial<Simulation>) => {
    tries += 1
    if (tries > mostTries) return
    const other = await failureOf({ ...smallest, ...smaller })
    if (other?.message.startsWith(`${way} `)) smallest = { ...smallest, ...smaller }
  }
  const plan = () => smallest.plan as readonly Planned[]
  for (let before = Infinity; plan().length < before && tries < mostTries; ) {
    before = plan().length
    for (const thing of new Set(plan().map(({ thing }) => thing))) {
      await attempt({ plan: only(plan(), (each) => each.thing !== thing) })
    }
    for (const { change } of plan())
      await attempt({ plan: only(plan(), (each) => each.change !== change) })
  }
  for (const calm of [{ troubles: 0 }, { kills: 0 }, { lag: 0 }]) {
    await attempt({ weather: { ...smallest.weather, ...calm } })
  }
  return smallest
}

/**
 * Part of a plan. If something is left out, what came after it now comes after what was before it.
 */
function only(plan: readonly Planned[], isKept: (each: Planned) => boolean): Planned[] {
  const kept = new Map<Planned, Planned>()
  const copy = (each: Planned | undefined): Planned | undefined => {
    if (!each || !isKept(each)) return each && copy(each.after)
    const known = kept.get(each) ?? { ...each, after: copy(each.after) }
    kept.set(each, known)
    return known
  }
  return plan.filter(isKept).map((each) => copy(each) as Planned)
}
