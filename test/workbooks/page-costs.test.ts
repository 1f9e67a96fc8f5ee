import { folderKey, shareSortKey } from '@embed-access/core/workbooks/keys.ts'
import { describe, expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../changes.ts'
import type { Source } from './model.ts'
import { PlanDatabase } from './plan-database.ts'
import { readPages, sharedDirectly } from './plan-pages.ts'
import { range } from './range.ts'

const north = embedTenant('north')

/** Shared with the tenant, with all embed users, or with both. */
const bothWays = () =>
  new PlanDatabase().apply(
    range(100).flatMap((id) => [
      workbook(1, id),
      ...(id % 3 === 0 ? [] : [share(1, 'workbook', id, north)]),
      ...(id % 3 === 1 ? [] : [share(1, 'workbook', id, allEmbedUsers)]),
    ]),
  )

/** 100 in a shared folder and one below it, which all embed users see directly, and 20 that are shared directly. */
const inAndBeside = () =>
  new PlanDatabase().apply([
    folder(1, 1, null),
    folder(1, 2, 1),
    share(1, 'folder', 1, north),
    ...range(100).flatMap((id) => [
      workbook(1, id, { folderId: id % 2 ? 1 : 2 }),
      share(1, 'workbook', id, allEmbedUsers),
    ]),
    ...range(20, 200).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, north)]),
  ])

/** Two shared folders of 150 each. */
const twoFolders = () =>
  new PlanDatabase().apply([
    ...[1, 2].flatMap((id) => [folder(1, id, null), share(1, 'folder', id, north)]),
    ...range(300).map((id) => workbook(1, id, { folderId: id % 2 ? 1 : 2 })),
  ])

/** Ten folders of 3, each of them shared, and the first 20 workbooks shared directly too. */
const tenFolders = () =>
  new PlanDatabase().apply([
    ...range(10).flatMap((id) => [folder(1, id, null), share(1, 'folder', id, north)]),
    ...range(30).map((id) => workbook(1, id, { folderId: 1 + (id % 10) })),
    ...range(40).flatMap((id) => [share(1, 'workbook', id, allEmbedUsers)]),
    ...range(10, 31).map((id) => workbook(1, id)),
  ])

/** A folder of 21 of which 5 are gone, and 10 that are shared directly. */
const fiveGone = () =>
  new PlanDatabase()
    .apply([
      folder(1, 1, null),
      share(1, 'folder', 1, north),
      ...range(21).map((id) => workbook(1, id, { folderId: 1 })),
      ...range(10, 30).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, allEmbedUsers)]),
    ])
    .forgetWorkbooks(range(5, 3))

/** 600 shared folders of which every hundredth has a workbook, each between two others of 100. */
function mostlyEmpty() {
  const database = new PlanDatabase()
  for (const id of range(600)) {
    database.apply([folder(1, 2 * id, null), share(1, 'folder', 2 * id, north)])
    if (id % 100 === 0) database.apply([workbook(1, 10_000 + id, { folderId: 2 * id })])
    database.addToFolder(1, 2 * id + 1, range(100, 20_000))
  }
  return database
}

/** 200 shared folders of one workbook between unshared ones, each 9 levels deep, where each level is shared in two ways. */
function deep() {
  const database = new PlanDatabase()
  for (const id of range(200)) {
    const above = range(8, 10_000 + 10 * id)
    database.apply([
      ...above.map((level, index) => folder(1, level, above[index - 1] ?? null)),
      folder(1, 2 * id, above.at(-1) as number),
      workbook(1, id, { folderId: 2 * id }),
      ...[...above, 2 * id].flatMap((level) => [
        share(1, 'folder', level, north),
        share(1, 'folder', level, allEmbedUsers),
      ]),
    ])
    database.addToFolder(1, 2 * id + 1, range(100, 20_000))
  }
  return database
}

type Case = {
  readonly of: string
  readonly database: () => PlanDatabase
  readonly source: Source
  readonly first: number
  /** For each page: workbooks, calls, round trips and entries of indexes. */
  readonly pages: readonly string[]
}

const cases: readonly Case[] = [
  {
    of: '50 shared directly',
    database: () => sharedDirectly(50),
    source: 'tenant',
    first: 20,
    pages: ['20 5 3 40', '20 5 3 30', '10 5 3 10'],
  },
  {
    of: '50 shared directly',
    database: () => sharedDirectly(50),
    source: 'tenant',
    first: 39,
    pages: ['39 5 3 50', '11 5 3 11'],
  },
  { of: '50 shared directly', database: () => sharedDirectly(50), source: 'tenant', first: 50, pages: ['50 5 3 50'] },
  {
    of: '50 shared directly',
    database: () => sharedDirectly(50),
    source: undefined,
    first: 20,
    pages: ['20 6 3 50', '20 8 3 30', '10 8 3 10'],
  },
  { of: '50 shared directly', database: () => sharedDirectly(50), source: 'folder', first: 20, pages: ['0 4 1 0'] },
  {
    of: '120 shared with all',
    database: () => sharedDirectly(120, allEmbedUsers),
    source: undefined,
    first: 110,
    pages: ['110 10 5 120', '10 8 3 10'],
  },
  {
    of: '100 shared in two ways',
    database: bothWays,
    source: undefined,
    first: 45,
    pages: ['45 6 3 133', '45 8 3 73', '10 8 3 13'],
  },
  {
    of: '100 shared in two ways',
    database: bothWays,
    source: 'allEmbedUsers',
    first: 45,
    pages: ['45 5 3 66', '21 5 3 21'],
  },
  {
    of: '100 in folders and 20 beside',
    database: inAndBeside,
    source: 'folder',
    first: 50,
    pages: ['50 8 4 102', '50 8 4 52'],
  },
  {
    of: '100 in folders and 20 beside',
    database: inAndBeside,
    source: 'tenant',
    first: 19,
    pages: ['19 5 3 21', '1 5 3 2'],
  },
  {
    of: '100 in folders and 20 beside',
    database: inAndBeside,
    source: undefined,
    first: 50,
    pages: ['50 8 4 222', '50 14 8 172', '20 13 5 121'],
  },
  {
    of: '100 in folders and 20 beside',
    database: inAndBeside,
    source: undefined,
    first: 99,
    pages: ['99 8 4 222', '21 12 6 123'],
  },
  {
    of: '100 in folders and 20 beside',
    database: inAndBeside,
    source: undefined,
    first: 100,
    pages: ['100 14 8 222', '20 13 5 121'],
  },
  {
    of: '100 in folders and 20 beside',
    database: inAndBeside,
    source: undefined,
    first: 120,
    pages: ['100 14 8 222', '20 13 5 121'],
  },
  {
    of: 'ten shared folders of 3, also shared directly',
    database: tenFolders,
    source: 'folder',
    first: 12,
    pages: ['12 7 4 40', '12 7 4 28', '6 7 4 16'],
  },
  {
    of: 'ten shared folders of 3, also shared directly',
    database: tenFolders,
    source: undefined,
    first: 12,
    pages: ['12 7 4 80', '12 7 4 68', '12 10 6 56', '4 8 3 14'],
  },
  {
    of: 'ten shared folders of 3, also shared directly',
    database: tenFolders,
    source: undefined,
    first: 30,
    pages: ['30 10 6 80', '10 16 8 89'],
  },
  {
    of: '100 of which 40 are gone',
    database: () => sharedDirectly(100).forgetWorkbooks(range(40)),
    source: 'tenant',
    first: 20,
    pages: ['20 10 8 100', '20 5 3 40', '20 5 3 20'],
  },
  {
    of: '100 of which 40 are gone',
    database: () => sharedDirectly(100).forgetWorkbooks(range(40, 11)),
    source: undefined,
    first: 20,
    pages: ['20 9 6 100', '20 8 3 40', '20 8 3 20'],
  },
  {
    of: '100 of which 41 are gone',
    database: () => sharedDirectly(100).forgetWorkbooks(range(41, 30)),
    source: 'tenant',
    first: 30,
    pages: ['30 10 8 100', '29 5 3 29'],
  },
  {
    of: '500 of which the first 495 are gone',
    database: () => sharedDirectly(500).forgetWorkbooks(range(495)),
    source: 'tenant',
    first: 20,
    pages: ['0 9 7 120', '0 9 7 120', '0 9 7 120', '0 9 7 120', '5 10 8 100'],
  },
  {
    of: '500 of which the first 495 are gone',
    database: () => sharedDirectly(500).forgetWorkbooks(range(495)),
    source: undefined,
    first: 100,
    pages: ['0 10 7 500', '5 11 6 200'],
  },
  {
    of: '500 of which the last 495 are gone',
    database: () => sharedDirectly(500).forgetWorkbooks(range(495, 6)),
    source: 'tenant',
    first: 5,
    pages: ['5 9 7 121', '0 9 7 120', '0 9 7 120', '0 9 7 120', '0 9 7 120', '0 8 6 74'],
  },
  {
    of: 'two shared folders of 150',
    database: twoFolders,
    source: 'folder',
    first: 100,
    pages: ['100 8 4 204', '100 8 4 153', '100 7 4 102'],
  },
  {
    of: 'two shared folders of 150 of which one is gone',
    database: () => twoFolders().forget(folderKey(1, 1)),
    source: 'folder',
    first: 100,
    pages: ['100 11 7 305', '50 7 4 52'],
  },
  {
    of: 'two shared folders of 150 of which one is shared no more',
    database: () => twoFolders().forget({ ...folderKey(1, 1), sk: shareSortKey(north) }),
    source: undefined,
    first: 100,
    pages: ['100 11 7 305', '50 7 4 52'],
  },
  {
    of: 'two shared folders of 150 of which one is empty',
    database: () => twoFolders().forgetWorkbooks(range(150).map((id) => 2 * id)),
    source: 'folder',
    first: 100,
    pages: ['100 8 4 204', '50 11 7 203', '0 11 6 132'],
  },
  {
    of: 'a folder of 21 of which 5 are gone, and 10 beside',
    database: fiveGone,
    source: undefined,
    first: 20,
    pages: ['20 9 6 32', '6 8 3 7'],
  },
  {
    of: '600 shared folders, mostly empty',
    database: mostlyEmpty,
    source: 'folder',
    first: 10,
    pages: [
      '0 77 7 3520',
      '1 79 9 3520',
      '1 79 9 3520',
      '0 77 7 3520',
      '1 79 9 3520',
      '1 79 9 3520',
      '1 79 9 3520',
      '0 77 7 3520',
      '1 23 7 1041',
    ],
  },
  {
    of: '600 shared folders, mostly empty',
    database: mostlyEmpty,
    source: undefined,
    first: 2,
    pages: [
      '0 62 7 2880',
      '1 64 9 2880',
      '0 62 7 2880',
      '1 64 9 2880',
      '0 62 7 2880',
      '1 64 9 2880',
      '0 62 7 2880',
      '1 64 9 2880',
      '1 64 9 2880',
      '0 62 7 2880',
      '1 38 9 1601',
    ],
  },
  {
    of: '200 deep folders',
    database: deep,
    source: 'folder',
    first: 100,
    pages: ['37 91 9 8282', '36 91 9 8282', '36 91 9 8282', '36 91 9 8282', '55 81 8 7562'],
  },
]

describe('pages of workbooks cost', () => {
  test.each(cases)('$of, source $source, $first at a time: $pages', async ({ database, source, first, pages }) => {
    const read = await readPages(database(), source, first)
    const costs = read.pages.map((page) => `${page.returned} ${page.calls} ${page.roundTrips} ${page.entries}`)
    expect(costs).toEqual(pages)
  })
})
