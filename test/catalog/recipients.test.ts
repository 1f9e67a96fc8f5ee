import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { notificationKey, recipientSortKey } from '@embed-access/core/notifications/keys.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import type { Item } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import * as catalog from '../support/catalog.ts'
import { put, revised, without } from '../support/catalog.ts'
import { interrupted, newTables, outcomesOf, sentBy } from '../support/database.ts'

describe('a recipient', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await newTables()
  })

  let lastNotification = 0
  const user = { type: 'user', userId: 1 } as const
  const notification = (id: number, dashboardId?: number) =>
    catalog.notification(1, id, { dashboardId })
  const recipient = (notificationId: number) => catalog.recipient(1, notificationId, user)

  const apply = async (to: Storage, ...changes: object[]) => {
    expect(new Set(await outcomesOf(to, changes))).toEqual(new Set(['applied']))
  }

  const stored = (id: number) =>
    getItem(storage, 'catalog', { pk: notificationKey(1, id).pk, sk: recipientSortKey(user) })

  /** The dashboard whose list it is in, or `none`. */
  async function listedWith(id: number): Promise<string> {
    const { recipientList, recipientAndDashboardList } = (await stored(id)) ?? ({} as Partial<Item>)
    if (recipientList === undefined) return 'none'
    return `${recipientAndDashboardList}`.split('#').at(-1) as string
  }

  const isRecipientPut = (command: object) =>
    command instanceof PutCommand && (command.input.Item as Item | undefined)?.kind === 'recipient'

  test('is listed by its notification, whichever arrives first, until it is deleted', async () => {
    const [first, second] = [++lastNotification, ++lastNotification]
    await apply(storage, recipient(first))
    expect(await listedWith(first)).toBe('none')
    await apply(storage, notification(first, 7))
    await apply(storage, notification(second, 7))
    await apply(storage, recipient(second))
    expect([await listedWith(first), await listedWith(second)]).toEqual(['7', '7'])
    await apply(storage, without(notification(first, 7)), without(recipient(second)))
    expect([await listedWith(first), await listedWith(second)]).toEqual(['none', 'none'])
    await apply(storage, notification(first, 8), notification(second, 8))
    expect([await listedWith(first), await listedWith(second)]).toEqual(['8', 'none'])
    await apply(storage, notification(first))
    expect(await listedWith(first)).toBe('undefined')
  })

  test('is written only where order or dashboard of its notification change', async () => {
    const id = ++lastNotification
    const all = Array.from({ length: 40 }, (_, userId) => ({ type: 'user', userId }))
    await apply(storage, notification(id, 7), ...all.map((each) => catalog.recipient(1, id, each)))
    let calls = 0
    const counting = sentBy(storage, (command, on) => {
      calls += 1
      return on(command)
    })
    const callsOf = async (more: object) => {
      calls = 0
      const { data } = notification(id, 7)
      await apply(counting, put('notification', { ...data, ...more }))
      return calls
    }
    // It reads the notification twice and the recipients once, and writes the notification.
    expect(await callsOf({ isEnabled: false })).toBe(4)
    expect(await callsOf({ isEnabled: true })).toBe(4)
    expect(await callsOf({ dashboardId: 8 })).toBe(44)
    expect(await listedWith(id)).toBe('8')
    expect(await callsOf({ createdAt: '2026-01-02' })).toBe(44)
    expect(await callsOf({ createdAt: '2026-01-02', timezone: 'UTC' })).toBe(4)
  })

  test('is in no list once DynamoDB has forgotten its notification', async () => {
    const id = ++lastNotification
    const own = revised(1, recipient(id))
    await apply(storage, notification(id, 7), own, without(notification(id, 7)))
    const Key = notificationKey(1, id)
    await storage.client.send(new DeleteCommand({ TableName: storage.tables.catalog, Key }))
    expect(await outcomesOf(storage, [own])).toEqual(['skipped'])
    expect(await listedWith(id)).toBe('none')
  })

  // Its first put writes it, the second one corrects it: by then the notification was read.
  test.each([
    [1, 'changes', notification, '8'],
    [2, 'changes', notification, '8'],
    [1, 'is deleted', (id: number) => without(notification(id, 7)), 'none'],
    [2, 'is deleted', (id: number) => without(notification(id, 7)), 'none'],
  ])('follows, just before its put %i, a notification that %s', async (n, _, change, listed) => {
    const id = ++lastNotification
    await apply(storage, notification(id, 7))
    const slow = interrupted(storage, n, isRecipientPut, () => apply(storage, change(id, 8)))
    await apply(slow, recipient(id))
    expect(await listedWith(id)).toBe(listed)
  })

  test('is not written back by a slow writer after its notification went to and fro', async () => {
    const id = ++lastNotification
    await apply(storage, notification(id, 7), recipient(id))
    await apply(storage, notification(id, 7))
    // This writer has read B when the notification becomes A again.
    const slow = interrupted(storage, 1, isRecipientPut, () => apply(storage, notification(id, 7)))
    await apply(slow, notification(id, 8))
    expect(await listedWith(id)).toBe('7')
  })

  test('is corrected by the same change again if its writer stopped', async () => {
    const id = ++lastNotification
    const [own, its] = [revised(1, recipient(id)), revised(1, notification(id, 7))]
    const isRead = (command: object) =>
      command instanceof GetCommand || command instanceof QueryCommand
    const dying = (n: number) =>
      interrupted(storage, n, isRead, () => Promise.reject(new Error('the writer is gone')))
    // The first read of each comes before its write.
    expect(await outcomesOf(dying(2), [own])).toEqual(['failed'])
    expect(await outcomesOf(dying(2), [its])).toEqual(['failed'])
    expect(await listedWith(id)).toBe('none')
    expect(await outcomesOf(storage, [own])).toEqual(['skipped'])
    expect(await listedWith(id)).toBe('7')
  })
})
