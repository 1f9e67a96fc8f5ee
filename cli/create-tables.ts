import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type Projection,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import {
  type IndexDefinition,
  keyAttributes,
  type TableDefinition,
  tableDefinitions,
  tableNames,
} from '@embed-access/core/storage/tables.ts'

/** Creates the tables on a local engine. Existing tables stay as they are. */
export async function createTables(storage: Storage): Promise<void> {
  await Promise.all(
    tableNames.map((name) => createTable(storage, storage.tables[name], tableDefinitions[name])),
  )
}

export function tableInput(
  TableName: string,
  definition: TableDefinition,
): CreateTableCommandInput {
  const indexes = definition.indexes.map(({ name, carries, ...keys }) => {
    return { IndexName: name, KeySchema: keySchema(keys), Projection: projectionOf(carries) }
  })
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(definition),
    AttributeDefinitions: keyAttributes(definition).map((AttributeName) => {
      return { AttributeName, AttributeType: 'S' }
    }),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
  }
}

/**
 * Creates a table and waits until it can be used. An existing one stays as it is.
 * @throws Error with a plain sentence if an existing one cannot be used, and waiting would not
 * help, or if it lacks an index
 */
export async function createTable(
  storage: Storage,
  TableName: string,
  definition: TableDefinition,
  protection: Pick<CreateTableCommandInput, 'SSESpecification' | 'DeletionProtectionEnabled'> = {},
): Promise<void> {
  const creation = new CreateTableCommand({ ...tableInput(TableName, definition), ...protection })
  let isNew = false
  let table: TableDescription | undefined
  for (;;) {
    // There is no table yet, or the deletion of an earlier one has just ended.
    if (!table && (await tryToCreate(storage, creation))) isNew = true
    table = await described(storage, TableName)
    const status = table?.TableStatus
    if (status === 'ACTIVE') break
    // DynamoDB ends these states by itself.
    if (status && !['CREATING', 'UPDATING', 'DELETING'].includes(status))
      throw new Error(`The table ${TableName} cannot be used: it is ${status}.`)
    await storage.pause(100)
  }
  const present = table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? []
  const missing = definition.indexes.find(({ name }) => !present.includes(name))
  if (missing) {
    const advice = 'Import the catalog of the platform into new tables.'
    throw new Error(
      `Another version made the table ${TableName}: it has no index ${missing.name}. ${advice}`,
    )
  }
  if (!isNew || !definition.expiryAttribute) return
  const TimeToLiveSpecification = { AttributeName: definition.expiryAttribute, Enabled: true }
  await storage.client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
}

/** @returns false if there is such a table already */
async function tryToCreate({ client }: Storage, creation: CreateTableCommand): Promise<boolean> {
  try {
    await client.send(creation)
    return true
  } catch (error) {
    if (error instanceof ResourceInUseException) return false
    throw error
  }
}

/** Describes a table. Right after its creation, DynamoDB may not know it yet. */
async function described(
  { client }: Storage,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}

function projectionOf(carries: IndexDefinition['carries']): Projection {
  if (carries === 'all') return { ProjectionType: 'ALL' }
  if (carries.length === 0) return { ProjectionType: 'KEYS_ONLY' }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...carries] }
}

type Keys = Pick<IndexDefinition, 'partitionKey' | 'sortKey'>

const keySchema = ({ partitionKey, sortKey }: Keys) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
]
