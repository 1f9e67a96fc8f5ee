import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { startOfTime } from '../support/time.ts'
import { mayBeRefused } from './api-keys.ts'
import { Broken } from './broken.ts'
import type { Planned } from './plan.ts'
import type { Actor } from './scheduler.ts'
import type { Setting } from './setting.ts'

/** Delivers the changes of a plan by several writers, until each delivery has been acknowledged. */
export class Delivery {
  readonly #setting: Setting
  readonly #waiting: Planned[]
  readonly #underWay = new Map<Actor, readonly Planned[]>()
  #wake: (() => void)[] = []
  #writers = 0

  constructor(plan: readonly Planned[], setting: Setting) {
    this.#waiting = [...plan]
    this.#setting = setting
  }

  get done(): boolean {
    return this.#waiting.length === 0 && this.#underWay.size === 0
  }

  /** Others get what a killed writer had taken, and another writer takes its place. */
  onKill(writer: Actor, failed: (error: unknown) => void): void {
    this.#waiting.unshift(...(this.#underWay.get(writer) ?? []))
    this.#underWay.delete(writer)
    this.start().catch(failed)
    this.#wakeAll()
  }

  /** One more writer, until there is nothing left to deliver. */
  async start(): Promise<void> {
    const { network, scheduler, timeline, random } = this.#setting
    this.#writers += 1
    const writer: Actor = { name: `writer ${this.#writers}`, dead: false }
    const apply = catalogWriter(network.storage(writer), { now: () => startOfTime })
    while (!this.done) {
      const batch = this.#take()
      if (batch.length === 0) {
        await new Promise<void>((resolve) => this.#wake.push(resolve))
        continue
      }
      this.#underWay.set(writer, batch)
      for (const each of batch) timeline.deliver(each, scheduler.tick())
      const results = await apply(batch.map(({ change }) => change))
      const again = batch.filter((each, index) => {
        const result = results[index]
        const isRefused = result?.outcome === 'refused' && mayBeRefused(each.change)
        if (result?.outcome === 'applied' || result?.outcome === 'skipped' || isRefused) {
          timeline.acknowledge(each, scheduler.tick())
          return false
        }
        if (result?.outcome === 'failed' && isDatabaseUnavailable(result.cause)) return true
        throw new Broken(`A valid change came to ${JSON.stringify(result)}: ${JSON.stringify(each.change)}`)
      })
      this.#underWay.delete(writer)
      this.#waiting.splice(random.between(0, this.#waiting.length), 0, ...again)
      this.#wakeAll()
    }
  }

  /** The next changes that may be delivered. A thing whose changes come in order has only one of them under way. */
  #take(): Planned[] {
    const { timeline, random } = this.#setting
    const size = random.pick([1, 2, 3, 8])
    const batch: Planned[] = []
    for (let index = 0; index < this.#waiting.length && batch.length < size; ) {
      const next = this.#waiting[index] as Planned
      if (next.after && !timeline.isAcknowledged(next.after)) index += 1
      else batch.push(...this.#waiting.splice(index, 1))
    }
    return batch
  }

  #wakeAll(): void {
    for (const resume of this.#wake.splice(0)) resume()
  }
}
