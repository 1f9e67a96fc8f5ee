import type { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { queryIndex } from '@embed-access/core/storage/query.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'

test('A Query that gives nothing, though the range goes on, is sent again from there', async () => {
  const key = (order: string) => ({ pk: 'a', sk: 'b', deploymentList: 'c', order })
  const answers = [
    { Items: [], LastEvaluatedKey: key('1') },
    { LastEvaluatedKey: key('2') },
    { Items: [key('3')], LastEvaluatedKey: key('3') },
  ]
  const starts: unknown[] = []
  const client = {
    async send({ input }: QueryCommand) {
      starts.push(input.ExclusiveStartKey)
      return answers.shift()
    },
  }
  const storage = { client, tables: tablesWithPrefix('once') } as unknown as Storage
  const read = await queryIndex(storage, { index: 'byDeployment', partition: 'c' }, 5)
  expect(read).toEqual({ items: [key('3')], end: '3' })
  expect(starts).toEqual([undefined, key('1'), key('2')])
})

test('No Query is sent of a partition whose name is longer than a key can be', async () => {
  const asked: number[] = []
  const send = async ({ input }: QueryCommand) => {
    asked.push(input.ExpressionAttributeValues?.[':p'].length)
    return { Items: [] }
  }
  const storage = { client: { send }, tables: tablesWithPrefix('long') } as unknown as Storage
  for (const length of [2048, 2049, 100_000]) {
    const read = await queryIndex(storage, { index: 'byEmail', partition: 'x'.repeat(length) })
    expect(read).toEqual({ items: [], end: undefined })
  }
  expect(asked).toEqual([2048])
})
