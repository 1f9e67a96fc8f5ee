import { referenceCheck } from '@embed-access/core/catalog/references.ts'
import { describe, expect, test } from 'vitest'
import { allEmbedUsers, folder, put, share, without, workbook } from '../support/catalog.ts'
import { samples } from './samples.ts'

/** What changes refer to and do not have. Each change is on a line of its own. */
function missing(changes: readonly unknown[]) {
  const check = referenceCheck()
  for (const [index, change] of changes.entries()) check.take(change, index + 1)
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
  ] as const)('of one %s refers to what that kind names', (kind, expected) => {
    expect(whats([put(kind, samples[kind][0] as object)])).toEqual(expected)
  })

  test('refers to the resource of a share, and to the notification of a recipient', () => {
    expect(whats([share(1, 'workbook', 5, allEmbedUsers)])).toEqual([
      absent('/data/resource refers to workbook {"deploymentId":1,"id":5}'),
    ])
    expect(whats([share(1, 'folder', 5, allEmbedUsers)])).toEqual([
      absent('/data/resource refers to folder {"deploymentId":1,"id":5}'),
    ])
    const recipient = { deploymentId: 1, notificationId: 4, recipient: { type: 'user', userId: 1 } }
    expect(whats([put('recipient', recipient)])).toEqual([
      absent('/data/notificationId refers to notification {"deploymentId":1,"id":4}'),
    ])
  })

  const here = put('deployment', { accountId: 'acme', id: 1, name: 'One' })
  const acme = put('account', { id: 'acme', name: 'Acme' })

  test('lacks nothing that one of its changes has, before or after', () => {
    const all = [
      workbook(1, 5, { folderId: 1 }),
      folder(1, 1, null),
      here,
      acme,
      workbook(1, 6, { folderId: null }),
      workbook(1, 7),
    ]
    expect(missing(all)).toEqual([])
  })

  test('is told how often each thing is missing, and on which line first', () => {
    expect(missing([acme, folder(1, 2, 1), folder(1, 3, 1), { kind: 'folder', data: 'not valid' }])).toEqual([
      { count: 2, first: { number: 2, what: deployment } },
      { count: 2, first: { number: 2, what: absent('/data/parentId refers to folder {"deploymentId":1,"id":1}') } },
    ])
  })

  test('lacks what it deletes last, by revision or else by line', () => {
    const refers = folder(1, 2, 1)
    const parent = folder(1, 1, null)
    const lacks = (...changes: object[]) => whats([acme, here, refers, ...changes]).length === 1
    expect(lacks(parent, without(parent))).toBe(true)
    expect(lacks(without(parent), parent)).toBe(false)
    expect(lacks({ ...without(parent), revision: 2 }, { ...parent, revision: 1 })).toBe(true)
    expect(lacks({ ...parent, revision: 2 }, { ...without(parent), revision: 1 })).toBe(false)
    expect(lacks({ ...without(parent), revision: 1 }, { ...parent, revision: 1 })).toBe(false)
    expect(lacks({ ...parent, revision: 1 }, without(parent))).toBe(true)
    expect(lacks(without(parent), { ...parent, revision: 1 })).toBe(true)
  })

  test('refers to nothing by what it deletes', () => {
    expect(missing([without(folder(1, 2, 1)), without(workbook(1, 5, { folderId: 3 }))])).toEqual([])
  })
})
