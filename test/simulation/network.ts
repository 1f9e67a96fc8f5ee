import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Database, Staleness } from './database.ts'
import { describe } from './describe.ts'
import { errors } from './errors.ts'
import type { Omission } from './omissions.ts'
import type { Random } from './random.ts'
import type { Actor, Scheduler, Step } from './scheduler.ts'
import { asItWas, only, stale } from './stale.ts'
import { idOf, type Stale, type Table } from './table.ts'

export type Command = { readonly input: object }

/** How bad the network and the database are. */
export type Weather = {
  /** How many writes ago the answer of an eventually consistent read may be, at most. */
  readonly lag: number
  /** The probability that a call goes wrong. */
  readonly trouble: number
  /** The most calls that go wrong, so that everything comes to an end. */
  readonly troubles: number
  /** The most writers that are killed. */
  readonly kills: number
}

type Call = {
  readonly actor: Actor
  readonly command: Command
  readonly resolve: (answer: object) => void
  readonly reject: (error: unknown) => void
}

/** The arrival of a call, or a step without one. */
export type NetworkStep = Step & { readonly call?: Call }

const readFates = ['throttled', 'overloaded', 'noAnswer', 'failed'] as const
const writeFates = [...readFates, 'lostAfter', 'late', 'duplicate', 'retried', 'conflict', 'killed'] as const

/** What stands between the actors and the database: each call waits for its turn, and may go wrong in many ways. */
export class Network {
  readonly #database: Database
  readonly #scheduler: Scheduler<NetworkStep>
  readonly #random: Random
  readonly #trace: ((line: string) => void) | undefined
  readonly #omission: Omission
  readonly #pageBegan = new Map<Actor, ReadonlyMap<Table, number>>()
  readonly #readOnce = new Map<string, Item | undefined>()
  /** How many writes there were when a transaction that reads in two parts began. */
  readonly #earlier = new WeakMap<Command, ReadonlyMap<Table, number>>()
  readonly #committed = new WeakSet<Command>()
  #weather: Weather
  /** Called when an actor is killed. */
  onKill: (actor: Actor) => void = () => {}

  constructor(
    database: Database,
    scheduler: Scheduler<NetworkStep>,
    random: Random,
    weather: Weather,
    { trace, omission = {} }: { trace?: ((line: string) => void) | undefined; omission?: Omission | undefined } = {},
  ) {
    this.#omission = omission
    this.#database = database
    this.#scheduler = scheduler
    this.#random = random
    this.#weather = weather
    this.#trace = trace
  }

  /** A page of the reader begins. */
  beginPage(reader: Actor): void {
    this.#pageBegan.set(reader, this.#database.writes())
    this.#readOnce.clear()
  }

  /** No lag and no trouble from now on. */
  calm(): void {
    this.#pageBegan.clear()
    this.#readOnce.clear()
    this.#weather = { lag: 0, trouble: 0, troubles: 0, kills: 0 }
  }

  /** The storage of an actor. `pause` is a step like any other: a clock may be fast or slow beside other clocks. */
  storage(actor: Actor): Storage {
    const step = (run: () => void, call?: Call) => {
      if (!actor.dead) this.#scheduler.add({ actor, run, ...(call && { call }) })
    }
    const send = (command: Command) =>
      new Promise<object>((resolve, reject) => {
        const call = { actor, command: this.#omission.changed?.(command) ?? command, resolve, reject }
        step(() => this.#arrive(call), call)
      })
    return {
      client: { send } as unknown as Storage['client'],
      tables: this.#database.tables,
      pause: () => new Promise<void>((resolve) => step(resolve)),
    }
  }

  #arrive(call: Call): void {
    const isRead = [GetCommand, BatchGetCommand, TransactGetCommand, QueryCommand].some(
      (read) => call.command instanceof read,
    )
    const fate = this.#fate(isRead ? readFates : writeFates)
    if (fate === 'none') {
      if (isRead) this.#read(call)
      else this.#execute(call)
    } else if (fate === 'lostAfter') {
      this.#execute({ ...call, ...unheard }, 'its answer is lost')
      call.reject(errors.noAnswer())
    } else if (fate === 'late') {
      this.#later(call, 'late')
      this.#fail(call, errors.noAnswer(), 'no answer; it may arrive later')
    } else if (fate === 'duplicate') {
      this.#execute(call)
      this.#later(call, 'a second time')
    } else if (fate === 'retried') {
      this.#execute({ ...call, ...unheard }, 'its answer is lost, tried again')
      this.#scheduler.add({ actor: call.actor, run: () => this.#execute(call, 'again') })
    } else if (fate === 'killed') {
      this.#kill(call)
    } else {
      const { TransactItems } = call.command.input as { TransactItems?: readonly object[] }
      const isTransaction = fate === 'conflict' && TransactItems
      this.#fail(call, isTransaction ? errors.cancelled(TransactItems.length) : errors[fate](), fate)
    }
  }

  #fate<Fate extends string>(fates: readonly Fate[]): Fate | 'none' {
    const { trouble, troubles, kills } = this.#weather
    if (troubles === 0 || !this.#random.chance(trouble)) return 'none'
    const fate = this.#random.pick(fates)
    if (fate === 'killed' && kills === 0) return 'none'
    this.#weather = { ...this.#weather, troubles: troubles - 1, kills: fate === 'killed' ? kills - 1 : kills }
    return fate
  }

  #execute({ actor, command, resolve, reject }: Call, note = ''): void {
    try {
      // The SDK gives a transaction a token, by which DynamoDB knows it again.
      if (this.#committed.has(command)) {
        resolve({})
        return
      }
      const answer = this.#database.execute(command, this.#stalenessFor(actor, command))
      if (command instanceof TransactWriteCommand) this.#committed.add(command)
      this.#trace?.(describe(actor, command, note, answer))
      resolve(answer)
    } catch (error) {
      this.#trace?.(describe(actor, command, note, error as Error))
      reject(error)
    }
  }

  #fail({ actor, command, reject }: Call, error: Error, note: string): void {
    this.#trace?.(describe(actor, command, `${note}, not executed`, error))
    reject(error)
  }

  #later(call: Call, note: string): void {
    this.#scheduler.add({ run: () => this.#execute({ ...call, ...unheard }, note) })
  }

  /** A batch is no snapshot: its keys are read at different moments, and some may be left unread. */
  #read(call: Call): void {
    if (this.#omission.isReadEarlier && call.command instanceof TransactGetCommand) {
      this.#earlier.set(call.command, this.#database.writes())
      this.#after(this.#random.between(1, 20), () => this.#execute(call))
      return
    }
    const { RequestItems = {} } = call.command.input as BatchGetCommand['input']
    const [table, request] = Object.entries(RequestItems)[0] ?? []
    const keys = request?.Keys ?? []
    if (!(call.command instanceof BatchGetCommand) || !table || !request || keys.length < 2) {
      this.#execute(this.#shortened(call))
      return
    }
    const shuffled = this.#random.shuffled(keys)
    const now = shuffled.slice(0, this.#random.between(1, keys.length))
    const rest = shuffled.slice(now.length)
    const part = (Keys: typeof keys) => new BatchGetCommand({ RequestItems: { [table]: { ...request, Keys } } })
    const itemsOf = (answer: object) => (answer as { Responses: Record<string, object[]> }).Responses[table] ?? []
    if (rest.length === 0) {
      this.#execute(call)
      return
    }
    const unread = this.#random.chance(this.#weather.trouble)
    const first = (answer: object) => {
      if (unread) {
        call.resolve({ ...answer, UnprocessedKeys: { [table]: { ...request, Keys: rest } } })
        return
      }
      const second = (more: object) =>
        call.resolve({ ...answer, Responses: { [table]: [...itemsOf(answer), ...itemsOf(more)] } })
      // In the database, where time may go by however quick the actor is otherwise.
      const run = () => {
        if (!call.actor.dead) this.#execute({ ...call, command: part(rest), resolve: second }, 'the rest')
      }
      this.#scheduler.add({ run })
    }
    this.#execute({ ...call, command: part(now), resolve: first }, `${now.length} of ${keys.length}`)
  }

  /** Runs something after a number of steps, of others or of its own. */
  #after(steps: number, run: () => void): void {
    this.#scheduler.add({ run: steps === 0 ? run : () => this.#after(steps - 1, run) })
  }

  /** A Query may answer with fewer items than it could, as it does after 1 MB. */
  #shortened(call: Call): Call {
    if (!(call.command instanceof QueryCommand) || !this.#random.chance(this.#weather.trouble)) return call
    const { Limit = 4 } = call.command.input
    return { ...call, command: new QueryCommand({ ...call.command.input, Limit: this.#random.between(1, Limit) }) }
  }

  /** The calls of a dead actor that are under way may still arrive. Its answers reach nobody. */
  #kill({ actor, command }: Call): void {
    this.#trace?.(`${actor.name} is killed`)
    actor.dead = true
    const underWay = this.#scheduler.withdraw(actor).flatMap(({ call }) => call ?? [])
    for (const call of [...underWay, { actor, command, ...unheard }]) {
      if (this.#random.chance(0.5)) this.#later(call, 'after its death')
    }
    this.onKill(actor)
  }

  #stalenessFor(actor: Actor, command: Command): Staleness {
    const { isInconsistent, isReadFirst, isReadOnce, isReadEarlier } = this.#omission
    const earlier = this.#earlier.get(command)
    return (table, isConsistent) => {
      if (!isConsistent) return stale(table, this.#weather.lag, this.#random)
      if (isReadEarlier && earlier) return asItWas(table, earlier.get(table) ?? 0, isReadEarlier)
      if (isReadOnce && command instanceof TransactGetCommand) return this.#asReadOnce(table, command, isReadOnce)
      const began = this.#pageBegan.get(actor)
      if (isReadFirst && began) return asItWas(table, began.get(table) ?? 0, isReadFirst)
      return isInconsistent ? only(stale(table, this.#weather.lag, this.#random), isInconsistent) : new Map()
    }
  }

  /** The items of a transaction, as an earlier one of the page had them. */
  #asReadOnce(table: Table, { input }: TransactGetCommand, isMeant: (key: ItemKey) => boolean): Stale {
    for (const { Get } of input.TransactItems ?? []) {
      const key = Get?.Key as ItemKey
      const id = idOf(key)
      if (isMeant(key) && !this.#readOnce.has(id)) this.#readOnce.set(id, table.item(id))
    }
    return this.#readOnce
  }
}

const unheard = { resolve: () => {}, reject: () => {} }
