import type { ErrorCode } from '../functions/http/error-codes.ts'
import type { JsonObject } from './json-schema.ts'

export type Example = { readonly summary: string; readonly value: unknown }

/** What the document says of an operation beyond its schemas and its record. */
export type Described = {
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Every parameter of path and query, by name. The API reference fills in the examples, so filters have none. */
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example?: unknown }>>
  readonly request?: {
    /** The name of its schema among the components. Without a name the schema is written in place. */
    readonly component?: string
    readonly description: string
    readonly examples: Readonly<Record<string, Example>>
  }
  readonly success: {
    /** 200 by default. */
    readonly status?: 204
    readonly description: string
    readonly contentType?: string
    readonly schema?: JsonObject
    readonly examples?: Readonly<Record<string, Example>>
    /** Names of header components beyond those of every response. */
    readonly headers?: readonly string[]
    /** The value of `Cache-Control`; by default `no-store`. */
    readonly cacheControl?: string
  }
  /** Codes that do not follow from the operation's input and access. */
  readonly refusals?: readonly ErrorCode[]
}
