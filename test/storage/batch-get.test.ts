import type { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { batchGetAcross } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTables, putItem, sentBy } from '../support/database.ts'

type Requests = NonNullable<BatchGetCommand['input']['RequestItems']>

const user = { pk: 'user#acme#1', id: 1 }
const account = { pk: 'account#acme', sk: 'record', name: 'Acme', deleted: true }
const revocation = { pk: 'revocation#acme', everywhere: true }
const reads = {
  credentials: { keys: [{ pk: user.pk }] },
  catalog: { keys: [{ pk: account.pk, sk: account.sk }], attributes: ['deleted'] },
  sessions: { keys: [{ pk: revocation.pk }, { pk: 'revocation#acme#none' }], consistent: true },
} as const

let storage: Storage

beforeAll(async () => {
  storage = await newTables()
  const items = { credentials: user, catalog: account, sessions: revocation }
  for (const [name, item] of Object.entries(items))
    await putItem(storage, name as keyof typeof items, item)
})

/**
 * The same tables, whose database leaves all keys of some tables unread.
 * @param left the names of these tables for each of the first answers
 */
function leavingUnread(left: readonly (readonly string[])[]) {
  const asked: Requests[] = []
  const pauses: number[] = []
  const over = sentBy(storage, async (command, on) => {
    const { RequestItems = {} } = (command as BatchGetCommand).input
    const names = left[asked.length] ?? []
    asked.push(RequestItems)
    const isLeft = ([table]: [string, unknown]) => names.includes(table)
    const UnprocessedKeys = Object.fromEntries(Object.entries(RequestItems).filter(isLeft))
    const { Responses } = (await on(command)) as { Responses: Record<string, unknown> }
    return {
      Responses: Object.fromEntries(Object.entries(Responses).filter((each) => !isLeft(each))),
      UnprocessedKeys,
    }
  })
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  return { storage: { ...over, pause }, asked, pauses }
}

const found = async (over: Storage) => [...(await batchGetAcross(over, reads)).values()]

const { name: _, ...readOfAccount } = account
const all = [user, readOfAccount, revocation].map((item) => expect.objectContaining(item))

describe('a read of several tables', () => {
  test('is one call, in which each table is read in its own way', async () => {
    const { storage: over, asked } = leavingUnread([])
    const items = await found(over)
    expect(items).toHaveLength(3)
    expect(items).toEqual(expect.arrayContaining(all))
    expect(items.find(({ pk }) => pk === account.pk)).not.toHaveProperty('name')
    const { credentials, catalog, sessions } = storage.tables
    expect(asked).toHaveLength(1)
    const isConsistent = [credentials, catalog, sessions].map(
      (table) => asked[0]?.[table]?.ConsistentRead,
    )
    expect(isConsistent).toEqual([false, false, true])
  })

  test('asks again for what was left unread, in the same way, and for nothing else', async () => {
    const { catalog, sessions } = storage.tables
    const [every, two] = [Object.values(storage.tables), [catalog, sessions]]
    const { storage: over, asked, pauses } = leavingUnread([every, two, two])
    expect(await found(over)).toEqual(expect.arrayContaining(all))
    const [first, ...others] = asked
    const left = { [catalog]: first?.[catalog], [sessions]: first?.[sessions] }
    expect(others).toEqual([first, left, left])
    // The second answer has the user, so it does not make the pause longer.
    expect(pauses).toEqual([50, 25, 50])
  })

  test('gives up at the sixth answer in a row that has nothing', async () => {
    const nothing = Object.values(storage.tables)
    const patient = leavingUnread(Array(5).fill(nothing))
    expect(await found(patient.storage)).toHaveLength(3)
    expect(patient.pauses).toEqual([50, 100, 200, 400, 800])
    const { storage: over, asked } = leavingUnread(Array(7).fill(nothing))
    await expect(found(over)).rejects.toThrow(
      expect.objectContaining({ name: 'ThrottlingException' }),
    )
    expect(asked).toHaveLength(6)
  })
})
