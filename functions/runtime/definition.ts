import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Context } from 'aws-lambda'
import type { FunctionRecord } from '../operations/record.ts'
import type { Environment } from './environment.ts'

export type LogEntry = {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  readonly [field: string]: unknown
}

/** What every function works with. */
export type Runtime = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Writes an entry as one line of JSON. An entry never has a credential. */
  log(entry: LogEntry): void
  /** The service's public URL, without a slash at its end. It is the issuer of the tokens. */
  readonly issuer: string
  /** Hashes of the secrets of the edge, if there is one (`edge.ts`). */
  readonly edge?: readonly string[] | undefined
  /** How long the instance took to start, in milliseconds. Only known on Lambda. */
  readonly initMs?: number
}

/**
 * How a function reaches its tables: `storage.ts`, or `http/constant.ts` for a function that has
 * none. Only the first brings the SDK into the bundle.
 */
export type StorageAccess = {
  connect(environment: Environment, tables: FunctionRecord['tables']): Storage
  /** Opens a connection to the database, until the signal aborts. */
  firstReads(
    storage: Storage,
    tables: FunctionRecord['tables'],
    signal: AbortSignal,
  ): Promise<unknown>
  /** The same storage, which answers by itself. */
  sendingNothing(storage: Storage): Storage
}

/** What `make` makes the other parts from. */
export type Given = Pick<Runtime, 'now'> & {
  readonly environment: Environment
  readonly storage: Storage
}

export type Parts<Made> = Runtime & { readonly storage: Storage } & Made

export type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>

export type Definition<Made, Event, Result> = {
  readonly storage: StorageAccess
  /** Makes the parts that this function has of its own. */
  make(given: Given): Made
  create(parts: Parts<Made>): Handler<Event, Result>
  /**
   * A request that takes the usual way through the code, over storage that has every item. The
   * handler may change the request.
   */
  warmUpRequest(parts: Made): Event | Promise<Event>
  /** Returns the parts for the warm-up, which must leave no made-up item in a cache. */
  readonly partsForWarmUp?: (parts: Parts<Made>) => Parts<Made>
}

export type DeployedHandler<Made, Event, Result> = Handler<Event, Result> &
  Pick<Definition<Made, Event, Result>, 'make' | 'create' | 'warmUpRequest'>
