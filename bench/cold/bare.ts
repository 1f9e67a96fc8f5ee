import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'

/*
 * The least that a function with a table can be: the SDK's client, and one read. It opens its
 * connection while it starts, as our functions do.
 */
const client = DynamoDBDocumentClient.from(new DynamoDBClient())

export const handler = () =>
  client.send(
    new GetCommand({ TableName: process.env.CATALOG_TABLE, Key: { pk: 'bare', sk: 'record' } }),
  )

await handler()
