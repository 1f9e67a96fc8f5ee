import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import type { handler as sync } from '../../functions/catalog-sync.ts'
import { sources } from '../workbooks/model.ts'
import { bait } from './bait.ts'
import { Database } from './database.ts'
import { type Setting, Writers } from './delivery.ts'
import { checkLists } from './final-lists.ts'
import { askWhile, checkLogins, logins } from './logins.ts'
import { networkOver, type Weather } from './network.ts'
import { Newest } from './newest.ts'
import type { Omission } from './omissions.ts'
import { type Planned, planned } from './plan.ts'
import { Queue } from './queue.ts'
import { Random } from './random.ts'
import { readWhile } from './reader.ts'
import { Scheduler } from './scheduler.ts'
import { tenants } from './subjects.ts'
import { Timeline } from './timeline.ts'

export type Simulation = {
  /** Decides the catalog, the weather and every step. */
  readonly seed: number
  /** Another plan than that of the seed: a part of it. */
  readonly plan?: readonly Planned[] | undefined
  /** What is there at first, in place of what the seed says. */
  readonly there?: readonly Planned[] | undefined
  readonly weather?: Partial<Weather> | undefined
  /** What somebody else does while changes are delivered. */
  readonly meanwhile?: ((setting: Setting, goesOn: () => boolean) => Promise<void>) | undefined
  readonly trace?: (line: string) => void
  readonly omission?: Omission | undefined
  /** The function that takes the changes from a queue. Without it, writers apply them directly. */
  readonly handler?: typeof sync.create | undefined
}

const tables = tablesWithPrefix('simulated')

/** How many workbooks a page may have. */
const usualSizes = [1, 2, 3, 4, 5]

/** Whether names that stand for users and dashboards move. */
const hasLogins = (seed: number): boolean => seed % 8 === 3

/** What a seed begins with: changes, weather, and whose lists are read meanwhile. */
export function scene(seed: number) {
  const random = new Random(seed)
  const weather: Weather = {
    lag: random.pick([0, 3, 20, 100]),
    trouble: random.pick([0, 0.01, 0.05, 0.2]),
    troubles: random.between(0, 30),
    kills: random.between(0, 2),
  }
  const lists = { tenants, sources, sizes: usualSizes }
  if (hasLogins(seed)) return { random, weather, ...logins(random), readers: lists }
  if (!random.chance(0.25)) {
    return {
      random,
      weather,
      there: [],
      plan: planned(random),
      readers: lists,
    }
  }
  const { sizes = usualSizes, ...changes } = bait(random)
  return {
    random,
    weather,
    ...changes,
    readers: { tenants: ['north'], sources: ['folder', undefined] as const, sizes },
  }
}

/**
 * Runs one simulation.
 * @throws Error if something happened that must not
 */
export async function simulate({
  seed,
  trace,
  omission,
  handler,
  ...changed
}: Simulation): Promise<void> {
  const { random, readers, ...own } = scene(seed)
  const there = changed.there ?? own.there
  const plan = changed.plan ?? own.plan
  const weather = { ...own.weather, ...changed.weather }
  const scheduler = new Scheduler(random)
  const database = new Database(tables)
  const network = networkOver(database, scheduler, random, weather, { trace, omission })
  const timeline = new Timeline()
  for (const each of there) {
    database.add([each.change])
    timeline.deliver(each)
    timeline.acknowledge(each)
  }
  const setting = { network, timeline, random }
  const queue = handler && new Queue(handler, plan, setting)
  const delivery = queue ?? new Writers(plan, setting)

  const failures: unknown[] = []
  const failed = (error: unknown) => failures.push(error)
  network.onKill = (writer) => delivery.onKill(writer, failed)
  for (let writer = random.between(2, 4); writer > 0; writer -= 1) delivery.start().catch(failed)
  const goesOn = () => !delivery.done && failures.length === 0
  const reading = hasLogins(seed) ? askWhile(goesOn, setting) : readWhile(goesOn, readers, setting)
  reading.catch(failed)
  changed.meanwhile?.(setting, goesOn).catch(failed)
  await scheduler.run(() => failures.length > 0)
  if (failures.length > 0) throw failures[0]
  if (!delivery.done) throw new Error('All stand still, and not everything has been delivered.')
  queue?.checkDeadLetters()

  network.calm()
  trace?.('All is delivered.')
  const storage = network.storage({ name: 'reader', dead: false })
  const newest = new Newest([...there, ...plan])
  const lists = checkLists(storage, newest, readers.sizes, random)
  const checked = hasLogins(seed) ? lists.then(() => checkLogins(storage, newest)) : lists
  checked.catch(failed)
  await scheduler.run(() => failures.length > 0)
  await checked
}

/** What went wrong in a simulation, if something did. */
export const failureOf = (simulation: Simulation): Promise<Error | undefined> =>
  simulate(simulation).then(
    () => undefined,
    (error) => error as Error,
  )
