import { randomBytes } from 'node:crypto'
import { bytesInAnswer, pageBytes } from '@embed-access/core/storage/page.ts'
import { describe, expect, test } from 'vitest'
import { outcomesOf } from '../support/database.ts'
import {
  acmeDeployment,
  acmeTenant,
  allEmbedUsers,
  dbtSync,
  embedTenant,
  folder,
  keys,
  notification,
  people,
  publishedDashboard,
  put,
  share,
  userOf,
  workbook,
  world,
} from '../support/service.ts'

describe('a change of great length', () => {
  const ids = Array.from({ length: 18 }, (_, index) => index + 1)
  const levels = Array.from({ length: 32 }, (_, index) => index + 1)
  /** Text of which JSON, and then Lambda, escapes every character, or that does not compress. */
  const text = (id: number) =>
    id % 2 ? '"'.repeat(125_000) : randomBytes(187_500).toString('base64')
  const worstNames = (at: number) =>
    levels.map((id) => folder(at, id, id === 1 ? null : id - 1, '\u0001'.repeat(256)))

  const changesOf: Record<string, (at: number) => readonly object[]> = {
    'embed-tenants/north/workbooks?accessSource=folder': (at) => [
      folder(at, 1, null),
      share(at, 'folder', 1, embedTenant('north')),
      ...ids.map((id) => workbook(at, id, { folderId: 1, meta: { text: text(id) } })),
    ],
    'embed-tenants/north/workbooks?accessSource=tenant': (at) =>
      ids.flatMap((id) => [
        workbook(at, id, { meta: { text: text(id) } }),
        share(at, 'workbook', id, embedTenant('north')),
      ]),
    'dbt-sync?first=200': (at) => ids.map((id) => dbtSync(at, `${id}`, { errorMessage: text(id) })),
    'notifications?first=200': (at) =>
      ids.map((id) => notification(at, id, { humanReadableSchedule: text(id) })),
    // Its reads end a page before its bytes do.
    'workbooks/1/embed-tenants?first=200': (at) => [
      ...worstNames(at),
      workbook(at, 1, { folderId: 32 }),
      ...ids.flatMap((tenant) =>
        levels.map((id) => share(at, 'folder', id, embedTenant(`tenant-${tenant}`))),
      ),
    ],
  }

  /** Each list in a deployment of its own. */
  const lists = Object.entries(changesOf).map(([list, changes], index) => ({
    list,
    changes,
    at: 10 + index,
  }))
  const isOfTenants = ({ list }: { list: string }) => list.includes('embed-tenants')
  const filled = (of: typeof lists) => [
    ...[...people, acmeTenant('north')],
    ...of.flatMap(({ at, changes }) => [acmeDeployment(at), ...changes(at)]),
  ]
  /** Only the engine ends the answer to a Query at 1 MB. */
  const service = world(filled(lists.filter((each) => !isOfTenants(each))))
  const inMemory = world(filled(lists.filter(isOfTenants)), { isInMemory: true })

  test('is stored with documents and keys as long as they may be', async () => {
    const widest = '\uffff'
    const document = randomBytes(130_000).toString('hex')
    const recipient = {
      type: 'embedUser',
      embedTenantName: 'n'.repeat(36),
      externalId: widest.repeat(256),
    }
    const oidc = {
      issuer: `https://${'x'.repeat(2000)}`,
      audience: widest.repeat(2048),
      userClaim: 'sub',
    }
    const all = await outcomesOf(service.storage, [
      dbtSync(2, 'largest', { errorMessage: document }),
      notification(2, 3, { humanReadableSchedule: document }),
      folder(1, 80, null, widest.repeat(256)),
      {
        kind: 'group',
        op: 'delete',
        data: { accountId: widest.repeat(200), name: widest.repeat(100) },
      },
      put('recipient', { deploymentId: 1, notificationId: 80, recipient }),
      dbtSync(1, widest.repeat(200)),
      userOf(widest.repeat(200), 1, widest.repeat(320), { username: '#'.repeat(320) }),
      put('account', { id: 'long', name: 'x', oidc }),
      workbook(1, 92, {
        publishedDashboard: publishedDashboard(1, 92, { publicId: widest.repeat(255) }),
      }),
    ])
    expect(all).toEqual(Array(9).fill('applied'))
  })

  // test/api/compression.test.ts shows that gzip never makes an answer longer.
  const plain = { key: keys.admin, headers: { 'accept-encoding': 'identity' } }

  test.each(lists)('is on pages that Lambda can send: $list', async (each) => {
    const { list, at } = each
    const { get } = isOfTenants(each) ? inMemory : service
    let [after, items, largest] = ['', 0, 0]
    for (let more = true; more; ) {
      const path = `/api/v1/deployments/${at}/${list}${after}`
      const { status, body, text } = await get(path, plain)
      expect(status).toBe(200)
      items += body.items.length
      largest = Math.max(largest, bytesInAnswer(text))
      more = body.pageInfo.hasNextPage
      after = `&after=${body.pageInfo.endCursor}`
    }
    expect(items).toBe(ids.length)
    expect(largest).toBeGreaterThan(isOfTenants(each) ? 1_100_000 : 4_500_000)
  })

  test('is a workbook that has room with the longest path; one byte more is not', async () => {
    const largest = (at: number, more: number) => {
      const unfilled = workbook(at, 1, { folderId: 32, meta: { text: '' } })
      const left = pageBytes - bytesInAnswer(JSON.stringify(unfilled.data))
      const text = '"'.repeat(Math.floor(left / 4)) + 'x'.repeat((left % 4) + more)
      return workbook(at, 1, { folderId: 32, meta: { text } })
    }
    const at = await inMemory.newDeployment((at) => [
      ...worstNames(at),
      largest(at, 0),
      ...levels.flatMap((id) =>
        [embedTenant('north'), allEmbedUsers].map((grantee) => share(at, 'folder', id, grantee)),
      ),
    ])
    expect(await outcomesOf(inMemory.storage, [largest(at, 1)])).toEqual(['refused'])
    const path = `/api/v1/deployments/${at}/embed-tenants/north/workbooks?include=accessSources`
    const { status, body } = await inMemory.get(path, plain)
    expect([status, body.items[0].folderPath.length]).toEqual([200, 32])
  })
})
