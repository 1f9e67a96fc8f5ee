import { checkDeployment } from '@embed-access/core/catalog/check.ts'
import { explainInCatalog, sentencesOf } from '@embed-access/core/catalog/explain.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, folder, people, put, share, without, workbook, world } from '../support/service.ts'
import { arbitraryModel } from '../workbooks/arbitrary-model.ts'
import { changesOf, foldersAbove, visibleWorkbooks } from '../workbooks/model.ts'

const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])
let at = 100

/** A deployment of its own with these changes. */
async function load(changes: (at: number) => readonly object[]): Promise<number> {
  at += 1
  await service.apply([put('deployment', { accountId: 'acme', id: at, name: 'Checked' }), ...changes(at)])
  return at
}

describe('a check of a deployment', () => {
  test('says nothing of one where all is right', async () => {
    const id = await load((at) => [
      folder(at, 1, null),
      folder(at, 2, 1),
      workbook(at, 5, { folderId: 2 }),
      workbook(at, 6),
      share(at, 'workbook', 5, embedTenant('checked')),
      share(at, 'folder', 1, allEmbedUsers),
      put('notification', { deploymentId: at, id: 14, createdAt: '2026-01-01' }),
      put('recipient', { deploymentId: at, notificationId: 14, recipient: { type: 'user', userId: 1 } }),
      put('recipient', {
        deploymentId: at,
        notificationId: 14,
        recipient: { type: 'embedUser', embedTenantName: 'checked', externalId: 'u' },
      }),
    ])
    expect(await checkDeployment(service.storage, id)).toEqual([])
  })

  test('says what refers to nothing, lies too deep or within itself', async () => {
    const gone = put('embedTenant', { accountId: 'acme', name: 'gone' })
    const id = await load((at) => [
      folder(at, 1, 99),
      folder(at, 2, 3),
      folder(at, 3, 2),
      folder(at, 4, 3),
      folder(at, 6, 4),
      folder(at, 7, 7),
      ...Array.from({ length: 33 }, (_, index) => folder(at, 10 + index, index === 0 ? null : 9 + index)),
      workbook(at, 5, { folderId: 98 }),
      share(at, 'workbook', 77, allEmbedUsers),
      share(at, 'folder', 99, embedTenant('checked')),
      share(at, 'workbook', 5, embedTenant('gone')),
      put('recipient', { deploymentId: at, notificationId: 14, recipient: { type: 'user', userId: 1 } }),
      put('recipient', { deploymentId: at, notificationId: 14, recipient: { type: 'user', userId: 55 } }),
    ])
    await service.apply([without(gone)])
    expect((await checkDeployment(service.storage, id)).toSorted()).toEqual(
      [
        'Folder 1 refers to parent folder 99, which is not there. It counts as top level.',
        'Folder 2 lies within itself. It counts as top level.',
        'Folder 3 lies within itself. It counts as top level.',
        'Folder 4 lies below folder 3, which lies within itself. It counts as top level.',
        'Folder 42 lies more than 32 levels deep. It counts as top level.',
        'Folder 6 lies below folder 3, which lies within itself. It counts as top level.',
        'Folder 7 lies within itself. It counts as top level.',
        'The recipient of notification 14, user 1, refers to a notification that is not there. It counts for nothing.',
        'The recipient of notification 14, user 55, refers to a notification that is not there. It counts for nothing.',
        'The recipient of notification 14, user 55, refers to a user that is not there.',
        'The share of folder 99 with embed tenant "checked" refers to a folder that is not there. It counts for nothing.',
        'The share of workbook 5 with embed tenant "gone" refers to an embed tenant that is not there. It counts for nothing.',
        'The share of workbook 77 with all embed users refers to a workbook that is not there. It counts for nothing.',
        'Workbook 5 refers to folder 98, which is not there. It counts as top level.',
      ].toSorted(),
    )
  })

  test('counts what is there in the account of the deployment alone', async () => {
    await service.apply([
      put('user', { accountId: 'other', id: 555, email: 'o@other.example', roles: [], deploymentIds: [] }),
      put('embedTenant', { accountId: 'other', name: 'theirs' }),
    ])
    const recipient = (embedTenantName: string) => ({ type: 'embedUser', embedTenantName, externalId: 'u' })
    const id = await load((at) => [
      put('notification', { deploymentId: at, id: 4, createdAt: '2026-01-01' }),
      put('recipient', { deploymentId: at, notificationId: 4, recipient: { type: 'user', userId: 555 } }),
      put('recipient', { deploymentId: at, notificationId: 4, recipient: recipient('theirs') }),
      workbook(at, 5),
      share(at, 'workbook', 5, embedTenant('theirs')),
    ])
    await service.apply([without(put('embedTenant', { accountId: 'acme', name: 'theirs' }))])
    expect((await checkDeployment(service.storage, id)).toSorted()).toEqual([
      'The recipient of notification 4, an embed user of "theirs", refers to an embed tenant that is not there.',
      'The recipient of notification 4, user 555, refers to a user that is not there.',
      'The share of workbook 5 with embed tenant "theirs" refers to an embed tenant that is not there. It counts for nothing.',
    ])
  })

  test('says that a deployment or its account is not there, or deleted', async () => {
    expect(await checkDeployment(service.storage, 9999)).toEqual([
      'Deployment 9999 has not arrived. All of it counts for nothing.',
    ])
    const id = await load(() => [])
    await service.apply([{ kind: 'deployment', op: 'delete', data: { id } }])
    expect(await checkDeployment(service.storage, id)).toEqual([
      `Deployment ${id} is deleted. All of it counts for nothing.`,
    ])
    await service.apply([put('deployment', { accountId: 'nobody', id: 9998, name: 'Alone' })])
    expect(await checkDeployment(service.storage, 9998)).toEqual([
      'Deployment 9998 refers to account "nobody", which is not there. All of it counts for nothing.',
    ])
    await service.apply([{ kind: 'account', op: 'delete', data: { id: 'nobody' } }])
    expect(await checkDeployment(service.storage, 9998)).toEqual([
      'Deployment 9998 refers to account "nobody", which is deleted. All of it counts for nothing.',
    ])
  })
})

describe('an explanation', () => {
  const explain = async (deploymentId: number, tenant: string, workbookId: number) => {
    const explanation = await explainInCatalog(service.storage, deploymentId, tenant, workbookId)
    return { isSeen: explanation.isSeen, facts: sentencesOf(explanation) }
  }

  test('says of every workbook what a plain model says, and where it lies', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, async (model) => {
        const id = await load((at) => changesOf(at, model))
        const due = visibleWorkbooks(model, 'north', undefined)
        for (const workbookId of model.workbooks.keys()) {
          const { isSeen, facts } = await explain(id, 'north', workbookId)
          expect(isSeen).toBe(due.includes(workbookId))
          const above = foldersAbove(model, workbookId).map((folder) => `${folder} ("Folder ${folder}")`)
          expect(facts).toContain(above.length > 0 ? `It lies in ${above.join(' / ')}.` : 'It lies at the top level.')
        }
      }),
      { numRuns: 10 },
    )
  })

  test('tells each fact', async () => {
    const direct = share(0, 'workbook', 5, allEmbedUsers)
    const id = await load((at) => [
      folder(at, 1, 99),
      folder(at, 2, 1),
      workbook(at, 5, { folderId: 2 }),
      share(at, 'folder', 1, embedTenant('north')),
      { ...direct, data: { ...direct.data, deploymentId: at } },
    ])
    await service.apply([without({ ...direct, data: { ...direct.data, deploymentId: id } })])
    expect(await explain(id, 'north', 5)).toEqual({
      isSeen: true,
      facts: [
        `Deployment ${id} is there.`,
        'Account "acme" is there.',
        'Embed tenant "north" is there.',
        'Workbook 5 is there.',
        'It lies in 1 ("Folder 1") / 2 ("Folder 2").',
        'Folder 1 refers to parent folder 99, which has not arrived.',
        'Workbook 5 is not shared with embed tenant "north".',
        'Workbook 5 is no longer shared with all embed users.',
        'Folder 1 ("Folder 1") is shared with embed tenant "north".',
        'Folder 1 ("Folder 1") is not shared with all embed users.',
        'Folder 2 ("Folder 2") is not shared with embed tenant "north".',
        'Folder 2 ("Folder 2") is not shared with all embed users.',
      ],
    })
  })

  test('says where a workbook lies whose folders do not lead to the top', async () => {
    const id = await load((at) => [
      folder(at, 1, 2),
      folder(at, 2, 1),
      workbook(at, 5, { folderId: 1 }),
      workbook(at, 6, { folderId: 98 }),
    ])
    const placeOf = async (workbookId: number) => (await explain(id, 'north', workbookId)).facts.slice(4, 6)
    expect(await placeOf(5)).toEqual([
      'It lies in 1 ("Folder 1").',
      'Folder 1 lies too deep or within itself, so it counts as top level.',
    ])
    expect(await placeOf(6)).toEqual(['It lies at the top level.', 'It refers to folder 98, which has not arrived.'])
  })

  test('says which of deployment, tenant and workbook is not there', async () => {
    const id = await load((at) => [workbook(at, 5)])
    await service.apply([without(workbook(id, 5))])
    expect(await explain(id, 'unheard', 5)).toEqual({
      isSeen: false,
      facts: [
        `Deployment ${id} is there.`,
        'Account "acme" is there.',
        'Embed tenant "unheard" has not arrived.',
        'Workbook 5 is deleted.',
      ],
    })
    const nowhere = await explain(99_999, 'north', 5)
    expect(nowhere.facts.slice(0, 2)).toEqual([
      'Deployment 99999 has not arrived.',
      'Account of the deployment has not arrived.',
    ])
  })
})
