import { GetCommand, PutCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { atOnce, tableOfTests } from './table.ts'

const { TableName, client } = tableOfTests()

type Actions = NonNullable<TransactWriteCommandInput['TransactItems']>

const keyOf = (pk: string) => ({ pk, sk: 's' })
const stored = async (pk: string) =>
  (await client.send(new GetCommand({ TableName, Key: keyOf(pk), ConsistentRead: true }))).Item
const put = (pk: string, more: object = {}) =>
  client.send(new PutCommand({ TableName, Item: { ...keyOf(pk), ...more } }))
const transact = (TransactItems: Actions, more: object = {}) =>
  client.send(new TransactWriteCommand({ TransactItems, ...more }))

const insert = (pk: string): Actions[number] => ({
  Put: { TableName, Item: keyOf(pk), ConditionExpression: 'attribute_not_exists(pk)' },
})
const count = (pk: string): Actions[number] => ({
  Update: {
    TableName,
    Key: keyOf(pk),
    UpdateExpression: 'ADD counted :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
})

// TransactWriteItems: the actions are completed atomically. Either all of them succeed, or all of them fail.
test('a transaction whose condition fails writes nothing of it', async () => {
  await put('there')
  const attempt = transact([insert('new'), insert('there'), count('counted')])
  await expect(attempt).rejects.toThrow(expect.objectContaining({ name: 'TransactionCanceledException' }))
  expect([await stored('new'), await stored('counted')]).toEqual([undefined, undefined])
})

describe('the reasons of a cancelled transaction', () => {
  // TransactionCanceledException: the list has a reason for each action, in their order, with code None if it was fine.
  test('stand in the order of its actions, and None for those that were fine', async () => {
    await put('taken')
    const error = await transact([insert('fine'), insert('taken'), insert('fine too')]).catch((reason) => reason)
    expect(error.CancellationReasons.map(({ Code }: { Code: string }) => Code)).toEqual([
      'None',
      'ConditionalCheckFailed',
      'None',
    ])
  })

  // Put in TransactWriteItems, ReturnValuesOnConditionCheckFailure: ALL_OLD gives the item that there is.
  test('have the item that there is, if asked', async () => {
    await put('shown', { revision: 7 })
    const Put = { ...insert('shown').Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as Actions[number]['Put']
    const error = await transact([{ Put } as Actions[number]]).catch((reason) => reason)
    expect(error.CancellationReasons[0].Item).toMatchObject({ revision: { N: '7' } })
  })

  // ConditionCheck: it checks that an item exists, or the condition of some of its attributes, and writes nothing.
  test('name a check of an item that is not written', async () => {
    const check = (ConditionExpression: string) => ({
      ConditionCheck: { TableName, Key: keyOf('checked'), ConditionExpression },
    })
    await put('checked')
    await transact([insert('after the check'), check('attribute_exists(pk)')])
    const attempt = transact([insert('never'), check('attribute_exists(deleted)')])
    await expect(attempt).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    expect(await stored('checked')).toEqual(keyOf('checked'))
  })
})

describe('a transaction sent twice under one token', () => {
  // TransactWriteItems, ClientRequestToken: with it, the call has the effect of one single call, for ten minutes.
  test('is done once', async () => {
    const ClientRequestToken = crypto.randomUUID()
    await transact([count('once')], { ClientRequestToken })
    await transact([count('once')], { ClientRequestToken })
    expect(await stored('once')).toMatchObject({ counted: 1 })
  })

  // TransactWriteItems, ClientRequestToken: other parameters under it are an IdempotentParameterMismatch.
  test('is refused with other actions', async () => {
    const ClientRequestToken = crypto.randomUUID()
    await transact([count('this')], { ClientRequestToken })
    const attempt = transact([count('that')], { ClientRequestToken })
    await expect(attempt).rejects.toThrow(expect.objectContaining({ name: 'IdempotentParameterMismatchException' }))
    expect(await stored('that')).toBeUndefined()
  })

  // The SDK makes a token for each command that has none, and keeps it for all attempts. A new command has a new one.
  test('is not what two commands without a token are', async () => {
    await transact([count('twice')])
    await transact([count('twice')])
    expect(await stored('twice')).toMatchObject({ counted: 2 })
  })
})

// Managing complex workflows with transactions: of transactions on one item, some may fail by a conflict. Then nothing is
// written, and whoever sent it may send it again.
test('transactions on one item at once succeed, or name a conflict', async () => {
  const { answers, errors } = await atOnce(Array.from({ length: 30 }, () => transact([count('contended')])))
  expect(await stored('contended')).toMatchObject({ counted: answers.length })
  for (const error of errors) {
    expect(error).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    })
  }
})

describe('a transaction may have', () => {
  const many = (actions: number, of: string) =>
    transact(Array.from({ length: actions }, (_, index) => insert(`${of} ${index}`)))

  // TransactWriteItems: at most 100 actions.
  test('a hundred actions and no more', async () => {
    await many(100, 'hundred')
    await expect(many(101, 'more')).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }))
    expect(await stored('more 0')).toBeUndefined()
  })

  // TransactWriteItems: no two actions may be about one item, a condition check included.
  test('one action for an item', async () => {
    await expect(transact([insert('same'), count('same')])).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    )
  })
})
