import { createHash } from 'node:crypto'

/** Random numbers that are the same on every run. Each part of the catalog has its own seed, so that a change
 * to one part leaves the others as they were. */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** From min to max, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to pick from')
    return choices[Math.floor(this.next() * choices.length)] as T
  }

  /** Up to `count` different choices, shuffled. */
  sample<T>(choices: readonly T[], count: number): T[] {
    const rest = [...choices]
    const taken: T[] = []
    while (taken.length < count && rest.length > 0) {
      taken.push(...rest.splice(Math.floor(this.next() * rest.length), 1))
    }
    return taken
  }

  hex(length: number): string {
    let digits = ''
    while (digits.length < length) digits += this.integer(0, 15).toString(16)
    return digits
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${this.hex(3)}-${this.hex(12)}`
  }

  /** A moment between two ISO dates, to the second. */
  moment(from: string, to: string): string {
    return new Date(this.integer(Date.parse(from) / 1000, Date.parse(to) / 1000) * 1000).toISOString()
  }
}
