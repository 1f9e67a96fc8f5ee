import { connect, type Storage } from '@embed-access/core/storage/storage.ts'

/** What reading something took from the database. */
export type Cost = {
  readonly calls: number
  /**
   * How many calls come one after the other, if all take the same time. Calls are answered in rounds, all of one round
   * together. A call belongs to the first round that begins after it was made.
   */
  readonly roundTrips: number
  /** Entries that queries of indexes gave. */
  readonly entries: number
  /** Items that reads by key gave. */
  readonly items: number
  /** Read units. */
  readonly capacity: number
  /** Bytes of the database's answers. */
  readonly bytes: number
}

type Answer = {
  readonly Items?: readonly unknown[]
  readonly Item?: unknown
  /** Of a batch by table, of a transaction in order. */
  readonly Responses?: Readonly<Record<string, readonly unknown[]>> | readonly { readonly Item?: unknown }[]
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number } | readonly { readonly CapacityUnits?: number }[]
}

export type Meter = { readonly storage: Storage; measure<Result>(work: () => Promise<Result>): Promise<[Cost, Result]> }

/** The same tables through a client that keeps count. One measurement at a time. */
export function metered(tables: Storage['tables'], endpoint: string): Meter {
  const storage = connect(tables, endpoint)
  const rounds = new Rounds()
  let counts = { calls: 0, entries: 0, items: 0, capacity: 0, bytes: 0 }

  storage.client.middlewareStack.add(
    (next) => async (args) => {
      const [result] = await rounds.answer(() =>
        next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }),
      )
      const { Items, Item, Responses, ConsumedCapacity } = result.output as Answer
      counts.calls += 1
      counts.entries += Items?.length ?? 0
      counts.items += (Item ? 1 : 0) + itemsIn(Responses ?? {})
      for (const { CapacityUnits } of [ConsumedCapacity ?? []].flat()) counts.capacity += CapacityUnits ?? 0
      return result
    },
    { step: 'initialize', priority: 'high', name: 'meter' },
  )
  storage.client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const { headers } = result.response as { headers: Record<string, string> }
      counts.bytes += Number(headers['content-length'] ?? 0)
      return result
    },
    { step: 'deserialize', priority: 'low', name: 'bytes' },
  )

  return {
    storage,
    async measure(work) {
      counts = { calls: 0, entries: 0, items: 0, capacity: 0, bytes: 0 }
      rounds.begun = 0
      const result = await work()
      return [{ ...counts, roundTrips: rounds.begun }, result]
    },
  }
}

const itemsIn = (responses: NonNullable<Answer['Responses']>): number =>
  Array.isArray(responses)
    ? responses.filter(({ Item }) => Item !== undefined).length
    : Object.values(responses).flat().length

/** Puts calls into rounds, as {@link Cost} counts them. */
export class Rounds {
  begun = 0
  #open = 0
  #answered: (() => void)[] = []

  /** Runs a call and gives its result when all calls of its round have theirs. */
  async answer<Result>(call: () => Promise<Result>): Promise<[Result]> {
    if (this.#open === 0) this.begun += 1
    this.#open += 1
    try {
      return [await call()]
    } finally {
      await new Promise<void>((resolve) => {
        this.#answered.push(resolve)
        if (this.#answered.length === this.#open) this.#release()
      })
    }
  }

  #release(): void {
    const answered = this.#answered
    this.#answered = []
    this.#open = 0
    for (const resolve of answered) resolve()
  }
}
