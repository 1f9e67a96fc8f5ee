import { operations, publicKeys, revocations } from './operations.ts'
import type { FunctionRecord } from './record.ts'

/** What API Gateway asks before it calls the function of most operations (`asksAuthorizer`). */
export const authorizer = {
  tables: [
    {
      table: 'credentials',
      narrowReads: { BatchGetItem: ['apiKey#', 'user#'] },
      writes: { PutItem: ['lastUse#'] },
      indexes: ['byEmail', 'byUsername'],
    },
    revocations,
    {
      table: 'catalog',
      narrowReads: { BatchGetItem: ['account#'] },
      indexes: ['byIssuerAndAudience'],
    },
    publicKeys,
  ],
  memory: 512,
  // API Gateway waits for 10 seconds. The keys of an issuer may take 3.
  timeout: 9,
} as const satisfies FunctionRecord

/**
 * Keeps the catalog in step with the platform. Any number of calls may apply changes at once, in
 * any order.
 */
export const catalogSync = {
  tables: [
    {
      table: 'catalog',
      reads: ['GetItem', 'BatchGetItem', 'Query'],
      writes: {
        // Things of every kind, and their tombstones.
        PutItem: [''],
        // An embed tenant's item also holds its groups and attribute definitions.
        UpdateItem: ['embedTenant#'],
        DeleteItem: ['embedTenant#'],
        ConditionCheckItem: ['embedTenant#'],
      },
    },
    { table: 'credentials', reads: ['GetItem'], writes: { PutItem: ['user#', 'apiKey#'] } },
    // Tokens end with the account, deployment, user or embed tenant that is deleted.
    { table: 'sessions', writes: { UpdateItem: ['revocation#'] } },
  ],
  // A batch is at most 6 MB of JSON, and each document is compressed.
  memory: 1024,
  // Most batches take less than a second. A message of 10,000 recipients needs most of this time.
  // If a change is not applied by then, its whole message comes again.
  timeout: 45,
  queue: {
    // The most messages in a call. Some services send a message for each change. Then many messages
    // share a call. If several messages name a tenant, the call reads the tenant once.
    batchSize: 100,
    // Seconds that Lambda waits for a full batch. For batches of more than 10, it accepts no less.
    batchWindow: 1,
    // Calls at a time, each with up to 32 writes under way. At 10 ms each, two calls reach the
    // 4,000 writes a second of a new table. Ten leave room for a table that has grown. A call that
    // is throttled slows down by itself.
    concurrency: 10,
    // Seconds that a message given to a call is hidden from the others. AWS asks for six times the
    // time of the function, so that a message is not given twice while a call is retried. After one
    // failed try the message comes again in less than five minutes, and so before the alarm for
    // changes that wait.
    visibilityTimeout: 270,
    // How often a message is given to a call, at most. Nine visibility timeouts lie between the
    // first and the last of them, so the database may be away for 40 minutes before changes become
    // dead letters.
    tries: 10,
  },
} as const satisfies FunctionRecord

/**
 * Every function that is deployed, `functions/<id>.ts`: those of the operations and those that no
 * route leads to.
 */
export const lambdas: Readonly<Record<string, FunctionRecord>> = {
  authorizer,
  'catalog-sync': catalogSync,
  ...operations,
}
