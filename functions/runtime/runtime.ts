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
}

/** What other parts are made from. */
export type Surroundings = Pick<Runtime, 'now'> & {
  readonly environment: Environment
  readonly tables: FunctionRecord['tables']
  readonly storage: Storage
}

type Source<Part> = (surroundings: Surroundings) => Part

/** How a function gets its storage, and warms it up. */
export type StorageSource = Source<Storage> & {
  /** Opens a connection for each table. */
  firstReads(storage: Storage, tables: FunctionRecord['tables']): Promise<unknown>
  /** The same storage, which answers by itself. */
  sendingNothing(storage: Storage): Storage
}

/** What a function uses besides the {@link Runtime}: the sources of its parts, by name. */
export type Uses = { readonly storage?: StorageSource } & {
  readonly [part: string]: Source<unknown>
}

export type Parts<Used extends Uses> = Runtime & {
  readonly [Part in keyof Used]: Part extends 'storage'
    ? Storage
    : ReturnType<NonNullable<Used[Part]>>
}

export type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>

export type Definition<Used extends Uses, Event, Result> = {
  readonly uses: Used
  create(parts: Parts<Used>): (event: Event, context: never) => Promise<Result>
  /**
   * Requests that are answered with success if everything is there. The function may change them.
   */
  warmUpRequests(parts: Parts<Used>): readonly Event[] | Promise<readonly Event[]>
}

export type LambdaHandler<Used extends Uses, Event, Result> = Handler<Event, Result> & {
  /** Makes another one, of the parts that it is given, and of its own for the others. */
  create(given: Runtime & Partial<Parts<Used>>): Handler<Event, Result>
  warmUpRequests: Definition<Used, Event, Result>['warmUpRequests']
}
