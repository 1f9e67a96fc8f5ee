import type { Parsed } from '@embed-access/core/catalog/kind.ts'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { describe, expect, test } from 'vitest'
import { referenceCheck } from '../../cli/catalog/referring.ts'
import {
  acmeAccount,
  acmeDeployment,
  allEmbedUsers,
  folder,
  put,
  revised,
  share,
  without,
  workbook,
} from '../support/catalog.ts'
import { samples } from './samples.ts'

/** What changes refer to and do not have. Each change is on a line of its own. */
function missing(changes: readonly unknown[]) {
  const check = referenceCheck()
  for (const [index, change] of changes.entries()) {
    const parsed = parse(change)
    if (!('problems' in parsed)) check.take(parsed, index + 1)
  }
  return check.missing()
}

const whats = (changes: readonly unknown[]) => missing(changes).map(({ first }) => first.what)
const absent = (text: string) => `${text}, which is not in the file`

describe('a file of changes', () => {
  const account = absent('/data/accountId refers to account {"id":"acme"}')
  const deployment = absent('/data/deploymentId refers to deployment {"id":1}')

  test.each([
    ['account', []],
    ['user', [account]],
    ['apiKey', [absent('/data/userId refers to user {"accountId":"acme","id":1}')]],
    ['deployment', [account]],
    ['embedTenant', [account]],
    ['group', [account]],
    ['tenantGroup', [account]],
    ['attributeDefinition', [account]],
    ['folder', [deployment, absent('/data/parentId refers to folder {"deploymentId":1,"id":6}')]],
    ['workbook', [deployment, absent('/data/folderId refers to folder {"deploymentId":1,"id":7}')]],
    ['dbtSync', [deployment]],
    ['notification', [deployment]],
    ['share', [absent('/data/resource refers to workbook {"deploymentId":1,"id":5}')]],
    [
      'recipient',
      [absent('/data/notificationId refers to notification {"deploymentId":1,"id":500}')],
    ],
  ] as const)('of one %s refers to what that kind names', (kind, expected) => {
    expect(whats([put(kind, samples[kind][0] as object)])).toEqual(expected)
  })

  const here = acmeDeployment(1)
  const acme = acmeAccount()

  test('lacks nothing that one of its changes has, before or after', () => {
    const workbooks = [
      workbook(1, 6, { folderId: null }),
      workbook(1, 7),
      share(1, 'folder', 1, allEmbedUsers),
    ]
    expect(
      missing([workbook(1, 5, { folderId: 1 }), folder(1, 1, null), here, acme, ...workbooks]),
    ).toEqual([])
  })

  test('is told how often each thing is missing, and on which line first', () => {
    expect(
      missing([acme, folder(1, 2, 1), folder(1, 3, 1), { kind: 'folder', data: 'not valid' }]),
    ).toEqual([
      { count: 2, first: { number: 2, what: deployment } },
      {
        count: 2,
        first: {
          number: 2,
          what: absent('/data/parentId refers to folder {"deploymentId":1,"id":1}'),
        },
      },
    ])
  })

  const parent = folder(1, 1, null)
  test.each<[string, readonly object[], boolean]>([
    ['deletes it after a put', [parent, without(parent)], true],
    ['deletes it before a put', [without(parent), parent], false],
    ['deletes it with a higher revision', [revised(2, without(parent)), revised(1, parent)], true],
    ['deletes it with a lower revision', [revised(2, parent), revised(1, without(parent))], false],
    [
      'deletes it with the same revision, before',
      [revised(1, without(parent)), revised(1, parent)],
      true,
    ],
    ['deletes it without a revision, after', [revised(1, parent), without(parent)], true],
    ['deletes it without a revision, before', [without(parent), revised(1, parent)], false],
    ['deletes it with a revision, after', [parent, revised(1, without(parent))], true],
    [
      'deletes it with an older revision, after one without',
      [revised(2, parent), parent, revised(1, without(parent))],
      false,
    ],
  ])('lacks a thing, or not, if it %s', (_, changes, lacks) => {
    expect(whats([acme, here, folder(1, 2, 1), ...changes])).toHaveLength(lacks ? 1 : 0)
  })

  test('is told of two contents of one revision, whatever other revisions it has', () => {
    const check = referenceCheck()
    const named = (revision: number, name: string) => revised(revision, folder(1, 1, null, name))
    const told = [named(5, 'a'), named(6, 'b'), named(5, 'a'), named(5, 'c'), named(6, 'd')].map(
      (change, index) => check.take(parse(change) as Parsed, index + 1),
    )
    const unrevised = ['e', 'f'].map((name) => parse(folder(1, 1, null, name)) as Parsed)
    expect(unrevised.map((change) => check.take(change, 6))).toEqual([undefined, undefined])
    const sameAs = (line: number) => `same thing and revision as line ${line}, other content`
    expect(told).toEqual([undefined, undefined, undefined, sameAs(3), sameAs(2)])
  })

  test('is told if a deployment names two accounts', () => {
    const check = referenceCheck()
    const named = { kind: 'deployment', data: { accountId: 'acme', id: 1, name: 'Here' } }
    const ofGlobex = { ...named, data: { ...named.data, accountId: 'globex' } }
    const unnamed = { kind: 'deployment', op: 'delete', data: { id: 1 } }
    const changes = [unnamed, revised(5, named), revised(3, ofGlobex), ofGlobex, unnamed, named]
    const told = changes.map((change, index) => check.take(parse(change) as Parsed, index + 1))
    const other = 'same thing as line 2, other account'
    expect(told).toEqual([undefined, undefined, other, other, undefined, undefined])
  })

  test('refers to nothing by what it deletes', () => {
    expect(missing([without(folder(1, 2, 1)), without(workbook(1, 5, { folderId: 3 }))])).toEqual(
      [],
    )
  })
})
