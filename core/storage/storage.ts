import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { documentClient } from './client.ts'
import type { TableName } from './tables.ts'

/** The tables of one deployed stage (or one test) and the client that reaches them. */
export type Storage = {
  readonly client: DynamoDBDocumentClient
  readonly tables: Readonly<Record<TableName, string>>
  /** Waits for a random part of the time, at least half. So two callers do not collide twice. */
  readonly pause: (milliseconds: number) => Promise<void>
}

/** @param endpoint a local engine in place of AWS, with made-up region and credentials */
export const connect = (tables: Storage['tables'], endpoint?: string): Storage => ({
  client: documentClient(endpoint),
  tables,
  pause: (milliseconds) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds * (0.5 + Math.random() / 2))),
})

/** The names of the tables with a common prefix, such as `demo-catalog`. */
export const tablesWithPrefix = (prefix: string): Storage['tables'] => ({
  catalog: `${prefix}-catalog`,
  sessions: `${prefix}-sessions`,
  credentials: `${prefix}-credentials`,
  signingKeys: `${prefix}-signing-keys`,
})
