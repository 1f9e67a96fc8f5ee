import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
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
import { revocations, revokeWhile } from './revocations.ts'
import { Scheduler } from './scheduler.ts'
import { tenants } from './subjects.ts'
import { Timeline } from './timeline.ts'

export type Simulation = {
  /** Decides the catalog, the weather and every step. */
  readonly seed: number
  /** A part of the seed's plan, instead of all of it. */
  readonly plan?: readonly Planned[] | undefined
  /** What is stored at first, instead of what the seed decides. */
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

/** What a seed begins with, what happens while changes are delivered, and what holds in the end. */
export function scene(seed: number) {
  const random = new Random(seed)
  const weather: Weather = {
    lag: random.pick([0, 3, 20, 100]),
    trouble: random.pick([0, 0.01, 0.05, 0.2]),
    troubles: random.between(0, 30),
    kills: random.between(0, 2),
  }
  const usual = { random, weather, ...listsFor({ tenants, sources, sizes: usualSizes }) }
  if (seed % 8 === 3) {
    const check: Check = async (storage, newest, random) => {
      await usual.check(storage, newest, random)
      await checkLogins(storage, newest)
    }
    return { ...usual, ...logins(random), watch: askWhile, check }
  }
  if (seed % 8 === 6) {
    const own = { watch: revokeWhile, check: async () => {} }
    return { ...usual, weather: { ...weather, kills: 0 }, ...revocations(random), ...own }
  }
  if (!random.chance(0.25)) return { ...usual, there: [], plan: planned(random) }
  const { sizes = usualSizes, ...changes } = bait(random)
  const readers = { tenants: ['north'], sources: ['folder', undefined], sizes } as const
  return { ...usual, ...listsFor(readers), ...changes }
}

type Watch = (goesOn: () => boolean, setting: Setting) => Promise<void>
type Check = (storage: Storage, newest: Newest, random: Random) => Promise<void>

/** Lists that are read all the time, and compared in the end. */
const listsFor = (readers: Parameters<typeof readWhile>[1]): { watch: Watch; check: Check } => ({
  watch: (goesOn, setting) => readWhile(goesOn, readers, setting),
  check: (storage, newest, random) => checkLists(storage, newest, readers.sizes, random),
})

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
  const { random, watch, check, ...own } = scene(seed)
  const there = changed.there ?? own.there
  const plan = changed.plan ?? own.plan
  const weather = { ...own.weather, ...changed.weather }
  const scheduler = new Scheduler(random)
  const now = () => scheduler.now
  const database = new Database(tables, now)
  const network = networkOver(database, scheduler, random, weather, { trace, omission })
  const timeline = new Timeline(now)
  for (const each of there) {
    database.add([each.change])
    timeline.deliver(each)
    timeline.acknowledge(each)
  }
  const setting = { network, scheduler, timeline, random, omission }
  const queue = handler && new Queue(handler, plan, setting)
  const delivery = queue ?? new Writers(plan, setting)

  const failures: unknown[] = []
  const failed = (error: unknown) => failures.push(error)
  network.onKill = (writer) => delivery.onKill(writer, failed)
  for (let writer = random.between(2, 4); writer > 0; writer -= 1) delivery.start().catch(failed)
  const goesOn = () => !delivery.done && failures.length === 0
  watch(goesOn, setting).catch(failed)
  changed.meanwhile?.(setting, goesOn).catch(failed)
  await scheduler.run(() => failures.length > 0)
  if (failures.length > 0) throw failures[0]
  if (!delivery.done) throw new Error('All stand still, and not everything has been delivered.')
  queue?.checkDeadLetters()

  network.calm()
  trace?.('All is delivered.')
  const storage = network.storage({ name: 'reader', dead: false })
  const checked = check(storage, new Newest([...there, ...plan]), random)
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
