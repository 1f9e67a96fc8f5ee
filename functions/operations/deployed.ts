import type { FunctionRecord } from './operation.ts'
import { operations, publicKeys, revocations } from './operations.ts'

/** What API Gateway asks before it calls the function of an operation that is not public. */
export const authorizer = {
  tables: [
    {
      table: 'credentials',
      narrowReads: { GetItem: ['apiKey#', 'user#'] },
      writes: { PutItem: ['lastUse#'] },
      indexes: ['byEmail', 'byUsername'],
    },
    revocations,
    { table: 'catalog', narrowReads: { BatchGetItem: ['account#'] }, indexes: ['byIssuerAndAudience'] },
    publicKeys,
  ],
  memory: 512,
  // API Gateway waits for 10 seconds. The keys of an issuer may take 3.
  timeout: 9,
} as const satisfies FunctionRecord

/** Every function that is deployed, `functions/<id>.ts`: those of the operations and those that no route leads to. */
export const deployed: Readonly<Record<string, FunctionRecord>> = { authorizer, ...operations }
