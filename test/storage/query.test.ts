import type { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { queryIndex, queryPartition } from '@embed-access/core/storage/query.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { newTables, putItem } from '../support/database.ts'

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

test('A partition is read consistently, and has the attributes asked for', async () => {
  const tables = new MemoryTables()
  tables.readLate()
  tables.put('catalog', { pk: 'a', sk: 'b', name: 'new', deleted: true })
  const read = (more: object) => queryPartition(tables.storage, { partition: 'a', ...more })
  expect((await read({})).items).toEqual([{ pk: 'a', sk: 'b', name: 'new', deleted: true }])
  expect((await read({ attributes: ['sk', 'name'] })).items).toEqual([{ sk: 'b', name: 'new' }])
})

test('A range has its first and last key, and an index may have no sort keys', async () => {
  const storage = await newTables()
  for (const sk of ['A', 'a', 'b', 'c']) await putItem(storage, 'catalog', { pk: 'p', sk })
  const range = { partition: 'p', attributes: ['sk'] }
  const read = async (more: object) =>
    (await queryPartition(storage, { ...range, ...more })).items.map(({ sk }) => sk)
  expect(await read({ from: 'b', to: 'b' })).toEqual(['b'])
  expect(await read({ from: 'c', to: 'b' })).toEqual([])
  expect(await read({ after: 'a' })).toEqual(['b', 'c'])
  expect(await read({})).toEqual(['A', 'a', 'b', 'c'])
  await putItem(storage, 'credentials', { pk: 'user', emailLogin: 'x', id: 1 })
  const byEmail = await queryIndex(storage, { index: 'byEmail', partition: 'x' })
  expect([byEmail.items.map(({ id }) => id), byEmail.end]).toEqual([[1], undefined])
  const none = queryIndex(storage, { index: 'byNothing', partition: 'x' })
  await expect(none).rejects.toThrow('There is no index byNothing.')
})
