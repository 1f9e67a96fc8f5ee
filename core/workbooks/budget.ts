/** Calls to the database, and how many of them were made one after the other. */
export type Spent = { readonly calls: number; readonly roundTrips: number }

/** What checking one round of hits may take: their workbooks, then the folders above them, then the shares of those. */
const checking = { calls: 20, roundTrips: 3 }

/**
 * What a page may still ask of the database. It ends early, with a cursor, where finding more would take more
 * (docs/lists.md#pages).
 */
export class Budget {
  calls: number
  roundTrips: number

  constructor(calls: number, roundTrips: number) {
    this.calls = calls
    this.roundTrips = roundTrips
  }

  /** Takes note of calls, by default all side by side. */
  spend(calls: number, roundTrips = 1): void {
    this.calls -= calls
    this.roundTrips -= roundTrips
  }

  /** Leaves at least so much, whatever was spent: else a page could end where it began. */
  leaveAtLeast(calls: number, roundTrips: number): void {
    this.calls = Math.max(this.calls, calls)
    this.roundTrips = Math.max(this.roundTrips, roundTrips)
  }

  allows(calls: number): boolean {
    return this.calls >= calls && this.roundTrips >= 1
  }

  /** Whether a round of calls that look for hits leaves enough to check them. */
  allowsLooking(calls: number): boolean {
    return this.calls - checking.calls >= calls && this.roundTrips - checking.roundTrips >= 1
  }
}
