import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { TableName } from './tables.ts'

/** The tables of one deployed stage (or one test) and the client that reaches them. */
export type Storage = {
  readonly client: DynamoDBDocumentClient
  readonly tables: Readonly<Record<TableName, string>>
}

/** @param endpoint another engine than AWS's, e.g. `http://127.0.0.1:8000`; region and credentials are then made up */
export function connect(tables: Storage['tables'], endpoint?: string): Storage {
  const client = new DynamoDBClient(
    endpoint ? { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {},
  )
  // It would copy every answer for a logger that there is not.
  client.middlewareStack.remove('loggerMiddleware')
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }), tables }
}

/** The names of the three tables under a common prefix. */
export function tablesWithPrefix(prefix: string): Storage['tables'] {
  return { catalog: `${prefix}-catalog`, sessions: `${prefix}-sessions`, credentials: `${prefix}-credentials` }
}
