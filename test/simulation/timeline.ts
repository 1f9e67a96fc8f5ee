import { contentOf, type Planned } from './plan.ts'

/** What a thing may have held, and in which span of time. */
export type Span = {
  readonly content: object | undefined
  readonly from: number
  readonly to: number
}

/**
 * What may have been stored when, as far as a writer can know it.
 *
 * A change may be in force from the moment when it is delivered for the first time, whatever
 * becomes of the call. It is no longer in force from the moment when a newer change of the same
 * thing is *acknowledged*: when `catalogWriter` has given `applied` or `skipped` for it for the
 * first time. Before any change a thing is not there.
 */
export class Timeline {
  readonly #delivered = new Map<Planned, number>()
  readonly #acknowledged = new Map<Planned, number>()
  readonly #byThing = new Map<string, Set<Planned>>()
  /** What the clock said at each moment, in milliseconds. */
  readonly #clock: number[] = [-Infinity]
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** The next moment. No two events have the same. */
  tick(): number {
    return this.#clock.push(this.#now()) - 1
  }

  /** The last moment at which the clock had not passed a time. */
  momentAt(time: number): number {
    return this.#clock.findLastIndex((each) => each <= time)
  }

  deliver(change: Planned): void {
    if (this.#delivered.has(change)) return
    this.#delivered.set(change, this.tick())
    const known = this.#byThing.get(change.thing) ?? new Set()
    this.#byThing.set(change.thing, known.add(change))
  }

  acknowledge(change: Planned): void {
    if (!this.#acknowledged.has(change)) this.#acknowledged.set(change, this.tick())
  }

  isAcknowledged(change: Planned): boolean {
    return this.#acknowledged.has(change)
  }

  timeAt(moment: number): number {
    return this.#clock[moment] as number
  }

  /** The deletions of a thing, and the moments of their delivery and acknowledgement. */
  deletions(thing: string) {
    return [...(this.#byThing.get(thing) ?? [])]
      .filter(({ change }) => change.op === 'delete')
      .map((each) => ({
        order: each.order,
        from: this.#delivered.get(each) as number,
        to: this.#acknowledged.get(each),
      }))
  }

  /** What a thing may have held at some time from `from` to `to`. */
  spans(thing: string, from: number, to: number): Span[] {
    const changes = [...(this.#byThing.get(thing) ?? [])].filter(({ counts }) => counts)
    const end = (order: number) =>
      Math.min(
        ...changes
          .filter((each) => each.order > order)
          .map((each) => this.#acknowledged.get(each) ?? Infinity),
      )
    const nothing = { content: undefined, from: 0, to: end(0) }
    const spans = changes.map((each) => ({
      content: contentOf(each),
      from: this.#delivered.get(each) as number,
      to: end(each.order),
    }))
    return [nothing, ...spans].filter((span) => span.to >= from && span.from <= to)
  }
}
