import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { mayBeRefused } from './api-keys.ts'
import type { Network } from './network.ts'
import type { Omission } from './omissions.ts'
import type { Planned } from './plan.ts'
import type { Random } from './random.ts'
import type { Actor, Scheduler } from './scheduler.ts'
import type { Timeline } from './timeline.ts'

/** What all actors of a simulation share. */
export type Setting = {
  readonly network: Network
  readonly scheduler: Scheduler
  readonly timeline: Timeline
  readonly random: Random
  readonly omission: Omission | undefined
}

/** Delivers changes by several workers at once, until each delivery has been acknowledged. */
export abstract class Delivery<Each = unknown> {
  readonly setting: Setting
  readonly underWay = new Map<Actor, readonly Each[]>()
  #wake: (() => void)[] = []
  #workers = 0

  constructor(setting: Setting) {
    this.setting = setting
  }

  /** Whether nothing waits to be taken. */
  abstract isEmpty(): boolean

  /** The next batch; empty if nothing may be delivered now. */
  abstract take(): readonly Each[]

  /** Gets what a killed worker had taken. */
  abstract giveBack(batch: readonly Each[]): void

  /** How a worker delivers a batch, and then settles what came of it. */
  abstract worker(storage: Storage): (batch: readonly Each[]) => Promise<() => void>

  get done(): boolean {
    return this.isEmpty() && this.underWay.size === 0
  }

  /** Others get what a killed worker had taken, and another worker takes its place. */
  onKill(worker: Actor, failed: (error: unknown) => void): void {
    this.giveBack(this.underWay.get(worker) ?? [])
    this.underWay.delete(worker)
    this.start().catch(failed)
    this.#wakeAll()
  }

  /** One more worker, until there is nothing left to deliver. */
  async start(): Promise<void> {
    this.#workers += 1
    const worker: Actor = { name: `worker ${this.#workers}`, dead: false }
    const deliver = this.worker(this.setting.network.storage(worker))
    while (!this.done) {
      const batch = this.take()
      if (batch.length === 0) {
        await new Promise<void>((resolve) => this.#wake.push(resolve))
        continue
      }
      this.underWay.set(worker, batch)
      const settle = await deliver(batch)
      this.underWay.delete(worker)
      settle()
      this.#wakeAll()
    }
  }

  #wakeAll(): void {
    for (const resume of this.#wake.splice(0)) resume()
  }
}

/** Takes out of a list what may be delivered next. */
export function takeReady<Each>(
  waiting: Each[],
  most: number,
  isReady: (each: Each, taken: readonly Each[]) => boolean,
): Each[] {
  const taken: Each[] = []
  for (let index = 0; index < waiting.length && taken.length < most; ) {
    if (isReady(waiting[index] as Each, taken)) taken.push(...waiting.splice(index, 1))
    else index += 1
  }
  return taken
}

/** Writers that apply the changes of a plan. */
export class Writers extends Delivery<Planned> {
  readonly #waiting: Planned[]

  constructor(plan: readonly Planned[], setting: Setting) {
    super(setting)
    this.#waiting = [...plan]
  }

  isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** A thing whose changes come in order has only one of them under way. */
  take(): Planned[] {
    const { timeline, random } = this.setting
    const size = random.pick([1, 2, 3, 8])
    return takeReady(this.#waiting, size, ({ after }) => !after || timeline.isAcknowledged(after))
  }

  giveBack(batch: readonly Planned[]): void {
    this.#waiting.unshift(...batch)
  }

  worker(storage: Storage) {
    const { timeline, random, scheduler } = this.setting
    const apply = catalogWriter(storage, { now: () => scheduler.now })
    return async (batch: readonly Planned[]) => {
      for (const each of batch) timeline.deliver(each)
      const results = await apply(batch.map(({ change }) => change))
      return () => {
        const again = batch.filter((each, index) => {
          const result = results[index]
          if (result?.outcome === 'failed' && isDatabaseUnavailable(result.cause)) return true
          const isRefused = result?.outcome === 'refused' && mayBeRefused(each.change)
          if (result?.outcome !== 'applied' && result?.outcome !== 'skipped' && !isRefused) {
            throw new Error(
              `A valid change came to ${JSON.stringify(result)}: ${JSON.stringify(each.change)}`,
            )
          }
          timeline.acknowledge(each)
          return false
        })
        this.#waiting.splice(random.between(0, this.#waiting.length), 0, ...again)
      }
    }
  }
}
