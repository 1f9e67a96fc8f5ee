import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyKey, deploymentKey } from '@embed-access/core/access/keys.ts'
import { read } from '@embed-access/core/catalog/conditional-put.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { apply, exported, interrupted, now, outcomesOf, sentBy } from '../support/database.ts'
import { MemoryTables } from '../support/memory-tables.ts'

/** What a change says. A put names an account; a deletion may. */
type Said = { readonly account: 'acme' | 'other' | undefined; readonly op: 'put' | 'delete'; readonly revision: number }

const hashOf = (id: number) => id.toString(16).padStart(64, '0')

/** The two kinds of things that stay with one account: how to change them, and their items. */
const kinds = {
  deployment: {
    change: (id: number, { account, op, revision }: Said) => ({
      kind: 'deployment',
      op,
      revision,
      data: { id, ...(account && { accountId: account }), ...(op === 'put' && { name: `revision ${revision}` }) },
    }),
    item: (storage: Storage, id: number) => read(storage, 'catalog', deploymentKey(id)),
  },
  apiKey: {
    change: (id: number, { account, op, revision }: Said) => ({
      kind: 'apiKey',
      op,
      revision,
      data: {
        tokenHash: hashOf(id),
        ...(account && { accountId: account }),
        ...(op === 'put' && { userId: 1, name: `revision ${revision}` }),
      },
    }),
    item: (storage: Storage, id: number) => read(storage, 'credentials', apiKeyKey(hashOf(id))),
  },
}

const lowest = (said: readonly Said[]) => said.toSorted((a, b) => a.revision - b.revision).at(0)
const highest = (said: readonly Said[]) => said.toSorted((a, b) => a.revision - b.revision).at(-1)

/** The plain model: the lowest revision says whose it is, and the owner's newest change, or nobody's, says what it is. */
function expectedOf(said: readonly Said[]) {
  const owner = lowest(said.filter(({ account }) => account !== undefined))?.account
  const { op, revision } = highest(said.filter(({ account }) => account === undefined || account === owner)) as Said
  return { owner, deleted: op === 'delete', revision, name: op === 'put' ? `revision ${revision}` : undefined }
}

const history: fc.Arbitrary<readonly Said[]> = fc
  .array(
    fc.constantFrom<Omit<Said, 'revision'>>(
      { account: 'acme', op: 'put' },
      { account: 'other', op: 'put' },
      { account: 'acme', op: 'delete' },
      { account: 'other', op: 'delete' },
      { account: undefined, op: 'delete' },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => all.map((each, index) => ({ ...each, revision: index + 1 })))

/** A history as it arrives: each change once or more often, in any order. */
const arrivals = history.chain((said) =>
  fc.record({
    said: fc.constant(said),
    first: fc.tuple(shuffled(said), fc.subarray([...said])).chain(([all, again]) => shuffled([...all, ...again])),
    second: shuffled(said),
  }),
)

function shuffled(said: readonly Said[]): fc.Arbitrary<readonly Said[]> {
  return fc.shuffledSubarray([...said], { minLength: said.length })
}

// Its properties write several hundred lists of changes.
describe.each(Object.entries(kinds))('the account of a thing of the kind %s', (kind, { change, item }) => {
  let original: Storage
  let copy: Storage
  let id = 0
  beforeAll(async () => {
    ;[original, copy] = [new MemoryTables().storage, new MemoryTables().storage]
  })

  async function arrive(storage: Storage, said: readonly Said[]): Promise<void> {
    for (const each of said) await apply(storage, [change(id, each)])
  }

  async function found(storage: Storage) {
    const there = await item(storage, id)
    return {
      owner: there?.accountId,
      deleted: there?.deleted === true,
      revision: there?.revision,
      name: there?.name,
    }
  }

  const linesOf = async (storage: Storage) =>
    (await exported(storage)).filter((line) => {
      const { data } = JSON.parse(line)
      return data.id === id || data.tokenHash === hashOf(id)
    })

  async function copied(): Promise<void> {
    const lines = await linesOf(original)
    expect(
      await outcomesOf(
        copy,
        lines.map((line) => JSON.parse(line)),
      ),
    ).toEqual(['applied'])
    expect(await linesOf(copy)).toEqual(lines)
  }

  test('is that of the lowest revision, in whatever order the changes come', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ said, first }) => {
        id += 1
        await arrive(original, first)
        expect(await found(original)).toEqual(expectedOf(said))
        const { owner } = expectedOf(said)
        for (const each of said) {
          const isOthers = each.account !== undefined && each.account !== owner
          expect(await outcomesOf(original, [change(id, each)])).toEqual([isOthers ? 'refused' : 'skipped'])
        }
      }),
      { numRuns: 100 },
    )
  })

  test('is the same in a copy of the first changes, when the rest comes, and when all come again', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.nat({ max: 6 }), async ({ said, first, second }, cut) => {
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

  const acme = { account: 'acme', op: 'put', revision: 5 } as const
  const other = { account: 'other', op: 'put', revision: 3 } as const
  const deletion = { account: undefined, op: 'delete', revision: 4 } as const
  const unrevised = (said: Said) => ({ ...change(id, said), revision: undefined })

  test('is written into a deletion that did not name it, by an older put', async () => {
    id += 1
    expect(await outcomesOf(original, [change(id, deletion), change(id, other)])).toEqual(['applied', 'skipped'])
    expect(await found(original)).toMatchObject({ owner: 'other', deleted: true, revision: 4 })
    expect(JSON.parse((await linesOf(original))[0] as string)).toMatchObject({
      op: 'delete',
      data: { accountId: 'other' },
    })
    await copied()
    expect(await outcomesOf(copy, [change(id, acme)])).toEqual(['refused'])
  })

  test('refuses the changes of another one, and is told as the reason', async () => {
    id += 1
    await arrive(original, [other])
    const [put, end] = await apply(original, [change(id, acme), change(id, { ...acme, op: 'delete', revision: 6 })])
    const reason = expect.stringMatching(/^this (id|key) belongs to another account, and \1s are never reused$/)
    expect(put).toEqual({ outcome: 'refused', problems: [{ pointer: '/data/accountId', reason }] })
    expect(end).toEqual(put)
    expect(await found(original)).toEqual(expectedOf([other]))
  })

  test('is the first to arrive where a change has no revision, in a copy too', async () => {
    id += 1
    expect(await outcomesOf(original, [unrevised(acme), change(id, acme)])).toEqual(['applied', 'applied'])
    await copied()
    for (const storage of [original, copy]) {
      expect(await outcomesOf(storage, [change(id, other), unrevised(other)])).toEqual(['refused', 'refused'])
      expect(await found(storage)).toEqual(expectedOf([acme]))
    }
    expect(await outcomesOf(original, [unrevised(deletion), unrevised(other)])).toEqual(['applied', 'refused'])
    expect(await found(original)).toMatchObject({ owner: 'acme', deleted: true, revision: 5 })
    expect(await outcomesOf(original, [change(id, acme), unrevised(acme)])).toEqual(['skipped', 'applied'])
    expect(await found(original)).toEqual(expectedOf([acme]))
  })

  test('is nobody’s after a deletion that names none, until somebody has it', async () => {
    id += 1
    expect(await outcomesOf(original, [unrevised(deletion)])).toEqual(['applied'])
    expect(await found(original)).toEqual({ owner: undefined, deleted: true, revision: undefined, name: undefined })
    expect(await outcomesOf(original, [unrevised(acme), change(id, other)])).toEqual(['applied', 'refused'])
    expect(await found(original)).toMatchObject({ owner: 'acme', deleted: false })
  })

  test('is still that of an older change that comes after one without revision', async () => {
    id += 1
    await arrive(original, [other, acme])
    expect(await outcomesOf(original, [unrevised(other)])).toEqual(['applied'])
    const oldest = { ...acme, revision: 1 }
    expect(await outcomesOf(original, [change(id, oldest)])).toEqual(['skipped'])
    expect(await found(original)).toEqual(expectedOf([other, acme, oldest]))
  })

  test('is remembered for good with a deployment, and for 90 days with an API key', async () => {
    id += 1
    await arrive(original, [other, deletion])
    const expiry = kind === 'apiKey' ? now / 1000 + 90 * 24 * 3600 : undefined
    expect((await item(original, id))?.tombstoneExpiresAt).toBe(expiry)
  })

  test('is told by an export, with the revision since when it is', async () => {
    const dataOf = async () => JSON.parse((await linesOf(original))[0] as string).data
    id += 1
    await arrive(original, [deletion])
    expect(await dataOf()).toEqual(change(id, deletion).data)
    await arrive(original, [acme])
    expect(await dataOf()).toEqual(change(id, acme).data)
    await arrive(original, [{ ...acme, revision: 7 }])
    expect(await dataOf()).toEqual({ ...change(id, { ...acme, revision: 7 }).data, accountSince: 5 })
    await arrive(original, [{ ...deletion, revision: 8 }])
    expect(await dataOf()).toEqual({ ...change(id, deletion).data, accountId: 'acme', accountSince: 5 })
    id += 1
    await apply(original, [unrevised(acme)])
    expect(await dataOf()).toEqual(change(id, acme).data)
    await arrive(original, [{ ...acme, revision: 7 }])
    const { data } = change(id, { ...other, revision: 9 })
    const since = JSON.parse((await linesOf(original))[0] as string).data.accountSince
    const asOld = { ...change(id, other), revision: 9, data: { ...data, accountSince: since } }
    expect(await outcomesOf(original, [asOld])).toEqual(['refused'])
  })

  test('is the same for two writers at once', async () => {
    id += 1
    const isPut = (command: object) => command instanceof PutCommand
    const late = interrupted(original, 1, isPut, () => arrive(original, [other]))
    expect(await outcomesOf(late, [change(id, acme)])).toEqual(['refused'])
    id += 1
    const early = interrupted(original, 1, isPut, () => arrive(original, [acme]))
    expect(await outcomesOf(early, [change(id, other)])).toEqual(['applied'])
    expect(await found(original)).toEqual(expectedOf([other, acme]))
  })

  test('costs one read and one write a change, and no write if it comes again', async () => {
    id += 1
    const sent: string[] = []
    const counted = sentBy(original, (command, on) => {
      if ('Key' in (command as { input: object }).input || command instanceof PutCommand)
        sent.push(command.constructor.name)
      return on(command)
    })
    const counts: string[][] = []
    for (const said of [other, acme, deletion, other, acme, deletion]) {
      await apply(counted, [change(id, said)])
      counts.push(sent.splice(0))
    }
    const [written, again] = [['GetCommand', 'PutCommand'], ['GetCommand']]
    expect(counts).toEqual([written, written, written, again, again, again])
    for (const first of [[deletion], [acme, deletion]]) {
      id += 1
      await arrive(original, first)
      await apply(counted, [change(id, { ...deletion, revision: 1 })])
      expect(sent.splice(0)).toEqual(again)
    }
    id += 1
    await arrive(original, [deletion])
    expect(await item(original, id)).not.toHaveProperty('others')
  })
})
