import type { TableName } from '@embed-access/core/storage/tables.ts'

/**
 * The credential that an operation needs:
 * - `public`: none
 * - `embed`: an embed token, of an external user too. The function itself checks it
 *   (`functions/http/bearer.ts`)
 * - `read`: a user's. If the request names a deployment, the user must be able to read it
 * - `backend`: the same, but no embed token, since those are in browsers
 * - `admin`: an admin's
 */
export type Access = 'public' | 'embed' | 'read' | 'backend' | 'admin'

/** `Query` reads the table itself. Queries of indexes are named by `indexes`. */
export type TableRead = 'GetItem' | 'BatchGetItem' | 'Query'

/** A write needs its own action, inside a transaction too. */
type TableWrite = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem'

/** What a function may do with a table, and nothing else. */
export type TablePermission = {
  readonly table: TableName
  /** By key, of any item. */
  readonly reads?: readonly TableRead[]
  /** By key, each action with the beginnings that an item's partition key may have. */
  readonly narrowReads?: Readonly<Partial<Record<TableRead, readonly string[]>>>
  /** Each action with the beginnings that an item's partition key may have. */
  readonly writes?: Readonly<Partial<Record<TableWrite, readonly string[]>>>
  readonly indexes?: readonly string[]
}

/** What a function is deployed with. */
export type FunctionRecord = {
  readonly tables: readonly TablePermission[]
  /** MB. Lambda gives a share of a processor with them: 1,769 MB are a whole one. */
  readonly memory: number
  /**
   * Seconds. Shortly before they end, the function gives up. An operation then answers 503
   * (`functions/runtime/deployed.ts`). API Gateway waits for 30 seconds, and for 10 if the function
   * is its authorizer. A call to the database ends within 8 seconds (`core/storage/client.ts`).
   */
  readonly timeout: number
  /** How Lambda gives the function the messages of its queue. */
  readonly queue?: object
}

/**
 * A function that answers requests: what the gateway routes to it, and what it is deployed with.
 */
export type Operation = FunctionRecord & {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** As API Gateway writes it, with `{variables}`. */
  readonly path: string
  readonly access: Access
}
