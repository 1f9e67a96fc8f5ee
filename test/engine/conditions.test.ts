import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { atOnce, tableOfTests } from './table.ts'

/*
 * What this service relies on in DynamoDB. Comments say in short what AWS's developer guide or API reference says, and name the
 * page.
 */

const { TableName, client } = tableOfTests()

const stored = async (pk: string) =>
  (await client.send(new GetCommand({ TableName, Key: { pk, sk: 's' }, ConsistentRead: true }))).Item

const put = (pk: string, more: object, condition: object = {}) =>
  client.send(new PutCommand({ TableName, Item: { pk, sk: 's', ...more }, ...condition }))

const ifNewer = (revision: number) => ({
  ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
  ExpressionAttributeValues: { ':revision': revision },
})

const hundred = Array.from({ length: 100 }, (_, index) => index)

// PutItem: an item with the same primary key is replaced entirely. Attributes that the new one lacks are gone.
test('a put replaces the whole item', async () => {
  await put('whole', { a: 1, b: 2 })
  await put('whole', { b: 3 })
  expect(await stored('whole')).toEqual({ pk: 'whole', sk: 's', b: 3 })
})

describe('a condition', () => {
  // PutItem: attribute_not_exists on the partition key prevents a put from replacing an item.
  test('that no item exists holds for one of a hundred puts at once', async () => {
    const { answers, errors } = await atOnce(
      hundred.map((by) => put('first', { by }, { ConditionExpression: 'attribute_not_exists(pk)' })),
    )
    expect(answers).toHaveLength(1)
    expect(new Set(errors.map(({ name }) => name))).toEqual(new Set(['ConditionalCheckFailedException']))
  })

  // Working with items, conditional writes: the condition is evaluated against the item as it is when it's written.
  test('on a revision leaves the greatest of a hundred that are put at once', async () => {
    await atOnce(hundred.map((revision) => put('newest', { revision }, ifNewer(revision))))
    expect(await stored('newest')).toMatchObject({ revision: 99 })
  })

  // Condition expressions: a comparison with an attribute that the item doesn't have is false.
  test('that compares with an attribute that is not there is false, and no error', async () => {
    await put('bare', {})
    for (const operator of ['=', '<', '<=', '>', '>=']) {
      const attempt = put(
        'bare',
        {},
        { ConditionExpression: `revision ${operator} :value`, ExpressionAttributeValues: { ':value': 1 } },
      )
      await expect(attempt).rejects.toThrow(expect.objectContaining({ name: 'ConditionalCheckFailedException' }))
    }
  })

  // Condition expressions, comparators: values of different types are never equal.
  test('tells a number from its digits', async () => {
    await put('typed', { value: 1 })
    const attempt = (value: unknown) =>
      put(
        'typed',
        { value },
        {
          ConditionExpression: '#v = :v',
          ExpressionAttributeNames: { '#v': 'value' },
          ExpressionAttributeValues: { ':v': value },
        },
      )
    await expect(attempt('1')).rejects.toThrow(expect.objectContaining({ name: 'ConditionalCheckFailedException' }))
    await attempt(1)
  })

  // PutItem, ReturnValuesOnConditionCheckFailure: ALL_OLD gives the item as it was when the condition failed.
  test('that fails changes nothing, and gives the item that there is if asked', async () => {
    await put('kept', { revision: 5 })
    const attempt = put('kept', { revision: 4 }, { ...ifNewer(4), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })
    await expect(attempt).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { revision: { N: '5' } },
    })
    expect(await stored('kept')).toEqual({ pk: 'kept', sk: 's', revision: 5 })
  })

  test('that fails because there is no item gives none', async () => {
    const attempt = put(
      'nothing',
      {},
      { ConditionExpression: 'attribute_exists(pk)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
    )
    const error = await attempt.catch((reason) => reason)
    expect([error.name, error.Item]).toEqual(['ConditionalCheckFailedException', undefined])
  })
})

describe('a delete', () => {
  // DeleteItem, ReturnValues: ALL_OLD gives the item as it was before it was deleted.
  test('of which a hundred come at once gives the item to one', async () => {
    await put('taken', { secret: 'once' })
    const { answers, errors } = await atOnce(
      hundred.map(() =>
        client.send(
          new DeleteCommand({
            TableName,
            Key: { pk: 'taken', sk: 's' },
            ConditionExpression: 'attribute_exists(pk)',
            ReturnValues: 'ALL_OLD',
          }),
        ),
      ),
    )
    expect(answers.map(({ Attributes }) => Attributes?.secret)).toEqual(['once'])
    expect(new Set(errors.map(({ name }) => name))).toEqual(new Set(['ConditionalCheckFailedException']))
  })

  // DeleteItem: it is idempotent. Deleting an item that doesn't exist is no error.
  test('of what is not there is no error', async () => {
    const { Attributes } = await client.send(
      new DeleteCommand({ TableName, Key: { pk: 'absent', sk: 's' }, ReturnValues: 'ALL_OLD' }),
    )
    expect(Attributes).toBeUndefined()
  })
})

describe('an update', () => {
  const set = (pk: string, attribute: string, value: unknown, condition?: string) =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: { pk, sk: 's' },
        UpdateExpression: 'SET #a = :value',
        ...(condition && { ConditionExpression: condition }),
        ExpressionAttributeNames: { '#a': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
    )

  // UpdateItem: it edits the attributes that it names, and adds the item if it doesn't exist.
  test('makes the item and changes its own attribute alone: a hundred lose nothing', async () => {
    await atOnce(hundred.map((index) => set('together', `group:${index}`, index, 'attribute_not_exists(#a)')))
    const expected = Object.fromEntries(hundred.map((index) => [`group:${index}`, index]))
    expect(await stored('together')).toEqual({ pk: 'together', sk: 's', ...expected })
  })

  // Update expressions: SET and REMOVE may stand in one expression. Removing what isn't there is no error.
  test('sets and removes in one expression', async () => {
    await put('both', { before: 1 })
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: 'both', sk: 's' },
        UpdateExpression: 'SET #after = :value REMOVE #before, #missing',
        ExpressionAttributeNames: { '#after': 'after', '#before': 'before', '#missing': 'missing' },
        ExpressionAttributeValues: { ':value': { name: 'a map' } },
      }),
    )
    expect(await stored('both')).toEqual({ pk: 'both', sk: 's', after: { name: 'a map' } })
  })
})
