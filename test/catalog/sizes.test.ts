import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { outcomesOf } from '../support/database.ts'
import {
  dbtSync,
  folder,
  keys,
  notification,
  people,
  publishedDashboard,
  put,
  workbook,
  world,
} from '../support/service.ts'

describe('a change of great length', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])

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
      folder(1, 80, null, 'x'.repeat(65_000)),
      {
        kind: 'group',
        op: 'delete',
        data: { accountId: widest.repeat(200), name: widest.repeat(100) },
      },
      put('recipient', { deploymentId: 1, notificationId: 80, recipient }),
      dbtSync(1, widest.repeat(200)),
      put('user', {
        accountId: widest.repeat(200),
        id: 1,
        email: widest.repeat(320),
        username: '#'.repeat(320),
        roles: [],
        deploymentIds: [],
      }),
      put('account', { id: 'long', name: 'x', oidc }),
      workbook(1, 92, {
        publishedDashboard: publishedDashboard(1, 92, { publicId: widest.repeat(255) }),
      }),
    ])
    expect(all).toEqual(Array(9).fill('applied'))
  })

  test('of documents as large as they may be fills pages that can be read', async () => {
    const text = 'a'.repeat(255 * 1024)
    await service.apply(
      Array.from({ length: 60 }, (_, index) => dbtSync(1, `sync-${index}`, { errorMessage: text })),
    )
    const { status, text: page } = await service.get('/api/v1/deployments/1/dbt-sync?first=60', {
      key: keys.admin,
    })
    expect([status, Buffer.byteLength(page) < 6_000_000]).toEqual([200, true])
  })
})
