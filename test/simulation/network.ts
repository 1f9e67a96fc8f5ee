import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Command, Database, Staleness } from './database.ts'
import type { Omission } from './omissions.ts'
import type { Random } from './random.ts'
import type { Actor, Scheduler } from './scheduler.ts'
import { asItWas, idOf, only, type Stale, stale, type Table } from './table.ts'

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

/** How long a call takes with all its attempts, in milliseconds (`core/storage/client.ts`). */
const callTime = 8000

/** How much later a call may arrive whose caller had no answer, in milliseconds. */
const lateTime = 2000

const named = (name: string) => Object.assign(new Error(name), { name })
const noAnswer = () => named('TimeoutError')

/** The errors of calls that are not executed. */
const failures = {
  throttled: 'ProvisionedThroughputExceededException',
  overloaded: 'ThrottlingException',
  'no answer': 'TimeoutError',
  failed: 'InternalServerError',
}

/**
 * What stands between the actors and the database: each call waits for its turn, and may go wrong
 * in many ways.
 */
export function networkOver(
  database: Database,
  scheduler: Scheduler,
  random: Random,
  weather: Weather,
  {
    trace,
    omission = {},
  }: { trace?: ((line: string) => void) | undefined; omission?: Partial<Omission> | undefined },
) {
  const pageBegan = new Map<Actor, ReadonlyMap<Table, number>>()
  const readOnce = new Map<string, Item | undefined>()
  let calls = 0

  /**
   * Returns the command that is sent, changed by the omission. As with the SDK, a transaction that
   * arrives twice is done once.
   */
  function sendable(command: Command): Command {
    const changed = omission.changed?.(command) ?? command
    if (!(changed instanceof TransactWriteCommand)) return changed
    calls += 1
    return new TransactWriteCommand({ ...changed.input, ClientRequestToken: `call ${calls}` })
  }

  function arrive(call: Call): void {
    const isRead = /Get|Query/.test(call.command.constructor.name)
    const fate = nextFate(Object.keys(isRead ? failures : fates))
    if (fate !== undefined) fates[fate]?.(call)
    else if (isRead) read(call)
    else execute(call)
  }

  function nextFate(fates: readonly string[]): string | undefined {
    const { trouble, troubles, kills } = weather
    if (troubles === 0 || !random.chance(trouble)) return undefined
    const fate = random.pick(fates)
    if (fate === 'killed' && kills === 0) return undefined
    weather = { ...weather, troubles: troubles - 1, kills: fate === 'killed' ? kills - 1 : kills }
    return fate
  }

  /** What may happen to a write. A read may only fail. */
  const fates: Readonly<Record<string, (call: Call) => void>> = {
    ...Object.fromEntries(
      Object.entries(failures).map(([name, error]) => [
        name,
        (call: Call) => fail(call, named(error), name),
      ]),
    ),
    'its answer is lost': (call) => {
      execute({ ...call, ...unheard }, 'its answer is lost')
      call.reject(noAnswer())
    },
    late: (call) => {
      later(call)('late')
      fail(call, noAnswer(), 'no answer; it may arrive later')
    },
    'a second time': (call) => {
      execute(call)
      later(call)('a second time')
    },
    'tried again': (call) => {
      execute({ ...call, ...unheard }, 'its answer is lost, tried again')
      const run = () => execute(call, 'again')
      scheduler.add({ actor: call.actor, run, latest: scheduler.now })
    },
    conflict: (call) => {
      const { TransactItems } = call.command.input as { TransactItems?: readonly object[] }
      const CancellationReasons = TransactItems?.map((_, index) => ({
        Code: index ? 'None' : 'TransactionConflict',
      }))
      const error = CancellationReasons
        ? new TransactionCanceledException({
            message: 'A conflict',
            CancellationReasons,
            $metadata: {},
          })
        : named('TransactionConflictException')
      fail(call, error, 'conflict')
    },
    killed: (call) => kill(call),
  }

  function execute({ actor, command, sent, resolve, reject }: Call, note = ''): void {
    try {
      const answer = database.execute(command, stalenessFor(actor, command, sent))
      trace?.(described(actor, command, note, answer))
      resolve(answer)
    } catch (error) {
      trace?.(described(actor, command, note, error as Error))
      reject(error)
    }
  }

  function fail({ actor, command, reject }: Call, error: Error, note: string): void {
    trace?.(described(actor, command, `${note}, not executed`, error))
    reject(error)
  }

  const later = (call: Call) => (note: string) =>
    scheduler.add({
      run: () => execute({ ...call, ...unheard }, note),
      latest: scheduler.now + lateTime,
    })

  /**
   * A batch is no snapshot: its keys are read at different moments, and some may be left unread.
   */
  function read(call: Call) {
    if (omission.isReadEarlier && call.command instanceof TransactGetCommand) {
      return after(random.between(1, 20), () => execute(call))
    }
    const { RequestItems = {} } = call.command.input as BatchGetCommand['input']
    const [table, request] = Object.entries(RequestItems)[0] ?? []
    const keys = request?.Keys ?? []
    if (!table || keys.length < 2) return execute(shortened(call))
    const shuffled = random.shuffled(keys)
    const now = shuffled.slice(0, random.between(1, keys.length))
    const rest = shuffled.slice(now.length)
    if (rest.length === 0) return execute(call)
    const part = (Keys: typeof keys) => ({ [table]: { ...request, Keys } })
    // What it asks of other tables is read with the first ones.
    const command = (Keys: typeof keys, others = {}) =>
      new BatchGetCommand({ RequestItems: { ...others, ...part(Keys) } })
    const isLeftUnread = random.chance(weather.trouble)
    const first = (answer: object) => {
      if (isLeftUnread) return call.resolve({ ...answer, UnprocessedKeys: part(rest) })
      const responsesOf = (answer: object) =>
        (answer as { Responses: Record<string, object[]> }).Responses
      const itemsOf = (answer: object) => responsesOf(answer)[table] ?? []
      const resolve = (more: object) => {
        const all = { [table]: [...itemsOf(answer), ...itemsOf(more)] }
        call.resolve({ ...answer, Responses: { ...responsesOf(answer), ...all } })
      }
      // A step of the database, where time may pass however quick the actor is.
      const run = () => {
        if (!call.actor.dead) execute({ ...call, command: command(rest), resolve }, 'the rest')
      }
      scheduler.add({ run, latest: scheduler.now })
    }
    execute(
      { ...call, command: command(now, RequestItems), resolve: first },
      `${now.length} of ${keys.length}`,
    )
  }

  /** Runs something after a number of steps, of others or of its own. */
  function after(steps: number, run: () => void): void {
    scheduler.add({ run: steps === 0 ? run : () => after(steps - 1, run) })
  }

  /** A Query may answer with fewer items than it could, as it does after 1 MB. */
  function shortened(call: Call): Call {
    if (!(call.command instanceof QueryCommand) || !random.chance(weather.trouble)) return call
    const { Limit = 4 } = call.command.input
    return {
      ...call,
      command: new QueryCommand({ ...call.command.input, Limit: random.between(1, Limit) }),
    }
  }

  /** The calls of a dead actor that are under way may still arrive. Its answers reach nobody. */
  function kill(call: Call): void {
    const { actor } = call
    trace?.(`${actor.name} is killed`)
    actor.dead = true
    const arrivals = [
      ...scheduler.withdraw(actor).flatMap(({ arrivesLater }) => arrivesLater ?? []),
      later(call),
    ]
    for (const arrivesLater of arrivals) if (random.chance(0.5)) arrivesLater('after its death')
    network.onKill(actor)
  }

  function stalenessFor(
    actor: Actor,
    command: Command,
    sent: ReadonlyMap<Table, number>,
  ): Staleness {
    const { isInconsistent, isReadFirst, isReadOnce, isReadEarlier } = omission
    return (table, isConsistent) => {
      if (!isConsistent) return stale(table, weather.lag, random)
      if (command instanceof TransactGetCommand) {
        if (isReadEarlier) return asItWas(table, sent.get(table) ?? 0, isReadEarlier)
        if (isReadOnce) return asReadOnce(table, command, isReadOnce)
      }
      const began = pageBegan.get(actor)
      if (isReadFirst && began) return asItWas(table, began.get(table) ?? 0, isReadFirst)
      return isInconsistent ? only(stale(table, weather.lag, random), isInconsistent) : new Map()
    }
  }

  /** The items of a transaction, as an earlier one of the page had them. */
  function asReadOnce(
    table: Table,
    { input }: TransactGetCommand,
    isMeant: (key: ItemKey) => boolean,
  ): Stale {
    for (const { Get } of input.TransactItems ?? []) {
      const key = Get?.Key as ItemKey
      const id = idOf(key)
      if (isMeant(key) && !readOnce.has(id)) readOnce.set(id, table.item(id))
    }
    return readOnce
  }

  const network = {
    onKill: (_: Actor): void => {},

    beginPage(reader: Actor): void {
      pageBegan.set(reader, database.writes())
      readOnce.clear()
    },

    /** No lag and no trouble from now on. */
    calm(): void {
      pageBegan.clear()
      readOnce.clear()
      weather = { lag: 0, trouble: 0, troubles: 0, kills: 0 }
    },

    /**
     * The storage of an actor. `pause` is a step like any other: a clock may be fast or slow beside
     * other clocks.
     * @param latest when its next step has happened at the latest
     */
    storage(actor: Actor, latest = () => scheduler.now + callTime): Storage {
      const step = (run: () => void, arrivesLater?: (note: string) => void) => {
        if (!actor.dead) scheduler.add({ actor, run, arrivesLater, latest: latest() })
      }
      const send = (command: Command) =>
        new Promise<object>((resolve, reject) => {
          const sent = database.writes()
          const call = { actor, command: sendable(command), sent, resolve, reject }
          step(() => arrive(call), later(call))
        })
      return {
        // Pages of a scan ask for a client of this class.
        client: Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send }),
        tables: database.tables,
        pause: () => new Promise<void>((resolve) => step(resolve)),
      }
    },
  }
  return network
}

export type Network = ReturnType<typeof networkOver>

const unheard = { resolve: () => {}, reject: () => {} }

/** A line of the trace: who did what, what went wrong with it, and what came of it. */
function described(actor: Actor, command: Command, note: string, answer: object): string {
  const kind = command.constructor.name.replace('Command', '')
  const result = answer instanceof Error ? `✗ ${answer.name}` : shown(answer)
  const asked = `${kind} ${shown(command.input)}${note && ` (${note})`}`
  return `${actor.name.padEnd(9)} ${asked} → ${result}`
}

function shown(value: object): string {
  const json = JSON.stringify(value, (name, each) =>
    /^(document|TableName|Return.*)$/.test(name) ? undefined : each,
  )
  return json.replaceAll('"', '')
}
