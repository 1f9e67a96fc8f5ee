import type { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { Budget } from '@embed-access/core/workbooks/budget.ts'
import { folderHits } from '@embed-access/core/workbooks/folder-hits.ts'
import { describe, expect, test } from 'vitest'
import { sentBy } from '../catalog/failing.ts'
import { PlanDatabase } from './plan-database.ts'
import { range } from './range.ts'

const firstOf = (count: number) => range(count, 0)

/** The database has folders 0 to n, of which each has workbooks 1 to its size. */
async function search(
  sizes: readonly number[],
  wantedFolders: readonly number[],
  wanted: number,
  { after = '', budget = new Budget(1000, 1000) } = {},
) {
  const database = new PlanDatabase()
  for (const [folderId, size] of sizes.entries()) database.addToFolder(1, folderId, range(size, 1))
  const queries: string[][] = []
  const storage = sentBy(database.storage, (command, on) => {
    const answer = on(command)
    const { Limit, ExpressionAttributeValues: { ':from': from, ':to': to } = {} } = (command as QueryCommand).input
    const round = queries[database.roundTrips - 1] ?? []
    queries[database.roundTrips - 1] = round
    round.push(`${(from as string).trim()} … ${to} ≤ ${Limit}`)
    return answer
  })
  const { result } = await database.measure(() => folderHits(storage, 1, wantedFolders, after, wanted, budget))
  return { ...result, queries, rounds: queries.map(({ length }) => length), budget }
}

const row = (count: number, sizeOf: (index: number) => number) => firstOf(count).map(sizeOf)
const odd = (count: number) => firstOf(count).filter((index) => index % 2 === 1)

describe('the workbooks in wanted folders', () => {
  test('are found up to the number that is wanted, and the search ends there unless nothing is left', async () => {
    const all = await search([0, 5], [1], 6)
    expect([all.hits.map(({ id }) => id), all.end]).toEqual([[1, 2, 3, 4, 5], undefined])
    expect(await search([0, 5], [1], 5)).toMatchObject({ hits: { length: 5 }, end: undefined })
    expect(await search([0, 5], [1], 4)).toMatchObject({ hits: { length: 4 }, end: 'fa1a4' })
    expect(await search([0, 100], [1], 40)).toMatchObject({ hits: { length: 40 }, end: 'fa1b40' })
    expect(await search([0, 5], [], 4)).toMatchObject({ hits: [], end: undefined, queries: [] })
  })

  test('of two folders are read from each at once, and of nothing between them', async () => {
    const { hits, queries, budget } = await search([0, 50, 9, 50], [1, 3], 60)
    expect(hits.map(({ folderId }) => folderId)).toEqual([...firstOf(50).fill(1), ...firstOf(10).fill(3)])
    expect(queries).toEqual([['a1 … a1~ ≤ 60', 'a3 … a3~ ≤ 60']])
    expect([budget.calls, budget.roundTrips]).toEqual([998, 999])
  })

  test('of a few are read 40 at a time at least, since 40 cost what none cost', async () => {
    expect((await search([0, 50, 9, 50], [1, 3], 5)).queries).toEqual([['a1 … a1~ ≤ 40', 'a3 … a3~ ≤ 40']])
    const more = await search([0, 50, 9, 50], [1, 3], 70)
    expect(more.queries).toEqual([['a1 … a1~ ≤ 70', 'a3 … a3~ ≤ 70']])
  })

  test('of many folders side by side are one range', async () => {
    const folders = row(100, () => 1)
    expect((await search(folders, firstOf(100), 20)).queries).toEqual([['a0 … b99~ ≤ 40']])
    expect((await search(folders, firstOf(100), 60)).queries).toEqual([['a0 … b99~ ≤ 120']])
    const next = await search(folders, firstOf(100), 20, { after: 'fb20a1' })
    expect([next.queries, next.hits[0]?.position]).toEqual([[['b20a1 … b99~ ≤ 40']], 'fb21a1'])
  })

  test('are read on in a longer range where the first one came to many of the folders', async () => {
    // Of 202 entries 68 are hits. For the 33 that are missing 98 are to expect, and a fifth more are read.
    const some = row(400, (index) => (index % 2 ? 1 : 2))
    expect((await search(some, odd(400), 101)).queries).toEqual([['a1 … c399~ ≤ 202'], ['c135a1 … c399~ ≤ 118']])
  })

  test('are never read on by more than 640 entries', async () => {
    const some = row(400, (index) => (index % 2 ? 1 : 20))
    const { queries } = await search(some, odd(400), 150)
    expect(queries[1]).toEqual(['b31 … c399~ ≤ 640'])
  })

  test.each([
    ['one of the folders for 80 entries', 70, ['a3a9 … c399~ ≤ 288']],
    ['none of the folders in 80 entries', 80, 8],
  ] as const)('are read on in one range after %s', async (_, between, due) => {
    const some = row(400, (index) => (index % 2 ? 1 : 100))
      .with(2, between)
      .with(3, 100)
    const { queries } = await search(some, odd(400), 40)
    expect(typeof due === 'number' ? queries[1]?.length : queries[1]).toEqual(due)
  })

  test('are looked for side by side where strangers fill the space between the folders', async () => {
    const sparse = row(100, (index) => (index % 2 ? 1 : 100))
    const { hits, end, queries, rounds, budget } = await search(sparse, odd(100), 20)
    expect([hits.length, end]).toEqual([20, 'fb39a1'])
    expect(rounds).toEqual([1, 8, 16])
    expect(queries[1]?.slice(0, 2)).toEqual(['a3 … b99~ ≤ 40', 'a5 … b99~ ≤ 40'])
    expect([budget.calls, budget.roundTrips]).toEqual([975, 997])
  })

  test('are looked for on where a look, unlike a range, came to many of the folders', async () => {
    const sparse = row(100, (index) => (index % 2 ? 1 : 10)).with(2, 1000)
    expect((await search(sparse, odd(100), 60)).rounds.slice(0, 3)).toEqual([1, 8, 16])
  })

  test('end with the last one that is wanted, though the next folder was not read', async () => {
    const sparse = row(100, (index) => (index % 2 ? 1 : 100))
    expect(await search(sparse, odd(100), 9)).toMatchObject({ hits: { length: 9 }, end: 'fb17a1', rounds: [1, 8] })
  })

  test('are looked for in six rounds, and the search ends before the first folder that was not read', async () => {
    const sparse = row(400, (index) => (index % 2 ? 1 : 100))
    const { hits, end, rounds } = await search(sparse, odd(400), 500)
    expect(rounds).toEqual([1, 8, 16, 16, 16, 16])
    expect([hits.length, hits.at(-1)?.position, end]).toEqual([82, 'fc163a1', 'fc165'])
  })

  test('are read each by itself once few folders are left', async () => {
    const sparse = row(8, (index) => (index % 2 ? 1 : 100))
    const { hits, end, queries } = await search(sparse, odd(8), 20)
    expect([hits.length, end]).toEqual([4, undefined])
    expect(queries).toEqual([['a1 … a7~ ≤ 40'], ['a3 … a3~ ≤ 40', 'a5 … a5~ ≤ 40', 'a7 … a7~ ≤ 40']])
  })

  test('are looked for no further than the budget allows', async () => {
    const sparse = row(400, (index) => (index % 2 ? 1 : 100))
    const { hits, end, rounds } = await search(sparse, odd(400), 50, { budget: new Budget(36, 9) })
    expect(rounds).toEqual([1, 8])
    expect([hits.length, hits.at(-1)?.position, end]).toEqual([9, 'fb17a1', 'fb19'])
    expect(await search([9], [0], 5, { budget: new Budget(20, 9) })).toMatchObject({
      hits: [],
      end: 'fa0',
      queries: [],
    })
  })
})
