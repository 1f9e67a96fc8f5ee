import { PutCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyUses } from '@embed-access/core/access/api-keys.ts'
import { purge } from '@embed-access/core/catalog/purge.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { apply, contents, exported, interrupted, newTables, now, outcomesOf, sentBy } from '../support/database.ts'
import { allEmbedUsers, folder, people, share, without, workbook } from '../support/service.ts'

const account = { kind: 'account', data: { id: 'acme', name: 'Acme' } }
const deployment = { kind: 'deployment', data: { accountId: 'acme', id: 1, name: 'First' } }

/** 250 workbooks and a share in deployment 1, one workbook in deployment 2, both of acme; and one in deployment 9. */
const inDeployments = [
  folder(1, 1, null),
  ...Array.from({ length: 250 }, (_, id) => workbook(1, id, { folderId: 1 })),
  share(1, 'folder', 1, allEmbedUsers),
  workbook(2, 1),
  workbook(9, 1),
]

const groups = [
  { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } },
  { kind: 'group', data: { accountId: 'acme', name: 'staff' } },
]

async function filled() {
  const storage = await newTables()
  await apply(storage, [...people, ...inDeployments, ...groups])
  // A request waits for it for 250 ms at most. Here it has all the time that a busy machine takes.
  const patient = sentBy(storage, (command) => storage.client.send(command as PutCommand))
  await apiKeyUses()(patient, { tokenHash: 'a'.repeat(64), accountId: 'acme' }, now)
  return storage
}

describe('a purge', () => {
  test('leaves an item alone that does not say whose it is', async () => {
    const storage = await filled()
    const strange = { pk: 'strange', sk: 'record', kind: 'strange' }
    await storage.client.send(new PutCommand({ TableName: storage.tables.catalog, Item: strange }))
    await apply(storage, [without(account)])
    expect((await purge(storage, () => {})).seen).toBeGreaterThan(250)
    expect(await contents(storage)).toContainEqual(strange)
  })

  test('ends with an error that is not about an owner who came back', async () => {
    const storage = await filled()
    await apply(storage, [without(deployment)])
    const refusing = sentBy(storage, (command, on) =>
      command instanceof TransactWriteCommand ? Promise.reject(new Error('not allowed')) : on(command),
    )
    await expect(purge(refusing, () => {})).rejects.toThrow('not allowed')
  })

  test('removes what is in a deleted deployment, and nothing else', async () => {
    const storage = await filled()
    await apply(storage, [without(deployment)])
    const before = await exported(storage)
    expect(await purge(storage, () => {})).toMatchObject({ removed: 252 })
    const isInside = (line: string) => /"deploymentId":1\b/.test(line)
    expect(await exported(storage)).toEqual(before.filter((line) => !isInside(line)))
    expect(await purge(storage, () => {})).toMatchObject({ removed: 0 })
  })

  test('removes what a deleted account had, and leaves whose its deployments are', async () => {
    const storage = await filled()
    await apply(storage, [without(account)])
    await purge(storage, () => {})
    const left = await contents(storage)
    const ofAcme = left.filter((item) => /acme|^[12]#|^lastUse|^deployment#[12]\b/.test(`${item.pk} ${item.accountId}`))
    expect(ofAcme.map(({ pk }) => pk)).toEqual(['account#acme', 'deployment#1', 'deployment#2'])
    expect(left.some(({ pk }) => pk === '9#workbook#1')).toBe(true)
    const theirs = { kind: 'deployment', data: { accountId: 'other', id: 1, name: 'Mine now' } }
    expect(await outcomesOf(storage, [theirs])).toEqual(['refused'])
  })

  test('leaves tombstones, so that an older share does not come back with its deployment', async () => {
    const storage = await filled()
    const grant = share(1, 'workbook', 5, allEmbedUsers)
    await apply(storage, [{ ...without(grant), revision: 2 }, without(deployment)])
    await purge(storage, () => {})
    expect(await outcomesOf(storage, [deployment, { ...grant, revision: 1 }])).toEqual(['applied', 'skipped'])
  })

  test('leaves what is in a deployment that comes back meanwhile', async () => {
    const storage = await filled()
    await apply(storage, [without(deployment)])
    const isRemoval = (command: object) => command instanceof TransactWriteCommand
    const meanwhile = interrupted(storage, 1, isRemoval, () => apply(storage, [deployment]))
    expect(await purge(meanwhile, () => {})).toMatchObject({ removed: 0 })
    expect(await exported(storage)).toHaveLength((await exported(await filled())).length)
  })

  describe('and the tombstone of an account', () => {
    const day = 24 * 3600
    const tombstoneOf = async (storage: Storage) =>
      (await contents(storage)).find(({ pk, deleted }) => pk === 'account#acme' && deleted === true)

    test('which stays until the account is purged, and then for 90 days more', async () => {
      const storage = await filled()
      await apply(storage, [without(account)])
      expect(await tombstoneOf(storage)).not.toHaveProperty('tombstoneExpiresAt')
      await purge(
        storage,
        () => {},
        () => now + 7 * day * 1000,
      )
      expect(await tombstoneOf(storage)).toMatchObject({ tombstoneExpiresAt: now / 1000 + 97 * day })
      await apply(storage, [account])
      const apiKeys = (await exported(storage, 'acme')).filter((line) => JSON.parse(line).kind === 'apiKey')
      expect([await tombstoneOf(storage), apiKeys]).toEqual([undefined, []])
    })

    test('which expires after a purge too if the account had nothing', async () => {
      const storage = await newTables()
      await apply(storage, [account, without(account)])
      await purge(
        storage,
        () => {},
        () => now,
      )
      expect(await tombstoneOf(storage)).toMatchObject({ tombstoneExpiresAt: now / 1000 + 90 * day })
    })

    test('which is left alone where the account comes back meanwhile', async () => {
      const storage = await filled()
      await apply(storage, [without(account)])
      const isLast = (command: object) => command instanceof PutCommand
      await purge(
        interrupted(storage, 1, isLast, () => apply(storage, [account])),
        () => {},
      )
      expect(await contents(storage)).toContainEqual({
        pk: 'account#acme',
        sk: 'record',
        kind: 'account',
        ...account.data,
      })
    })

    test('which stays where the account is deleted while the purge runs', async () => {
      const storage = await filled()
      const isScan = (command: object) => command instanceof ScanCommand
      const meanwhile = interrupted(storage, 2, isScan, () => apply(storage, [without(account)]))
      expect(await purge(meanwhile, () => {})).toMatchObject({ removed: 0 })
      expect(await tombstoneOf(storage)).not.toHaveProperty('tombstoneExpiresAt')
      expect((await purge(storage, () => {})).removed).toBeGreaterThan(250)
    })

    test('which the database refuses to let expire ends the purge with its error', async () => {
      const storage = await filled()
      await apply(storage, [without(account)])
      const refusing = sentBy(storage, (command, on) =>
        command instanceof PutCommand ? Promise.reject(new Error('not allowed')) : on(command),
      )
      await expect(purge(refusing, () => {})).rejects.toThrow('not allowed')
    })
  })
})
