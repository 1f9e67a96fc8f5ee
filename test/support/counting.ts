import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { patient } from './patient.ts'

/** What some work asks of the database. */
export type Cost = {
  calls: number
  /** How many calls come one after the other, if all take the same time. */
  roundTrips: number
  /**
   * The names of the calls, such as `Get`, by round trip. A call belongs to the first that begins
   * after it was made.
   */
  trips: string[][]
  /** Entries that queries gave. */
  entries: number
  /** Items that reads by key gave. */
  items: number
  readUnits: number
  writeUnits: number
  /** Both. */
  capacity: number
  /** Bytes of the database's answers. */
  bytes: number
}

/** Keeps count of calls. One measurement at a time. */
export class Counter {
  cost = nothing()
  #open = 0
  #answered: (() => void)[] = []

  async measure<Result>(work: () => Promise<Result>): Promise<[Cost, Result]> {
    this.cost = nothing()
    const result = await work()
    const { trips, readUnits, writeUnits } = this.cost
    const sums = {
      calls: trips.flat().length,
      roundTrips: trips.length,
      capacity: readUnits + writeUnits,
    }
    return [{ ...this.cost, ...sums }, result]
  }

  /** Makes a call, and gives its answer when all calls of its round have theirs. */
  async answer<Answer extends { readonly output: object }>(
    command: string,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    const { cost } = this
    const name = command.replace(/(Item)?Command$/, '')
    if (this.#open === 0) cost.trips.push([])
    this.#open += 1
    cost.trips.at(-1)?.push(name)
    try {
      const answer = await call()
      count(cost, /Get|Query|Scan/.test(name), answer.output)
      return answer
    } finally {
      await this.#roundIsOver()
    }
  }

  #roundIsOver(): Promise<void> {
    return new Promise((resolve) => {
      this.#answered.push(resolve)
      if (this.#answered.length < this.#open) return
      this.#open = 0
      for (const resume of this.#answered.splice(0)) resume()
    })
  }
}

/** Keeps count of the calls that this storage's client makes from now on. */
export function countCalls({ client }: Storage): Counter['measure'] {
  const counter = new Counter()
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        counter.answer(commandName, () =>
          next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }),
        ),
    { step: 'initialize', priority: 'high' },
  )
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const { headers } = result.response as { headers: Record<string, string> }
      counter.cost.bytes += Number(headers['content-length'] ?? 0)
      return result
    },
    { step: 'deserialize', priority: 'low' },
  )
  return counter.measure.bind(counter)
}

export type Meter = ReturnType<typeof metered>

/** The same tables through a client that keeps count. */
export function metered(tables: Storage['tables'], endpoint: string) {
  const storage = patient(connect(tables, endpoint))
  return { storage, measure: countCalls(storage) }
}

const nothing = () => ({
  trips: [] as string[][],
  entries: 0,
  items: 0,
  readUnits: 0,
  writeUnits: 0,
  bytes: 0,
})

type Consumed = { readonly CapacityUnits?: number }
type Answer = {
  readonly Items?: readonly unknown[]
  readonly Item?: unknown
  /** A batch has its responses by table, a transaction has them in order. */
  readonly Responses?:
    | Readonly<Record<string, readonly unknown[]>>
    | readonly { readonly Item?: unknown }[]
  readonly ConsumedCapacity?: Consumed | readonly Consumed[]
}

function count(cost: Counter['cost'], isRead: boolean, output: object): void {
  const { Items, Item, Responses = {}, ConsumedCapacity } = output as Answer
  cost.entries += Items?.length ?? 0
  const found = Array.isArray(Responses)
    ? Responses.filter(({ Item }) => Item)
    : Object.values(Responses).flat()
  cost.items += (Item ? 1 : 0) + found.length
  for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) {
    cost[isRead ? 'readUnits' : 'writeUnits'] += CapacityUnits
  }
}
