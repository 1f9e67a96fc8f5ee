import type { FunctionRecord } from './operation.ts'
import { operations, publicKeys } from './operations.ts'

/** What API Gateway asks before it calls the function of an operation that is not public. */
export const authorizer = {
  tables: [
    {
      table: 'credentials',
      reads: ['GetItem'],
      writes: { PutItem: ['lastUse#'] },
      indexes: ['byEmail', 'byUsername'],
    },
    { table: 'sessions', reads: ['GetItem'] },
    { table: 'catalog', reads: ['BatchGetItem'], indexes: ['byIssuerAndAudience'] },
    publicKeys,
  ],
  memory: 512,
  // API Gateway waits for 10 seconds. The keys of an issuer may take 3.
  timeout: 9,
} as const satisfies FunctionRecord

/** Every function that is deployed, `functions/<id>.ts`: those of the operations and those that no route leads to. */
export const deployed: Readonly<Record<string, FunctionRecord>> = { authorizer, ...operations }
