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
export type StorageAccess<Stored> = {
  connect(environment: Environment, tables: FunctionRecord['tables']): Stored
  /** Opens a connection for each table, until the signal aborts. */
  firstReads(
    storage: Stored,
    tables: FunctionRecord['tables'],
    signal: AbortSignal,
  ): Promise<unknown>
  /** The same storage, which answers by itself. */
  sendingNothing(storage: Stored): Stored
  /** Returns what `change` makes of the storage, if there is one. */
  changed(storage: Stored, change: (storage: Storage) => Storage): Stored
}

/** What `make` makes the other parts from. */
export type Given<Stored> = Pick<Runtime, 'now'> & {
  readonly environment: Environment
  readonly storage: Stored
}

/** All that a function works with. */
export type Parts<Stored, Made> = Runtime & { readonly storage: Stored } & Made

export type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>

export type Definition<Stored, Made, Event, Result> = {
  readonly storage: StorageAccess<Stored>
  /** Makes the parts that this function has of its own. */
  make(given: Given<Stored>): Made
  create(parts: Parts<Stored, Made>): Handler<Event, Result>
  /**
   * Requests that go the usual way through the code if the storage has every item. The function may
   * change them.
   */
  warmUpRequests(parts: Made): readonly Event[] | Promise<readonly Event[]>
  /** Returns the parts for the warm-up. It writes nothing, and leaves no lookup in a memory. */
  readonly partsForWarmUp?: (parts: Parts<Stored, Made>) => Parts<Stored, Made>
}

export type DeployedHandler<Stored, Made, Event, Result> = Handler<Event, Result> &
  Pick<Definition<Stored, Made, Event, Result>, 'create' | 'warmUpRequests'>
