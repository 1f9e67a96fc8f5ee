import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { describe, expect, test } from 'vitest'
import {
  allEmbedUsers,
  dbtSync,
  folder,
  keys,
  people,
  put,
  share,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { allPages } from '../workbooks/pages.ts'
import { outcomesAt } from './outcomes.ts'

describe('a change of a deployment or an API key', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])
  const outcomes = outcomesAt(service)

  const seen = async (deploymentId: number) =>
    (await allPages(service, deploymentId, 'north', undefined, 50)).map(({ id }) => id).toSorted()

  test('opens a deployment to the account that first had it, in whatever order', async () => {
    const orders = [
      [1, 2, 3],
      [2, 3, 1],
      [3, 2, 1],
    ]
    for (const [index, revisions] of orders.entries()) {
      const id = 310 + index
      const named = (accountId: string, revision: number) => ({
        kind: 'deployment',
        revision,
        data: { accountId, id, name: 'Whose' },
      })
      const deletion = { kind: 'deployment', op: 'delete', revision: 2, data: { id } }
      const statuses = () =>
        Promise.all(
          [keys.admin, keys.otherAdmin].map(
            async (key) => (await service.get(`/api/v1/deployments/${id}/dbt-sync`, { key })).status,
          ),
        )
      await service.apply([dbtSync(id, 'job')])
      for (const revision of revisions) {
        await outcomes([named('acme', 1), deletion, named('other', 3)][revision - 1])
      }
      await outcomes(named('other', 4))
      expect([revisions, await statuses()]).toEqual([revisions, [404, 404]])
      await service.apply([named('acme', 5)])
      expect([revisions, await statuses()]).toEqual([revisions, [200, 404]])
    }
  })

  test('of an API key that names another account neither moves the key nor ends it', async () => {
    const key = 'sk-stays'
    const tokenHash = hashOfApiKey(key)
    const ofKey = (accountId: string, revision: number, op: 'put' | 'delete' = 'put') => ({
      kind: 'apiKey',
      op,
      revision,
      data: { accountId, tokenHash, ...(op === 'put' && { userId: 1, name: key }) },
    })
    const statuses = () =>
      Promise.all([1, 9].map(async (id) => (await service.get(`/api/v1/deployments/${id}/dbt-sync`, { key })).status))
    await service.apply([ofKey('acme', 1)])
    const refused = ['/data/accountId']
    expect(await outcomes(ofKey('other', 2), ofKey('other', 3, 'delete'))).toEqual([refused, refused])
    expect(await statuses()).toEqual([200, 404])
    expect(await outcomes({ kind: 'apiKey', data: ofKey('other', 4).data })).toEqual([refused])
    expect(await statuses()).toEqual([200, 404])
    expect(await outcomes({ kind: 'apiKey', op: 'delete', revision: 5, data: { tokenHash } })).toEqual(['applied'])
    service.now += 60_000
    expect(await statuses()).toEqual([401, 401])
    expect(await outcomes(ofKey('other', 6))).toEqual([refused])
    expect(await statuses()).toEqual([401, 401])
  })

  test('that deletes a deployment hides what is in it, until the deployment comes back', async () => {
    const own = { kind: 'deployment', data: { accountId: 'acme', id: 301, name: 'Mine' } }
    await service.apply([
      own,
      folder(301, 1, null),
      workbook(301, 2, { folderId: 1 }),
      share(301, 'folder', 1, allEmbedUsers),
    ])
    expect(await seen(301)).toEqual([2])
    await service.apply([without(own)])
    // An instance goes by what it has read of a deployment for five seconds.
    service.now += 5_000
    const gone = await service.get('/api/v1/deployments/301/embed-tenants/north/workbooks', { key: keys.admin })
    expect(gone.status).toBe(404)
    await service.apply([own])
    expect(await seen(301)).toEqual([2])
  })
})
