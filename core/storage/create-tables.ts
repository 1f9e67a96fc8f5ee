import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type GlobalSecondaryIndex,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type { Storage } from './storage.ts'
import {
  type IndexDefinition,
  keyAttributes,
  type TableDefinition,
  type TableName,
  tableDefinitions,
} from './tables.ts'

/** Creates the tables on a local engine. Existing tables stay as they are. */
export async function createTables(storage: Storage): Promise<void> {
  await Promise.all(
    Object.entries(tableDefinitions).map(([name, definition]) =>
      createTable(storage, storage.tables[name as TableName], definition),
    ),
  )
}

/**
 * Creates a table and waits until it can be used. An existing one stays as it is.
 * @param protection of DynamoDB: encryption by a key of one's own, deletion protection
 */
export async function createTable(
  { client, pause }: Storage,
  tableName: string,
  definition: TableDefinition,
  protection: Pick<CreateTableCommandInput, 'SSESpecification' | 'DeletionProtectionEnabled'> = {},
): Promise<void> {
  const indexes = definition.indexes.map(globalSecondaryIndex)
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keySchema(definition.partitionKey, definition.sortKey),
        AttributeDefinitions: keyAttributes(definition).map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
        ...protection,
      }),
    )
  } catch (error) {
    if (error instanceof ResourceInUseException) return
    throw error
  }
  while ((await client.send(new DescribeTableCommand({ TableName: tableName }))).Table?.TableStatus !== 'ACTIVE') {
    await pause(100)
  }
  if (definition.expiryAttribute) {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: definition.expiryAttribute, Enabled: true },
      }),
    )
  }
}

const globalSecondaryIndex = ({ name, partitionKey, sortKey, carries }: IndexDefinition): GlobalSecondaryIndex => ({
  IndexName: name,
  KeySchema: keySchema(partitionKey, sortKey),
  Projection:
    carries.length > 0
      ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...carries] }
      : { ProjectionType: 'KEYS_ONLY' },
})

const keySchema = (partitionKey: string, sortKey: string | undefined) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
]
