import {
  BatchGetCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import { permitted } from '../../local/permitted.ts'
import { newTables } from '../support/database.ts'

test('a function gets from the storage of this machine what its record permits', async () => {
  const storage = await newTables()
  const { catalog, sessions } = storage.tables
  const { client } = permitted(storage, {
    tables: [
      {
        table: 'catalog',
        reads: ['GetItem'],
        narrowReads: { BatchGetItem: ['account#'], Query: ['account#'] },
        writes: { ConditionCheckItem: ['account#'] },
        indexes: ['byAccount'],
      },
    ],
  })
  const keysOf = (...names: string[]) => names.map((pk) => ({ pk, sk: '-' }))
  const batch = (...names: string[]) =>
    new BatchGetCommand({ RequestItems: { [catalog]: { Keys: keysOf(...names) } } })
  const query = (pk: string, IndexName?: string) =>
    new QueryCommand({
      ...{ TableName: catalog, IndexName },
      KeyConditionExpression: `${IndexName === undefined ? 'pk' : 'embedTenantList'} = :p`,
      ExpressionAttributeValues: { ':p': pk },
    })
  const checked = (TableName: string, pk: string) => {
    const ConditionCheck = {
      ...{ TableName, Key: { pk, sk: '-' } },
      ConditionExpression: 'attribute_not_exists(pk)',
    }
    return new TransactWriteCommand({ TransactItems: [{ ConditionCheck }] })
  }
  const read = (TableName: string) =>
    new TransactGetCommand({
      TransactItems: keysOf('any#').map((Key) => ({ Get: { TableName, Key } })),
    })

  const outcomes = [
    ...[batch('account#a', 'account#b'), batch('account#a', 'group#a')],
    ...[query('account#a'), query('group#a'), query('a', 'byAccount'), query('a', 'byPublicId')],
    ...[checked(catalog, 'account#a'), checked(catalog, 'group#a'), checked(sessions, 'account#a')],
    ...[read(catalog), read(sessions)],
  ].map((command) =>
    client.send(command as QueryCommand).then(
      () => 'done',
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  )
  const refused = (what: string) => `AccessDeniedException: The function may not ${what}.`
  expect(await Promise.all(outcomes)).toEqual([
    ...['done', refused('BatchGetItem catalog')],
    ...['done', refused('Query catalog'), 'done', refused('Query catalog/byPublicId')],
    ...['done', refused('ConditionCheckItem catalog'), refused('ConditionCheckItem sessions')],
    ...['done', refused('GetItem sessions')],
  ])
})
