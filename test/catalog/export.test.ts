import { ownerOf } from '@embed-access/core/catalog/export.ts'
import { parseValid } from '@embed-access/core/catalog/parse.ts'
import { differing } from '@embed-access/core/catalog/reconcile.ts'
import type { Item } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { apply, exported, outcomesOf, quickTables } from '../support/database.ts'
import { people, put, revised, without, workbook } from '../support/service.ts'
import { contents } from './contents.ts'
import { samples } from './samples.ts'

describe('an export', () => {
  async function imported(lines: readonly string[]): Promise<Storage> {
    const storage = await quickTables()
    const outcomes = await outcomesOf(
      storage,
      lines.map((line) => JSON.parse(line)),
    )
    expect(new Set(outcomes)).toEqual(new Set(['applied']))
    return storage
  }

  const ofEachKind = Object.entries(samples).flatMap(([kind, all]) =>
    all.map((data: object) => ({ kind, data })),
  )
  const sampleChanges = [
    ...ofEachKind,
    workbook(1, 900, { meta: { text: 'deflated '.repeat(2000) } }),
  ]

  async function expectSameAgain(storage: Storage): Promise<void> {
    const lines = await exported(storage)
    const copy = await imported(lines)
    expect(await contents(copy)).toEqual(await contents(storage))
    expect((await exported(copy)).toSorted()).toEqual(lines.toSorted())
  }

  test.each(sampleChanges)(
    'has every field of a complete $kind, with its revision',
    async ({ kind, data }) => {
      const storage = await quickTables([{ kind, revision: 3, data }])
      const lines = (await exported(storage)).map((line) => JSON.parse(line))
      expect(lines).toContainEqual({ kind, revision: 3, data })
      await expectSameAgain(storage)
    },
  )

  test('has what was deleted, so that an older change is skipped in the copy too', async () => {
    const storage = await quickTables()
    const changes = sampleChanges.map((change) => ({ ...change, revision: 5 }))
    await apply(storage, changes)
    const deletions = changes.map((change) => ({ ...change, op: 'delete', revision: 6 }))
    expect(new Set(await outcomesOf(storage, deletions))).toEqual(new Set(['applied']))
    await expectSameAgain(storage)
    const copy = await imported(await exported(storage))
    expect(new Set(await outcomesOf(copy, changes))).toEqual(new Set(['skipped']))
  })

  test('of one account keeps its revoked keys revoked, in a copy of the copy too', async () => {
    const original = await quickTables()
    const tokenHash = '1'.repeat(64)
    const apiKey = revised(
      3,
      put('apiKey', { accountId: 'acme', userId: 41, name: 'x', tokenHash }),
    )
    await apply(original, [
      apiKey,
      revised(4, without(put('apiKey', { accountId: 'acme', tokenHash }))),
    ])
    const copy = await imported(await exported(original, 'acme'))
    const copyOfCopy = await imported(await exported(copy, 'acme'))
    expect(await exported(original, 'other')).toEqual([])
    for (const storage of [copy, copyOfCopy])
      expect(await outcomesOf(storage, [apiKey])).toEqual(['skipped'])
  })

  test('of one account has all that is its own, and nothing of another', async () => {
    const original = await quickTables()
    const ofNobody = workbook(404, 1)
    await apply(original, [...sampleChanges, ...people, workbook(9, 1), workbook(1, 2), ofNobody])
    const all = await exported(original)
    const one = await exported(original, 'other')
    expect(one).toEqual(
      all.filter((line) => /"accountId":"other"|"id":"other"|"deploymentId":9\b/.test(line)),
    )
    expect(one.length).toBeGreaterThan(3)
    const rest = await exported(original, 'acme')
    expect(rest.length).toBeGreaterThan(sampleChanges.length)
  })
})

test('Items of version 1.0.0 are neither left out of an export nor skipped', async () => {
  const tables = new MemoryTables()
  await apply(tables.storage, people)
  const [user] = samples.user
  const change = revised(1, put('user', user))
  // Its items had no kind, and a number as their version.
  const { key } = parseValid(change)
  tables.put('credentials', { ...key, ...user, revision: 1, version: 1 } as unknown as Item)
  const said = /has items of version 1\.0\.0, which cannot be read/
  await expect(exported(tables.storage)).rejects.toThrow(said)
  await expect(differing(tables.storage, [change])).rejects.toThrow(said)
})

test.each([
  ['a deployment by its key', { pk: 'deployment#7', accountId: 'acme' }, { deploymentId: 7 }],
  [
    'an account by its key, whatever it is called',
    { pk: 'account#a%23b', sk: 'group#x' },
    { accountId: 'a#b' },
  ],
  [
    'their tombstones by what identified them',
    { pk: 'user#acme#1', identity: '{"accountId":"acme","id":1}' },
    { accountId: 'acme' },
  ],
  [
    'nobody where a tombstone has no account',
    { pk: 'apiKey#1', identity: '{"tokenHash":"1"}' },
    {},
  ],
  ['nobody where nothing is named', { pk: 'strange' }, {}],
  ['no deployment by a key that only begins with digits', { pk: '1a#workbook#5' }, {}],
  ['no deployment by a key that only ends with digits', { pk: 'a1#workbook#5' }, {}],
])('Tells the owner: %s', (_, item, owner) => {
  expect(ownerOf(item)).toEqual(owner)
})
