import { explainInCatalog } from '@embed-access/core/catalog/explain.ts'
import { describe, expect, test } from 'vitest'
import { checkDeployment } from '../../cli/catalog/checking.ts'
import { sentencesOf } from '../../local/explanation-sentences.ts'
import {
  acmeDeployment,
  acmeTenant,
  allEmbedUsers,
  embedTenant,
  folder,
  notification,
  people,
  publishedDashboard,
  put,
  recipient,
  share,
  userOf,
  without,
  workbook,
  world,
} from '../support/service.ts'

const service = world([...people, acmeTenant('north')], { isInMemory: true })
const embedUser = (embedTenantName: string) => ({
  type: 'embedUser',
  embedTenantName,
  externalId: 'u',
})
const check = async (deploymentId: number) =>
  (await checkDeployment(service.storage, deploymentId)).toSorted()

describe('a check of a deployment', () => {
  test('says nothing of one where all is right', async () => {
    const id = await service.newDeployment((at) => [
      folder(at, 1, null),
      folder(at, 2, 1),
      workbook(at, 5, { folderId: 2 }),
      workbook(at, 6),
      share(at, 'workbook', 5, embedTenant('checked')),
      share(at, 'folder', 1, allEmbedUsers),
      notification(at, 14),
      recipient(at, 14, { type: 'user', userId: 1 }),
      recipient(at, 14, embedUser('checked')),
    ])
    expect(await check(id)).toEqual([])
  })

  // If each digit began a search, the test would reach its limit of time.
  test('reads a number of 200,000 digits in a cron expression once', async () => {
    const id = await service.newDeployment((at) => [
      notification(at, 14, { cronExpression: `0 0 ${'1'.repeat(200_000)} * *` }),
    ])
    expect(await check(id)).toEqual([expect.stringContaining('an invalid cron expression')])
  })

  test('says what refers to nothing, lies too deep or within itself', async () => {
    const wrong = (at: number) => [
      share(at, 'workbook', 77, allEmbedUsers),
      share(at, 'folder', 99, embedTenant('checked')),
      recipient(at, 14, { type: 'user', userId: 1 }),
    ]
    const id = await service.newDeployment((at) => [
      ...wrong(at),
      folder(at, 1, 99),
      folder(at, 2, 3),
      folder(at, 3, 2),
      folder(at, 4, 3),
      folder(at, 7, 7),
      ...Array.from({ length: 33 }, (_, index) =>
        folder(at, 10 + index, index === 0 ? null : 9 + index),
      ),
      workbook(at, 5, { folderId: 98 }),
    ])
    const [toAll, toTenant, toUser] = wrong(id).map(({ data }) => JSON.stringify(data))
    expect(await check(id)).toEqual(
      [
        'Folder 1 refers to folder 99, which is not there. It counts as top level.',
        ...[2, 3, 4, 7, 42].map(
          (id) => `Folder ${id} lies too deep or within itself. It counts as top level.`,
        ),
        `Recipient ${toUser} refers to notification 14, which is not there.`,
        `Share ${toTenant} refers to folder 99, which is not there. It counts for nothing.`,
        `Share ${toAll} refers to workbook 77, which is not there. It counts for nothing.`,
        'Workbook 5 refers to folder 98, which is not there. It counts as top level.',
      ].toSorted(),
    )
  })

  test('counts what is there in the account of the deployment alone', async () => {
    await service.apply([
      userOf('other', 555, 'o@other.example'),
      put('embedTenant', { accountId: 'other', name: 'theirs' }),
    ])
    const id = await service.newDeployment((at) => [
      notification(at, 4),
      recipient(at, 4, { type: 'user', userId: 555 }),
      recipient(at, 4, embedUser('theirs')),
      workbook(at, 5),
      share(at, 'workbook', 5, embedTenant('theirs')),
    ])
    await service.apply([without(acmeTenant('theirs'))])
    const tenant = 'embedTenant {"accountId":"acme","name":"theirs"}'
    expect(await check(id)).toEqual([
      expect.stringMatching(`^Recipient .*"embedUser".* refers to ${tenant}, which is not there.$`),
      expect.stringMatching(/^Recipient .*"user".* refers to user 555, which is not there.$/),
      expect.stringMatching(
        `^Share .* refers to ${tenant}, which is not there. It counts for nothing.$`,
      ),
    ])
  })

  test('says that a deployment or its account is not there, or deleted', async () => {
    expect(await check(9999)).toEqual([
      'Deployment 9999 has not arrived. All of it counts for nothing.',
    ])
    const id = await service.newDeployment()
    await service.apply([workbook(id, 1), without(acmeDeployment(id))])
    expect(await check(id)).toEqual([`Deployment ${id} is deleted. All of it counts for nothing.`])
    await service.apply([workbook(9998, 1), share(9998, 'workbook', 1, embedTenant('early'))])
    const alone = put('deployment', { accountId: 'nobody', id: 9998, name: 'Alone' })
    for (const change of [alone, without(put('account', { id: 'nobody' }))]) {
      await service.apply([change])
      expect(await check(9998)).toEqual([
        'Deployment 9998 refers to account "nobody", which is not there. All of it counts ' +
          'for nothing.',
      ])
    }
  })

  test('says what the documents of workbooks and notifications contradict', async () => {
    const wrongCrons = [
      ...[' 60 *  * * *', '0 24 * * *', '0 9 32 * *', '0 9 * 13 *', '0 9 * *', '0 9 * * 8'],
      ...['0 9 0 * *', '0 9 * 0 *', 'every day at nine', '0 9 * * * * * *', '0 9 (x * *'],
      ...['0 9 x) * *', '0 9-6 * * *', '*/0 9 * * *', '0 */00,9 * * *', '0/ 9 * * *'],
      ...['0 9,,10 * * *', ',0 9 * * *', '0 9 * * 1,'],
    ]
    const id = await service.newDeployment((at) => {
      const publishing = (id: number, own: object) =>
        workbook(at, id, { publishedDashboard: publishedDashboard(at, id, own) })
      return [
        publishing(1, { id: 51, publicId: 'one' }),
        publishing(2, { id: 52, publicId: 'two', workbookId: 1 }),
        publishing(3, { id: 53, publicId: 'three', deploymentId: 9 }),
        publishing(4, { id: 54, publicId: 'one' }),
        notification(at, 1, {
          dashboardId: 51,
          cronExpression: '*/59 0-23/10,9-9/01 31,L 12 MON-7',
          timezone: 'Europe/Oslo',
        }),
        notification(at, 2, { dashboardId: 99, timezone: 'Europe/Olso' }),
        notification(at, 3, { cronExpression: '0 0 99 ? * MON *' }),
        notification(at, 4, { cronExpression: '0 0 99 ? * MON' }),
        notification(at, 5, { cronExpression: '@daily' }),
        ...wrongCrons.map((cronExpression, index) =>
          notification(at, 100 + index, { cronExpression }),
        ),
      ]
    })
    expect(await check(id)).toEqual([
      `Dashboard 52 of workbook 2 says that it is of workbook 1 of deployment ${id}.`,
      'Dashboard 53 of workbook 3 says that it is of workbook 3 of deployment 9.',
      ...wrongCrons.map(
        (cron, index) => `Notification ${100 + index} has an invalid cron expression: "${cron}".`,
      ),
      'Notification 2 has an unknown time zone: "Europe/Olso".',
      'Notification 2 refers to dashboard 99, which no workbook publishes.',
      expect.stringMatching(
        /^Workbooks (1, 4|4, 1) have dashboards with the same public id, "one"\.$/,
      ),
    ])
  })
})

describe('an explanation', () => {
  const explain = async (deploymentId: number, tenant: string, workbookId: number) => {
    const explanation = await explainInCatalog(service.storage, deploymentId, tenant, workbookId)
    return { isSeen: explanation.isSeen, facts: sentencesOf(explanation) }
  }

  test('tells each fact', async () => {
    const id = await service.newDeployment((at) => [
      folder(at, 1, 99),
      folder(at, 2, 1),
      workbook(at, 5, { folderId: 2 }),
      share(at, 'folder', 1, embedTenant('north')),
      share(at, 'workbook', 5, allEmbedUsers),
    ])
    await service.apply([without(share(id, 'workbook', 5, allEmbedUsers))])
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
    const id = await service.newDeployment((at) => [
      folder(at, 1, 2),
      folder(at, 2, 1),
      workbook(at, 5, { folderId: 1 }),
      workbook(at, 6, { folderId: 98 }),
      workbook(at, 7),
    ])
    const placeOf = async (workbookId: number) =>
      (await explain(id, 'north', workbookId)).facts.slice(4, 6)
    expect(await placeOf(5)).toEqual([
      'It lies in 1 ("Folder 1").',
      'Folder 1 lies too deep or within itself, so it counts as top level.',
    ])
    expect(await placeOf(6)).toEqual([
      'It lies at the top level.',
      'It refers to folder 98, which has not arrived.',
    ])
    const notShared = 'Workbook 7 is not shared with embed tenant "north".'
    expect(await placeOf(7)).toEqual(['It lies at the top level.', notShared])
  })

  test('says which of deployment, account, tenant and workbook is not there', async () => {
    const id = await service.newDeployment((at) => [
      workbook(at, 5),
      workbook(at, 6),
      share(at, 'workbook', 6, allEmbedUsers),
    ])
    await service.apply([without(workbook(id, 5))])
    expect(await explain(id, 'unheard', 6)).toMatchObject({ isSeen: false, facts: { length: 4 } })
    const { isSeen, facts } = await explain(id, 'unheard', 5)
    expect([isSeen, facts.slice(2)]).toEqual([
      false,
      ['Embed tenant "unheard" has not arrived.', 'Workbook 5 is deleted.'],
    ])
    expect((await explain(99_999, 'north', 5)).facts).toEqual([
      'Deployment 99999 has not arrived.',
      'Workbook 5 has not arrived.',
    ])
  })
})
