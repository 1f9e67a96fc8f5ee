import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Command, Database, Staleness } from './database.ts'
import type { Omission } from './omissions.ts'
import type { Random } from './random.ts'
import type { Actor, Scheduler, Step } from './scheduler.ts'
import { asItWas, only, stale } from './stale.ts'
import { idOf, type Stale, type Table } from './table.ts'

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
  /** How many writes there were when it was sent. */
  readonly sent: ReadonlyMap<Table, number>
  readonly resolve: (answer: object) => void
  readonly reject: (error: unknown) => void
}

/** The arrival of a call, or a step without one. */
export type NetworkStep = Step & { readonly call?: Call }

const named = (name: string) => Object.assign(new Error(name), { name })
const noAnswer = () => named('TimeoutError')

/** How a call that is not executed may end. */
const failures = {
  throttled: () => named('ProvisionedThroughputExceededException'),
  overloaded: () => named('ThrottlingException'),
  'no answer': noAnswer,
  failed: () => named('InternalServerError'),
}

/** What stands between the actors and the database: each call waits for its turn, and may go wrong in many ways. */
export class Network {
  readonly #database: Database
  readonly #scheduler: Scheduler<NetworkStep>
  readonly #random: Random
  readonly #trace: ((line: string) => void) | undefined
  readonly #omission: Omission
  readonly #pageBegan = new Map<Actor, ReadonlyMap<Table, number>>()
  readonly #readOnce = new Map<string, Item | undefined>()
  #weather: Weather
  #calls = 0
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
        const sent = this.#database.writes()
        const call = { actor, command: this.#sendable(command), sent, resolve, reject }
        step(() => this.#arrive(call), call)
      })
    return {
      client: { send } as unknown as Storage['client'],
      tables: this.#database.tables,
      pause: () => new Promise<void>((resolve) => step(resolve)),
    }
  }

  /** What is left of a command without what is left out. As by the SDK, a transaction that arrives twice is done once. */
  #sendable(command: Command): Command {
    const changed = this.#omission.changed?.(command) ?? command
    if (!(changed instanceof TransactWriteCommand)) return changed
    this.#calls += 1
    return new TransactWriteCommand({ ...changed.input, ClientRequestToken: `call ${this.#calls}` })
  }

  #arrive(call: Call): void {
    const isRead = [GetCommand, BatchGetCommand, TransactGetCommand, QueryCommand].some(
      (read) => call.command instanceof read,
    )
    const fate = this.#fate(Object.keys(isRead ? failures : this.#fates))
    if (fate !== undefined) this.#fates[fate]?.(call)
    else if (isRead) this.#read(call)
    else this.#execute(call)
  }

  #fate(fates: readonly string[]): string | undefined {
    const { trouble, troubles, kills } = this.#weather
    if (troubles === 0 || !this.#random.chance(trouble)) return undefined
    const fate = this.#random.pick(fates)
    if (fate === 'killed' && kills === 0) return undefined
    this.#weather = { ...this.#weather, troubles: troubles - 1, kills: fate === 'killed' ? kills - 1 : kills }
    return fate
  }

  /** What may become of a write. Of these, a read may only fail. */
  readonly #fates: Readonly<Record<string, (call: Call) => void>> = {
    ...Object.fromEntries(
      Object.entries(failures).map(([name, error]) => [name, (call: Call) => this.#fail(call, error(), name)]),
    ),
    'its answer is lost': (call) => {
      this.#execute({ ...call, ...unheard }, 'its answer is lost')
      call.reject(noAnswer())
    },
    late: (call) => {
      this.#later(call, 'late')
      this.#fail(call, noAnswer(), 'no answer; it may arrive later')
    },
    'a second time': (call) => {
      this.#execute(call)
      this.#later(call, 'a second time')
    },
    'tried again': (call) => {
      this.#execute({ ...call, ...unheard }, 'its answer is lost, tried again')
      this.#scheduler.add({ actor: call.actor, run: () => this.#execute(call, 'again') })
    },
    conflict: (call) => {
      const { TransactItems } = call.command.input as { TransactItems?: readonly object[] }
      const CancellationReasons = TransactItems?.map((_, index) => ({ Code: index ? 'None' : 'TransactionConflict' }))
      const error = CancellationReasons
        ? new TransactionCanceledException({ message: 'A conflict', CancellationReasons, $metadata: {} })
        : named('TransactionConflictException')
      this.#fail(call, error, 'conflict')
    },
    killed: (call) => this.#kill(call),
  }

  #execute({ actor, command, sent, resolve, reject }: Call, note = ''): void {
    try {
      const answer = this.#database.execute(command, this.#stalenessFor(actor, command, sent))
      this.#trace?.(described(actor, command, note, answer))
      resolve(answer)
    } catch (error) {
      this.#trace?.(described(actor, command, note, error as Error))
      reject(error)
    }
  }

  #fail({ actor, command, reject }: Call, error: Error, note: string): void {
    this.#trace?.(described(actor, command, `${note}, not executed`, error))
    reject(error)
  }

  #later(call: Call, note: string): void {
    this.#scheduler.add({ run: () => this.#execute({ ...call, ...unheard }, note) })
  }

  /** A batch is no snapshot: its keys are read at different moments, and some may be left unread. */
  #read(call: Call) {
    if (this.#omission.isReadEarlier && call.command instanceof TransactGetCommand) {
      return this.#after(this.#random.between(1, 20), () => this.#execute(call))
    }
    const { RequestItems = {} } = call.command.input as BatchGetCommand['input']
    const [table, request] = Object.entries(RequestItems)[0] ?? []
    const keys = request?.Keys ?? []
    if (!table || keys.length < 2) return this.#execute(this.#shortened(call))
    const shuffled = this.#random.shuffled(keys)
    const now = shuffled.slice(0, this.#random.between(1, keys.length))
    const rest = shuffled.slice(now.length)
    if (rest.length === 0) return this.#execute(call)
    const part = (Keys: typeof keys) => ({ [table]: { ...request, Keys } })
    const command = (Keys: typeof keys) => new BatchGetCommand({ RequestItems: part(Keys) })
    const isLeftUnread = this.#random.chance(this.#weather.trouble)
    const first = (answer: object) => {
      if (isLeftUnread) return call.resolve({ ...answer, UnprocessedKeys: part(rest) })
      const itemsOf = (answer: object) => (answer as { Responses: Record<string, object[]> }).Responses[table] ?? []
      const resolve = (more: object) =>
        call.resolve({ ...answer, Responses: { [table]: [...itemsOf(answer), ...itemsOf(more)] } })
      // In the database, where time may go by however quick the actor is otherwise.
      const run = () => {
        if (!call.actor.dead) this.#execute({ ...call, command: command(rest), resolve }, 'the rest')
      }
      this.#scheduler.add({ run })
    }
    this.#execute({ ...call, command: command(now), resolve: first }, `${now.length} of ${keys.length}`)
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
  #kill(call: Call): void {
    const { actor } = call
    this.#trace?.(`${actor.name} is killed`)
    actor.dead = true
    const underWay = this.#scheduler.withdraw(actor).flatMap(({ call }) => call ?? [])
    for (const each of [...underWay, call]) if (this.#random.chance(0.5)) this.#later(each, 'after its death')
    this.onKill(actor)
  }

  #stalenessFor(actor: Actor, command: Command, sent: ReadonlyMap<Table, number>): Staleness {
    const { isInconsistent, isReadFirst, isReadOnce, isReadEarlier } = this.#omission
    return (table, isConsistent) => {
      if (!isConsistent) return stale(table, this.#weather.lag, this.#random)
      if (command instanceof TransactGetCommand) {
        if (isReadEarlier) return asItWas(table, sent.get(table) ?? 0, isReadEarlier)
        if (isReadOnce) return this.#asReadOnce(table, command, isReadOnce)
      }
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

/** A line of the trace: who did what, what went wrong with it, and what came of it. */
function described(actor: Actor, command: Command, note: string, answer: object): string {
  const kind = command.constructor.name.replace('Command', '')
  const result = answer instanceof Error ? `✗ ${answer.name}` : shown(answer)
  return `${actor.name.padEnd(9)} ${kind} ${shown(command.input)}${note && ` (${note})`} → ${result}`
}

const shown = (value: object): string =>
  JSON.stringify(value, (name, each) => (/^(document|TableName|Return.*)$/.test(name) ? undefined : each))
    .replaceAll('"', '')
    .slice(0, 500)
