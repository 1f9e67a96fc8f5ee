import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyKey, deploymentKey } from '@embed-access/core/access/keys.ts'
import { otherAccounts } from '@embed-access/core/catalog/claims.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import type { Item } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { apply, exported, interrupted, now, outcomesOf } from '../support/database.ts'

/** What a change says. A put names an account; a deletion may. */
type Said = {
  readonly account: 'acme' | 'other' | undefined
  readonly op: 'put' | 'delete'
  readonly revision: number
}

const hashOf = (id: number) => id.toString(16).padStart(64, '0')

/**
 * The two kinds of things that stay with one account: what identifies them, what else a put says,
 * and their items.
 */
const kinds = {
  deployment: {
    identity: (id: number): object => ({ id }),
    more: {},
    item: (storage: Storage, id: number) => getItem(storage, 'catalog', deploymentKey(id)),
  },
  apiKey: {
    identity: (id: number): object => ({ tokenHash: hashOf(id) }),
    more: { userId: 1 },
    item: (storage: Storage, id: number) => getItem(storage, 'credentials', apiKeyKey(hashOf(id))),
  },
}

// Its properties write several hundred lists of changes.
describe.each(Object.entries(kinds))('the account of a %s', (kind, { identity, more, item }) => {
  const original = new MemoryTables().storage
  const copy = new MemoryTables().storage
  let id = 0
  beforeEach(() => {
    id += 1
  })

  const change = ({ account, op, revision }: Said) => ({
    kind,
    op,
    revision,
    data: {
      ...identity(id),
      ...(account && { accountId: account }),
      ...(op === 'put' && { ...more, name: `revision ${revision}` }),
    },
  })

  async function arrive(storage: Storage, said: readonly Said[]): Promise<void> {
    for (const each of said) await apply(storage, [change(each)])
  }

  async function found(storage: Storage) {
    const {
      accountId: owner,
      deleted = false,
      revision,
      name,
    }: Partial<Item> = (await item(storage, id)) ?? {}
    return { owner, deleted, revision, name }
  }

  const linesOf = async (storage: Storage) =>
    (await exported(storage)).filter((line) => {
      const { data } = JSON.parse(line)
      return data.id === id || data.tokenHash === hashOf(id)
    })

  async function copied(): Promise<void> {
    const lines = await linesOf(original)
    expect(await outcomes(copy, ...lines.map((line) => JSON.parse(line)))).toBe('applied')
    expect(await linesOf(copy)).toEqual(lines)
  }

  test('is that of the lowest revision, in whatever order the changes come', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(), async ({ said, first }) => {
        id += 1
        await arrive(original, first)
        expect(await found(original)).toEqual(expectedOf(said))
        const { owner } = expectedOf(said)
        for (const each of said) {
          const isOthers = each.account !== undefined && each.account !== owner
          const outcome = isOthers ? 'refused' : 'skipped'
          expect(await outcomes(original, change(each))).toBe(outcome)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('is the same in a copy that starts midway, also when all changes come again', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals(), fc.nat({ max: 6 }), async ({ said, first, second }, cut) => {
        id += 1
        await arrive(original, [said[0] as Said, ...first.slice(0, cut)])
        await copied()
        await arrive(copy, first.slice(cut))
        expect((await found(copy)).owner).toBe(expectedOf(said).owner)
        await arrive(copy, second)
        expect(await found(copy)).toEqual(expectedOf(said))
      }),
      { numRuns: 100 },
    )
  })

  const outcomes = async (storage: Storage, ...changes: readonly object[]) =>
    (await outcomesOf(storage, changes)).join(' ')

  const acme = { account: 'acme', op: 'put', revision: 5 } as const
  const other = { account: 'other', op: 'put', revision: 3 } as const
  const deletion = { account: undefined, op: 'delete', revision: 4 } as const
  const unrevised = (said: Said) => ({ ...change(said), revision: undefined })

  test('refuses the changes of another one, and is told as the reason', async () => {
    await arrive(original, [other])
    const reason = expect.stringMatching(
      /^this (id|key) belongs to another account, and \1s are never reused$/,
    )
    const refused = { outcome: 'refused', problems: [{ pointer: '/data/accountId', reason }] }
    const changes = [change(acme), change({ ...acme, op: 'delete', revision: 6 })]
    expect(await apply(original, changes)).toEqual([refused, refused])
    expect(await found(original)).toEqual(expectedOf([other]))
  })

  test('is the first to arrive where a change has no revision, in a copy too', async () => {
    expect(await outcomes(original, unrevised(acme), change(acme))).toBe('applied applied')
    await copied()
    for (const storage of [original, copy]) {
      expect(await outcomes(storage, change(other), unrevised(other))).toBe('refused refused')
      expect(await found(storage)).toEqual(expectedOf([acme]))
    }
    const end = [unrevised(deletion), unrevised(other)]
    expect(await outcomes(original, ...end)).toBe('applied refused')
    expect(await found(original)).toMatchObject({ owner: 'acme', deleted: true, revision: 5 })
    expect(await outcomes(original, change(acme), unrevised(acme))).toBe('skipped applied')
    expect(await found(original)).toEqual(expectedOf([acme]))
  })

  test('is nobody’s after a deletion that names none, until somebody has it', async () => {
    expect(await outcomes(original, unrevised(deletion))).toBe('applied')
    expect(await found(original)).toEqual({ deleted: true })
    expect(await outcomes(original, unrevised(acme), change(other))).toBe('applied refused')
    expect(await found(original)).toMatchObject({ owner: 'acme', deleted: false })
  })

  test('is still that of an older change that comes after one without revision', async () => {
    await arrive(original, [other, acme])
    const oldest = { ...acme, revision: 1 }
    expect(await outcomes(original, unrevised(other), change(oldest))).toBe('applied skipped')
    expect(await found(original)).toEqual(expectedOf([other, acme, oldest]))
  })

  test('is remembered for good with a deployment, and for 90 days with an API key', async () => {
    await arrive(original, [other, deletion])
    const expiry = kind === 'apiKey' ? now / 1000 + 90 * 24 * 3600 : undefined
    expect((await item(original, id))?.tombstoneExpiresAt).toBe(expiry)
  })

  test('is told by an export, with the revision since when it is', async () => {
    const dataOf = async () => JSON.parse((await linesOf(original))[0] as string).data
    await arrive(original, [deletion])
    expect(await dataOf()).toEqual(change(deletion).data)
    await arrive(original, [acme])
    expect(await dataOf()).toEqual(change(acme).data)
    await arrive(original, [{ ...acme, revision: 7 }])
    expect(await dataOf()).toEqual({ ...change({ ...acme, revision: 7 }).data, accountSince: 5 })
    await arrive(original, [{ ...deletion, revision: 8 }])
    const told = { accountId: 'acme', accountSince: 5 }
    expect(await dataOf()).toEqual({ ...change(deletion).data, ...told })
    id += 1
    await apply(original, [unrevised(acme)])
    expect(await dataOf()).toEqual(change(acme).data)
  })

  test('is the same for two writers at once', async () => {
    const isPut = (command: object) => command instanceof PutCommand
    const late = interrupted(original, 1, isPut, () => arrive(original, [other]))
    expect(await outcomes(late, change(acme))).toBe('refused')
    id += 1
    const early = interrupted(original, 1, isPut, () => arrive(original, [acme]))
    expect(await outcomes(early, change(other))).toBe('applied')
    expect(await found(original)).toEqual(expectedOf([other, acme]))
  })

  test('is kept once, however often its changes without revision come', async () => {
    await apply(original, [unrevised(acme), unrevised(acme), unrevised(acme)])
    expect(otherAccounts((await item(original, id)) as Item)).toEqual([])
  })

  test('keeps at most 32 KB of what others claim, the earliest first', async () => {
    const claim = (account: number, revision: number, name = 'x'.repeat(4500)) => ({
      ...{ kind, op: 'put', revision },
      data: { ...identity(id), ...more, accountId: `account-${account}`, name },
    })
    await apply(original, [claim(0, 1, '')])
    for (let account = 20; account > 0; account -= 1)
      expect(await outcomes(original, claim(account, account + 1))).toBe('refused')
    const [line] = await linesOf(original)
    const kept = (await item(original, id)) as Item
    expect(JSON.stringify(kept).length).toBeLessThan(33 * 1024)
    const first = [1, 2, 3, 4, 5, 6, 7].map((account) => `account-${account}`)
    expect(otherAccounts(kept).toSorted()).toEqual(first)
    await apply(original, [claim(20, 21)])
    expect((await item(original, id))?.version).toBe(kept.version)
    await apply(original, [claim(3, 5, 'y'.repeat(40_000))])
    expect(otherAccounts((await item(original, id)) as Item)).toHaveLength(6)
    expect(await linesOf(original)).toEqual([line])
  })
})

/**
 * The plain model: the lowest revision says whose it is, and the owner's newest change, or
 * nobody's, says what it is.
 */
function expectedOf(said: readonly Said[]) {
  const inOrder = said.toSorted((a, b) => a.revision - b.revision)
  const owner = inOrder.find(({ account }) => account !== undefined)?.account
  const { op, revision } = inOrder.findLast(
    ({ account }) => account === undefined || account === owner,
  ) as Said
  return {
    owner,
    deleted: op === 'delete',
    revision,
    name: op === 'put' ? `revision ${revision}` : undefined,
  }
}

/** A history as it arrives: each change once or more often, in any order. */
function arrivals() {
  const change = fc.constantFrom<Omit<Said, 'revision'>>(
    { account: 'acme', op: 'put' },
    { account: 'other', op: 'put' },
    { account: 'acme', op: 'delete' },
    { account: 'other', op: 'delete' },
    { account: undefined, op: 'delete' },
  )
  const shuffled = (said: readonly Said[]) =>
    fc.shuffledSubarray([...said], { minLength: said.length })
  return fc.array(change, { minLength: 1, maxLength: 6 }).chain((all) => {
    const said = all.map((each, index): Said => ({ ...each, revision: index + 1 }))
    return fc.record({
      said: fc.constant(said),
      first: fc.subarray(said).chain((again) => shuffled([...said, ...again])),
      second: shuffled(said),
    })
  })
}
