import { randomBytes } from 'node:crypto'
import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll } from 'vitest'
import { createTable } from '../../cli/create-tables.ts'
import { connectToEngine } from '../support/database.ts'

/**
 * A table for the tests of a file, with an index that carries keys only and one that carries
 * `color` too.
 */
export function tableOfTests() {
  const storage = connectToEngine()
  const { client } = storage
  const TableName = `test-${randomBytes(6).toString('hex')}`
  beforeAll(() =>
    createTable(storage, TableName, {
      partitionKey: 'pk',
      sortKey: 'sk',
      indexes: [
        { name: 'keysOnly', partitionKey: 'list', sortKey: 'order', carries: [] },
        { name: 'withColor', partitionKey: 'list', sortKey: 'order', carries: ['color'] },
      ],
      expiryAttribute: 'expiresAt',
    }),
  )
  afterAll(() => client.destroy())
  const stored = async (pk: string, sk = 's') =>
    (await client.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }))).Item
  const query = (IndexName: string, list: string, more: Partial<QueryCommandInput> = {}) =>
    client.send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: '#list = :list',
        ExpressionAttributeNames: { '#list': 'list' },
        ExpressionAttributeValues: { ':list': list },
        ...more,
      }),
    )
  return { TableName, client, stored, query }
}
