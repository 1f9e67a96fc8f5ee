import { startOfTime } from '../support/time.ts'
import type { Random } from './random.ts'
import { untilAllStand } from './threads.ts'

/** One of those who run at the same time. Its steps come one by one between those of the others. */
export type Actor = { readonly name: string; dead: boolean }

/** Something that is about to happen. Without an actor nobody waits for it. */
type Step = {
  readonly actor?: Actor
  run(): void
  /** When it has happened at the latest. Without it, it may take as long as it likes. */
  readonly latest?: number | undefined
  /** How it may still happen once its actor is dead. */
  readonly arrivesLater?: ((note: string) => void) | undefined
}

/** How probable the next step of an actor is beside those of others: some are slow for a while. */
const paces = [1, 1, 0.2, 0.02]

/**
 * Decides who goes next, and has the clock. Actors are async functions that wait for nothing but
 * their own steps, so between two steps all of them stand still, and a seed decides everything that
 * happens.
 */
export class Scheduler {
  /** Milliseconds since the epoch. */
  now = startOfTime
  readonly #random: Random
  readonly #paces = new Map<Actor | undefined, number>()
  #pending: Step[] = []

  constructor(random: Random) {
    this.#random = random
  }

  add(step: Step): void {
    this.#pending.push(step)
  }

  /** Lets time pass, until the next step must have happened. */
  letPass(milliseconds: number): void {
    const latest = Math.min(...this.#pending.map(({ latest = Infinity }) => latest))
    this.now = Math.max(this.now, Math.min(this.now + milliseconds, latest))
  }

  /** Takes back the steps of an actor. */
  withdraw(actor: Actor): Step[] {
    const withdrawn = this.#pending.filter((step) => step.actor === actor)
    this.#pending = this.#pending.filter((step) => step.actor !== actor)
    return withdrawn
  }

  /** Goes on until nothing is left to happen, or it is stopped. */
  async run(isStopped: () => boolean = () => false): Promise<void> {
    for (;;) {
      await untilAllStand()
      if (isStopped()) return
      const next = this.#choose()
      if (next === undefined) return
      ;(this.#pending.splice(next, 1)[0] as Step).run()
    }
  }

  #choose(): number | undefined {
    if (this.#pending.length <= 1) return this.#pending.length === 1 ? 0 : undefined
    if (this.#random.chance(0.05)) this.#paces.clear()
    const weights = this.#pending.map(({ actor }) => this.#pace(actor))
    let point = this.#random.next() * weights.reduce((sum, weight) => sum + weight)
    for (const [index, weight] of weights.entries()) {
      point -= weight
      if (point < 0) return index
    }
    return weights.length - 1
  }

  #pace(actor: Actor | undefined): number {
    const pace = this.#paces.get(actor) ?? this.#random.pick(paces)
    this.#paces.set(actor, pace)
    return pace
  }
}
