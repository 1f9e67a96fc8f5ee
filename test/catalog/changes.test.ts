import { randomBytes } from 'node:crypto'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { describe, expect, test } from 'vitest'
import {
  allEmbedUsers,
  embedTenant,
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

describe('a catalog change', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])

  const apply = (changes: readonly unknown[]) => applyChanges(service.storage, changes, { now: () => service.now })

  const outcomes = async (...changes: unknown[]) =>
    (await apply(changes)).map((result) =>
      result.outcome === 'refused' ? result.problems.map(({ pointer }) => pointer) : result.outcome,
    )

  const seen = async (deploymentId: number) =>
    (await allPages(service, deploymentId, 'north', undefined, 50)).map(({ id }) => id).toSorted()

  test('that is not valid names its fields and stops none of the others', async () => {
    expect(
      await outcomes(
        workbook(1, 1),
        { ...workbook(1, 2), data: { ...workbook(1, 2).data, type: 'SHEET', nmae: 'x', meta: null } },
        { kind: 'wrkbook', data: {} },
        'text',
        null,
        { kind: 'workbook', data: [] },
        { kind: 'workbook', op: 'remove', data: {} },
        { kind: 'workbook', op: 'delete', data: { id: 1 } },
        { kind: 'account', revision: 1.5, data: { id: 'x', name: 'X' } },
        workbook(1, 3),
      ),
    ).toEqual([
      'applied',
      ['/data/meta', '/data/type', '/data/nmae'],
      ['/kind'],
      [''],
      [''],
      ['/data'],
      ['/op'],
      ['/data/deploymentId'],
      ['/revision'],
      'applied',
    ])
  })

  test('with an unknown field is told the nearest one', async () => {
    const [result] = await apply([{ ...folder(1, 5, null), data: { ...folder(1, 5, null).data, parentID: 1, x: 1 } }])
    expect(result).toMatchObject({
      problems: [
        { pointer: '/data/parentID', reason: 'is not a known field; the nearest one is parentId' },
        { pointer: '/data/x', reason: 'is not a known field' },
      ],
    })
  })

  test.each(['2026-02-31', '2026-02-29', '2026-04-31T12:00:00Z', '2026-13-01'])(
    'with the date %s is refused, for there is no such day',
    async (expiresAt) => {
      const data = { accountId: 'acme', userId: 1, name: 'k', tokenHash: '0'.repeat(64), expiresAt }
      expect(await outcomes({ kind: 'apiKey', data })).toEqual([['/data/expiresAt']])
      const leapDay = { ...data, expiresAt: '2028-02-29T23:59:59+02:00' }
      expect(await outcomes({ kind: 'apiKey', data: leapDay })).toEqual(['applied'])
    },
  )

  test('keeps the values of a notification’s filters as text, whatever they are', async () => {
    const values = ['text', 5, 1.5, true, ['a', 'b'], [1, 2], '[3]']
    const filters = values.map((value) => ({ member: 'orders.total', operator: 'equals', value }))
    const data = { deploymentId: 1, id: 77, createdAt: '2026-01-01', filters }
    expect(await outcomes({ kind: 'notification', data })).toEqual(['applied'])
    const { body } = await service.get('/api/v1/deployments/1/notifications?first=1', { key: keys.reader })
    expect((body.items as { filters: { value: string }[] }[])[0]?.filters.map(({ value }) => value)).toEqual([
      'text',
      '5',
      '1.5',
      'true',
      '["a","b"]',
      '[1,2]',
      '[3]',
    ])
    expect(await outcomes({ kind: 'notification', data: { ...data, filters: [{ value: { a: 1 } }] } })).toEqual([
      ['/data/filters/0/value'],
    ])
  })

  test('with a document that is too large for its lists is refused and stops none of the others', async () => {
    const compressible = 'too long '.repeat(800_000)
    const incompressible = randomBytes(600_000).toString('base64')
    const largest = randomBytes(130_000).toString('hex')
    expect(
      await outcomes(
        dbtSync(2, 'compressible', compressible),
        dbtSync(2, 'incompressible', incompressible),
        notification(2, 1, compressible),
        notification(2, 2, incompressible),
        workbook(2, 90, { meta: { text: compressible } }),
        workbook(2, 91, { meta: { text: incompressible } }),
        dbtSync(2, 'largest', largest),
        notification(2, 3, largest),
      ),
    ).toEqual([['/data'], ['/data'], ['/data'], ['/data'], ['/data'], ['/data'], 'applied', 'applied'])
    const [tooLong] = await apply([dbtSync(2, 'compressible', compressible)])
    expect(tooLong).toMatchObject({
      problems: [{ reason: expect.stringMatching(/^the document has \d+ bytes; the limit is 262144$/) }],
    })
  })

  test('of more than 64 KiB is refused where it holds no document, and stops none of the others', async () => {
    const long = 'x'.repeat(500_000)
    expect(
      await outcomes(
        folder(1, 80, null, long),
        { kind: 'group', data: { accountId: 'acme', name: 'long', description: long } },
        { kind: 'account', data: { id: 'long', name: long } },
        { kind: 'deployment', data: { accountId: 'acme', id: 380, name: long } },
        { kind: 'user', data: { accountId: 'acme', id: 80, email: 'x', roles: [long], deploymentIds: [] } },
        folder(1, 80, null, 'x'.repeat(65_000)),
      ),
    ).toEqual([...Array(5).fill(['/data']), 'applied'])
    const [refused] = await apply([folder(1, 80, null, long)])
    expect(refused).toMatchObject({
      problems: [{ reason: expect.stringMatching(/^the data has \d+ bytes; the limit is 65536$/) }],
    })
  })

  test('that gives an embed tenant more groups than it can hold is refused, and ending one makes room', async () => {
    const description = '漢'.repeat(500)
    const tenantGroup = (index: number) => ({
      kind: 'tenantGroup',
      revision: 1,
      data: { accountId: 'acme', embedTenantName: 'full', name: `g${index}`, description },
    })
    const all = await outcomes(...Array.from({ length: 300 }, (_, index) => tenantGroup(index)))
    const applied = all.flatMap((outcome, index) => (outcome === 'applied' ? [index] : []))
    expect(all.filter((outcome) => outcome !== 'applied')).toEqual(Array(300 - applied.length).fill(['/data']))
    expect(applied.length).toBeGreaterThan(200)
    expect(applied.length).toBeLessThan(270)
    const [first = 0, second = 0] = applied
    expect(
      await outcomes(
        { kind: 'embedTenant', data: { accountId: 'acme', name: 'full', displayName: 'x'.repeat(200) } },
        tenantGroup(300),
        ...applied.slice(0, 40).map((index) => ({ ...without(tenantGroup(index)), revision: 2 })),
      ),
    ).toEqual(['applied', ['/data'], ...Array(40).fill('applied')])
    expect(await outcomes(tenantGroup(301), tenantGroup(first), tenantGroup(second))).toEqual([
      'applied',
      'skipped',
      'skipped',
    ])
  })

  test('that names a thing by more than a key can hold is refused and stops none of the others', async () => {
    const long = '#'.repeat(1000)
    const widest = '\uffff'
    const recipient = { type: 'embedUser', embedTenantName: 'n'.repeat(36), externalId: widest.repeat(256) }
    expect(
      await outcomes(
        { kind: 'dbtSync', op: 'delete', data: { deploymentId: 1, syncJobId: long } },
        { kind: 'apiKey', op: 'delete', data: { tokenHash: long } },
        { kind: 'group', op: 'delete', data: { accountId: widest.repeat(200), name: widest.repeat(100) } },
        { kind: 'recipient', data: { deploymentId: 1, notificationId: 80, recipient } },
        dbtSync(1, widest.repeat(200), 'x'),
        {
          kind: 'user',
          data: {
            accountId: widest.repeat(200),
            id: 1,
            email: widest.repeat(320),
            username: '#'.repeat(320),
            roles: [],
            deploymentIds: [],
          },
        },
        {
          kind: 'account',
          data: {
            id: 'long',
            name: 'x',
            oidc: { issuer: `https://${'x'.repeat(2000)}`, audience: widest.repeat(2048), userClaim: 'sub' },
          },
        },
        workbook(1, 92, { publishedDashboard: publishedDashboard(1, 92, widest.repeat(255)) }),
      ),
    ).toEqual([['/data'], ['/data'], ...Array(6).fill('applied')])
  })

  test('of documents as large as they may be fills pages that can be read', async () => {
    const text = 'a'.repeat(255 * 1024)
    await service.apply(Array.from({ length: 60 }, (_, index) => dbtSync(1, `sync-${index}`, text)))
    const { status, text: page } = await service.get('/api/v1/deployments/1/dbt-sync?first=60', { key: keys.admin })
    expect([status, Buffer.byteLength(page) < 6_000_000]).toEqual([200, true])
  })

  test('of a lower revision than the applied one is skipped, a put after a delete too', async () => {
    const named = (name: string, revision?: number) => ({
      ...folder(1, 77, null, name),
      ...(revision !== undefined && { revision }),
    })
    expect(await outcomes(named('a', 5), named('b', 4), named('a', 5), named('d', 6))).toEqual([
      'applied',
      'skipped',
      'skipped',
      'applied',
    ])
    const deletion = { ...without(folder(1, 77, null)), revision: 8 }
    expect(await outcomes(deletion, named('e', 7), deletion, named('f', 9))).toEqual([
      'applied',
      'skipped',
      'skipped',
      'applied',
    ])
    expect(await outcomes(named('g'), named('h', 8), named('i', 10))).toEqual(['applied', 'skipped', 'applied'])
  })

  test('applied twice or in any order by revision ends the same', async () => {
    const grant = { ...share(2, 'workbook', 5, embedTenant('north')), revision: 3 }
    const revoke = { ...without(grant), revision: 4 }
    await service.apply([workbook(2, 5), revoke, grant, grant])
    expect(await seen(2)).toEqual([])
    await service.apply([{ ...grant, revision: 5 }])
    expect(await seen(2)).toEqual([5])
  })

  test('that deletes a workbook leaves its shares alone: they count again when it comes back', async () => {
    const own = { ...workbook(2, 6), revision: 1 }
    const grant = { ...share(2, 'workbook', 6, allEmbedUsers), revision: 1 }
    await service.apply([own, grant])
    expect(await seen(2)).toContain(6)
    await service.apply([{ ...without(own), revision: 2 }])
    expect(await seen(2)).not.toContain(6)
    await service.apply([{ ...own, revision: 3 }])
    expect(await seen(2)).toContain(6)
    await service.apply([{ ...without(grant), revision: 2 }, { ...without(own), revision: 4 }, grant])
    await service.apply([{ ...own, revision: 5 }])
    expect(await seen(2)).not.toContain(6)
  })

  test('is never refused for where it puts a folder: too deep, within itself, or below what is not there', async () => {
    const chain = Array.from({ length: 12 }, (_, index) => folder(1, 200 + index, index === 0 ? null : 199 + index))
    const changes = [...chain.toReversed(), folder(1, 200, 204), folder(1, 220, 220), folder(1, 221, 999)]
    expect(new Set(await outcomes(...changes))).toEqual(new Set(['applied']))
  })

  test('never hands the id of a deployment on to another account', async () => {
    const own = { kind: 'deployment', data: { accountId: 'acme', id: 300, name: 'Mine' } }
    const theirs = { kind: 'deployment', data: { accountId: 'other', id: 300, name: 'Theirs' } }
    expect(await outcomes(own, theirs, without(own), theirs)).toEqual([
      'applied',
      ['/data/accountId'],
      'applied',
      ['/data/accountId'],
    ])
  })

  test('opens a deployment to the account that first had it and to no other, in whatever order the changes come', async () => {
    const orders = [
      [1, 2, 3],
      [1, 3, 2],
      [2, 1, 3],
      [2, 3, 1],
      [3, 1, 2],
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
      await service.apply([dbtSync(id, 'job', 'of acme')])
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

  test('names an embed tenant by a share or recipient, in every deployment of the account, whichever comes first', async () => {
    const status = async (name: string, deploymentId = 1) =>
      (await service.get(`/api/v1/deployments/${deploymentId}/embed-tenants/${name}/workbooks`, { key: keys.admin }))
        .status
    expect(await status('by-share')).toBe(404)
    await service.apply([share(1, 'workbook', 1, embedTenant('by-share'))])
    expect([await status('by-share'), await status('BY-Share', 2)]).toEqual([200, 200])
    const recipient = { type: 'embedUser', embedTenantName: 'by-recipient', externalId: 'x' }
    await service.apply([{ kind: 'recipient', data: { deploymentId: 302, notificationId: 1, recipient } }])
    await service.apply([{ kind: 'deployment', data: { accountId: 'acme', id: 302, name: 'Late' } }])
    expect(await status('by-recipient')).toBe(200)
  })

  test('to a tenant group is known to sessions at once, with revisions of its own', async () => {
    const group = (revision: number, op: 'put' | 'delete' = 'put') => ({
      kind: 'tenantGroup',
      op,
      revision,
      data: { accountId: 'acme', embedTenantName: 'grouped', name: 'editors' },
    })
    const generate = async () =>
      (
        await service.post('/api/v1/embed/generate-session', {
          key: keys.admin,
          body: { deploymentId: 1, creatorMode: true, embedTenantName: 'grouped', tenantGroups: ['editors'] },
        })
      ).status
    expect(
      await outcomes({ kind: 'embedTenant', revision: 9, data: { accountId: 'acme', name: 'grouped' } }, group(1)),
    ).toEqual(['applied', 'applied'])
    expect(await generate()).toBe(200)
    expect(await outcomes(group(3, 'delete'), group(2))).toEqual(['applied', 'skipped'])
    expect(await generate()).toBe(400)
    expect(await outcomes(group(4))).toEqual(['applied'])
    expect(await generate()).toBe(200)
  })

  test('gives back the whole resource of the specification, field by field', async () => {
    const whole = wholeWorkbook(1, 400)
    await service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'whole' } }])
    await service.apply([{ kind: 'workbook', data: whole }, share(1, 'workbook', 400, embedTenant('whole'))])
    const { body } = await service.get('/api/v1/deployments/1/embed-tenants/whole/workbooks', { key: keys.admin })
    expect(body.items).toEqual([{ ...whole, folderPath: [] }])
  })
})

const dbtSync = (deploymentId: number, syncJobId: string, errorMessage: string) => ({
  kind: 'dbtSync',
  data: {
    syncJobId,
    deploymentId,
    branchName: 'main',
    source: 'github',
    startedAt: '2026-01-01T00:00:00Z',
    status: 'FAILED',
    trigger: 'api',
    errorMessage,
  },
})

const publishedDashboard = (deploymentId: number, workbookId: number, publicId: string) => ({
  ...wholeWorkbook(deploymentId, workbookId).publishedDashboard,
  publicId,
})

const notification = (deploymentId: number, id: number, humanReadableSchedule: string) => ({
  kind: 'notification',
  data: { deploymentId, id, humanReadableSchedule, createdAt: '2026-01-01' },
})

function wholeWorkbook(deploymentId: number, id: number) {
  const position = { x: 0, y: 1, w: 2, h: 3 }
  const config = {
    app: {
      entry: 'index.html',
      files: { 'index.html': '<p>', constructor: 'x' },
      html: null,
      manifest: { dependencies: { d3: '7' }, version: 1 },
    },
    description: null,
    kind: 'APP',
    layout: {
      breakpoints: { lg: 1200, md: null, sm: 700, xs: 400, xxs: 0 },
      cols: { lg: 12, md: 10, sm: 6, xs: 4, xxs: 2 },
      containerPadding: [1, 2],
      margin: [3, 4],
      rowHeight: 30,
    },
    settings: { any: [1, { thing: null }] },
    theme: {},
    title: 'Title',
    widgets: [
      {
        id: 'w1',
        type: 'CHART',
        position,
        config: null,
        responsiveLayouts: { lg: position, sm: null },
        style: { color: 'red' },
      },
    ],
  }
  return {
    id,
    deploymentId,
    name: 'Whole',
    meta: { free: 'form' },
    calculatedFields: { profit: 'revenue - cost' },
    createdAt: '2026-01-01',
    updatedAt: '2026-01-01T00:00:00.000Z',
    type: 'REPORT',
    createdBy: 7,
    dashboardDraft: null,
    dashboardPublished: config,
    folderId: null,
    isFavorite: null,
    publishedDashboard: {
      id: 9,
      publicId: 'public-9',
      deploymentId,
      workbookId: id,
      status: 'archived',
      allowEmbed: false,
      config,
      versionNumber: 3,
      versionId: 4,
      reportSnapshots: [
        {
          id: 1,
          reportId: 2,
          versionNumber: 3,
          description: null,
          fillMissingRows: { member: 'orders.createdAt', excludedDimensions: ['orders.status'] },
          isSourceReport: true,
          kind: 'sankey',
          meta: {},
          name: 'Flow',
          periodComparisons: [
            { measure: 'm', timeDimension: 't', offset: { amount: -1, unit: 'month' }, outputs: null },
          ],
          preferences: { columnFormats: { revenue: { type: 'currency', decimalPlaces: null }, other: null } },
          pythonCode: null,
          spec: { mark: 'bar' },
          sqlQuery: 'SELECT 1',
          title: null,
        },
      ],
      createdBy: null,
      description: 'd',
      fromSharedWorkspace: false,
      restrictDataDownload: null,
      title: 't',
      useBoardDashboards: true,
    },
    slug: 'whole',
    user: { id: 7, email: 'a@b.example', firstName: null, picture: 'p' },
    userId: 7.5,
  }
}
