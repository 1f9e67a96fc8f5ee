import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { notificationKey, recipientSortKey } from '@embed-access/core/notifications/keys.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { apply, interrupted, itemAt, newTables, putItem } from '../support/database.ts'
import { pagesOf } from '../support/pages.ts'
import {
  acmeDeployment,
  acmeTenant,
  keptDecisions,
  keys,
  notification,
  people,
  publishedDashboard,
  recipient,
  userOf,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { slow } from '../support/time.ts'

const path = '/api/v1/deployments/1/notifications'

const user = (id: number, email: string) => userOf('acme', id, email)

const recipients = [
  { type: 'user', userId: 2 },
  { type: 'user', userId: 3 },
  { type: 'embedUser', embedTenantName: 'north', externalId: 'x#1' },
  { type: 'embedUser', embedTenantName: 'south', externalId: 'x#1' },
] as const

const arbitraryNotifications = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 60 }),
    createdAt: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '2026-01-02T00:00:00Z',
      '2026-01-02T00:00:00.001Z',
    ),
    dashboardId: fc.option(fc.constantFrom(71, 72), { nil: undefined }),
    recipients: fc.uniqueArray(fc.constantFrom(...recipients)),
  }),
  { selector: ({ id }) => id, maxLength: 20 },
)

type Recipient = (typeof recipients)[number]

const filters: { query: Record<string, string>; of?: Recipient; dashboardId?: number }[] = [
  { query: {} },
  { query: { dashboardId: '71' }, dashboardId: 71 },
  { query: { dashboardPublicId: 'public-72' }, dashboardId: 72 },
  { query: { recipientUserId: '2' }, of: recipients[0] },
  { query: { recipientEmail: 'SUE@Acme.Example' }, of: recipients[1] },
  { query: { recipientEmbedTenantName: 'north', recipientExternalId: ' X#1' }, of: recipients[2] },
  {
    query: { recipientEmbedTenantName: 'south', recipientExternalId: 'x#1', dashboardId: '71' },
    of: recipients[3],
    dashboardId: 71,
  },
  {
    query: { recipientUserId: '2', dashboardPublicId: 'public-71' },
    of: recipients[0],
    dashboardId: 71,
  },
]

describe('the notifications of a deployment', () => {
  const service = world(people, keptDecisions)
  let deploymentId = 100

  const publishing = (
    deployment: number,
    dashboardId: number,
    publicId = `public-${dashboardId}`,
    id = dashboardId,
  ) =>
    workbook(deployment, id, {
      publishedDashboard: publishedDashboard(deployment, id, { id: dashboardId, publicId }),
    })

  // Each run of this property makes a catalog and reads every list of it.
  test('come newest first, for every filter, in whatever order they arrive', slow, async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryNotifications,
        fc.integer({ min: 1, max: 21 }),
        fc.infiniteStream(fc.nat()),
        async (notifications, first, random) => {
          deploymentId += 1
          const changes = notifications.flatMap(({ recipients: all, ...data }) => [
            notification(deploymentId, data.id, data),
            ...all.map((each) => recipient(deploymentId, data.id, each)),
          ])
          const shuffled = changes
            .map((change) => ({ change, at: random.next().value as number }))
            .toSorted((a, b) => a.at - b.at)
          await service.apply([
            acmeDeployment(deploymentId),
            publishing(deploymentId, 71),
            publishing(deploymentId, 72),
            ...shuffled.map(({ change }) => change),
          ])
          const sorted = notifications.toSorted(
            (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id,
          )
          for (const { query, of, dashboardId } of filters) {
            const found = await pagesOf(
              service,
              `/api/v1/deployments/${deploymentId}/notifications`,
              query,
              first,
            )
            const expected = sorted.filter(
              (each) =>
                (dashboardId === undefined || each.dashboardId === dashboardId) &&
                (of === undefined || each.recipients.includes(of)),
            )
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  test.each([
    ['dashboardId=1&dashboardPublicId=a', 'dashboardId dashboardPublicId'],
    ['recipientUserId=1&recipientEmail=a@b.c', 'recipientUserId recipientEmail'],
    [
      'recipientUserId=1&recipientEmbedTenantName=north&recipientExternalId=x',
      'recipientUserId recipientEmbedTenantName recipientExternalId',
    ],
    ['recipientEmbedTenantName=north', 'recipientExternalId'],
    ['recipientExternalId=x', 'recipientEmbedTenantName'],
    ['dashboardId=0', 'dashboardId'],
    ['recipientUserId=0', 'recipientUserId'],
    ['recipientEmail=', 'recipientEmail'],
  ])(
    'are refused for two identifiers in a dimension, half of one or none: %s',
    async (query, parameters) => {
      const { status, body } = await service.get(`${path}?${query}`, { key: keys.reader })
      const named = body.errors?.map(({ parameter }: { parameter: string }) => parameter)
      expect([status, named.join(' ')]).toEqual([400, parameters])
    },
  )

  test.each([
    'dashboardId=987654',
    'dashboardPublicId=nothing',
    'recipientUserId=987654',
    'recipientEmail=nobody@acme.example',
    'recipientEmail=olga@other.example',
    'recipientEmbedTenantName=nowhere&recipientExternalId=x',
  ])('are none for a dashboard, user or embed user that is not there: %s', async (query) => {
    const { status, body } = await service.get(`${path}?${query}`, { key: keys.reader })
    const pageInfo = {
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    }
    expect([status, body]).toEqual([200, { items: [], pageInfo }])
  })

  const idsOf = async (query: string) => {
    const { status, body } = await service.get(`${path}?${query}`, { key: keys.reader })
    return status === 200
      ? body.items.map(({ id }: { id: number }) => id)
      : [status, body.code, body.errors]
  }

  test('count for a recipient while both the notification and the user are there', async () => {
    const [leaver, own] = [user(60, 'leaver@acme.example'), notification(1, 600)]
    const toLeaver = recipient(1, 600, { type: 'user', userId: 60 })
    for (const [changes, ids] of [
      [[toLeaver], []],
      [[leaver, own], [600]],
      [[without(own)], []],
      [[own, without(leaver)], []],
      [[leaver], [600]],
      [[without(toLeaver), own], []],
    ] as const) {
      await service.apply(changes)
      expect(await idsOf('recipientUserId=60')).toEqual(ids)
    }
  })

  test('are refused for an address of two users, until one of them has another', async () => {
    await service.apply([
      user(10, 'Pat@acme.example'),
      user(9, 'pat@acme.example'),
      notification(1, 801),
      notification(1, 802),
      recipient(1, 801, { type: 'user', userId: 9 }),
      recipient(1, 802, { type: 'user', userId: 10 }),
    ])
    const message = 'is the address of 2 users: 9, 10; use recipientUserId'
    const errors = [{ parameter: 'recipientEmail', message }]
    expect(await idsOf('recipientEmail=PAT@acme.example')).toEqual([
      400,
      'invalid_parameter',
      errors,
    ])
    expect(await idsOf('recipientUserId=10')).toEqual([802])
    const stranger = await service.get(`${path}?recipientEmail=pat@acme.example`, {
      key: keys.stranger,
    })
    expect([stranger.status, stranger.text.includes('9, 10')]).toEqual([403, false])
    await service.apply([user(10, 'patricia@acme.example')])
    expect(await idsOf('recipientEmail=PAT@acme.example')).toEqual([801])
  })

  test('are refused for a public id of two dashboards, and not of two workbooks', async () => {
    await service.apply([
      publishing(1, 900, 'twice'),
      publishing(1, 900, 'twice', 9000),
      notification(1, 901, { dashboardId: 900 }),
    ])
    expect(await idsOf('dashboardPublicId=twice')).toEqual([901])
    await service.apply([publishing(1, 89, 'twice')])
    const message = 'is the public id of 2 dashboards: 89, 900; use dashboardId'
    const errors = [{ parameter: 'dashboardPublicId', message }]
    expect(await idsOf('dashboardPublicId=twice')).toEqual([400, 'invalid_parameter', errors])
    expect(await idsOf('dashboardId=900')).toEqual([901])
    await service.apply([without(publishing(1, 89))])
    expect(await idsOf('dashboardPublicId=twice')).toEqual([901])
  })

  test('are refused for all filters that name several at once, and name at most 20', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => 1000 + index)
    const users = ids.map((id) => user(id, 'all@acme.example'))
    const named = ids.slice(0, 20).join(', ')
    const dashboards = 'is the public id of 2 dashboards: 95, 100; use dashboardId'
    await service.apply([publishing(1, 100, 'pair'), publishing(1, 95, 'pair')])
    for (const [all, which] of [
      [users.slice(0, 20), `20 users: ${named}`],
      [users.slice(20), `more than 20 users: ${named}, …`],
    ] as const) {
      await service.apply(all)
      const message = `is the address of ${which}; use recipientUserId`
      const query = 'recipientEmail=all@acme.example&dashboardPublicId=pair'
      const { status, body } = await service.get(`${path}?${query}`, { key: keys.reader })
      expect([status, body.code]).toEqual([400, 'invalid_parameter'])
      expect(body.detail).toBe(`dashboardPublicId ${dashboards}, and recipientEmail ${message}.`)
      expect(body.errors).toEqual([
        { parameter: 'dashboardPublicId', message: dashboards },
        { parameter: 'recipientEmail', message },
      ])
    }
  })

  test('are refused for a cursor of other filters, even where they are none', async () => {
    await service.apply([71, 72].map((id) => notification(1, id, { dashboardId: id })))
    const ofList = (query: string) => service.get(`${path}?${query}`, { key: keys.reader })
    const { endCursor } = (await ofList('dashboardId=71')).body.pageInfo
    expect((await ofList(`dashboardId=71&after=${endCursor}`)).status).toBe(200)
    for (const query of [
      'dashboardId=72',
      'dashboardId=71&recipientUserId=2',
      'dashboardPublicId=nothing',
      '',
    ]) {
      const { body } = await ofList(`${query}&after=${endCursor}`)
      expect([query, body.code]).toEqual([query, 'invalid_cursor'])
    }
  })

  test('are none for an embed user whose tenant was deleted, until it is back', async () => {
    const tenant = acmeTenant('leaving')
    const embedUser = { type: 'embedUser', embedTenantName: 'leaving', externalId: 'u' }
    await service.apply([notification(1, 700, { dashboardId: 75 }), recipient(1, 700, embedUser)])
    const query = 'recipientEmbedTenantName=Leaving&recipientExternalId=U'
    expect([await idsOf(query), await idsOf(`${query}&dashboardId=75`)]).toEqual([[700], [700]])
    await service.apply([without(tenant)])
    expect([await idsOf(query), await idsOf(`${query}&dashboardId=75`)]).toEqual([[], []])
    await service.apply([tenant])
    expect(await idsOf(query)).toEqual([700])
    for (const name of ['no name', 'x'.repeat(3000)]) {
      expect(
        await idsOf(`recipientEmbedTenantName=${encodeURIComponent(name)}&recipientExternalId=u`),
      ).toEqual([])
    }
  })
})

describe('notifications that change', () => {
  const toUser = { type: 'user', userId: 2 } as const
  const onDashboard = (id: number, more: object = {}) =>
    notification(1, id, { dashboardId: 71, ...more })
  const published = (id: number, publicId: string) =>
    workbook(1, 5, { publishedDashboard: publishedDashboard(1, 5, { id, publicId }) })
  const all = [1, 2, 3, 4].flatMap((id) => [onDashboard(id), recipient(1, id, toUser)])

  /** The ids on a page. The changes come right after the first Query. */
  async function idsWhile(filters: object, changes: readonly object[]) {
    const tables = new MemoryTables()
    await apply(tables.storage, [user(2, 'ada@acme.example'), published(71, 'sales'), ...all])
    let queries = 0
    tables.afterwards = (command) => {
      if (command instanceof QueryCommand && ++queries === 1) tables.add(changes)
    }
    const { items } = await listNotifications(tables.storage, { ...deployment, ...filters })
    return items.map((json) => JSON.parse(json).id)
  }
  const deployment = { accountId: 'acme', deploymentId: 1 }

  test('are without those deleted, at another time or on another dashboard by now', async () => {
    const changes = [
      without(onDashboard(2)),
      onDashboard(3, { createdAt: '2020-01-01T00:00:00Z' }),
      onDashboard(4, { dashboardId: 72 }),
    ]
    const ofUser = { recipient: { userId: 2 } }
    expect(await idsWhile(ofUser, changes)).toEqual([4, 1])
    expect(await idsWhile({ ...ofUser, dashboard: { id: 71 } }, changes)).toEqual([1])
  })

  test('have their new place for recipients, whatever else is written meanwhile', async () => {
    const storage = await newTables([user(2, 'ada@acme.example'), ...all])
    const ids = async () => {
      const { items } = await listNotifications(storage, {
        ...deployment,
        recipient: { userId: 2 },
      })
      return items.map((json) => JSON.parse(json).id)
    }
    expect(await ids()).toEqual([4, 3, 2, 1])
    const recipientKey = { ...notificationKey(1, 1), sk: recipientSortKey(toUser) }
    const isPut = (command: object) =>
      command instanceof PutCommand && command.input.Item?.sk === recipientKey.sk
    // Another writer has read the notification before the change, and corrects its recipient now.
    const meanwhile = interrupted(storage, 1, isPut, async () => {
      const stored = await itemAt(storage, 'catalog', recipientKey)
      const Item = { ...stored, notificationVersion: 'before', version: 'other' }
      await putItem(storage, 'catalog', Item)
    })
    await apply(meanwhile, [onDashboard(1, { createdAt: '2030-01-01T00:00:00Z' })])
    expect(await ids()).toEqual([1, 4, 3, 2])
  })

  test('are none once the public id names another dashboard or none', async () => {
    const ofDashboard = { dashboard: { publicId: 'sales' } }
    expect(await idsWhile(ofDashboard, [])).toEqual([4, 3, 2, 1])
    for (const change of [published(72, 'sales'), published(71, 'other')])
      expect(await idsWhile(ofDashboard, [change])).toEqual([])
  })

  test('are none for a user who was deleted, however late the database reads', async () => {
    const ada = user(2, 'ada@acme.example')
    const tables = new MemoryTables()
    await apply(tables.storage, [ada, ...all])
    const itemsNow = async () =>
      (await listNotifications(tables.storage, { ...deployment, recipient: { userId: 2 } })).items
    tables.readItemsLate()
    expect(await itemsNow()).toHaveLength(4)
    await apply(tables.storage, [without(ada)])
    expect(await itemsNow()).toEqual([])
  })

  test.each([{ dashboard: { publicId: 'sales' } }, { recipient: { email: 'ada@acme.example' } }])(
    'are not looked for if nothing has the name: %j',
    async (filters) => {
      const tables = new MemoryTables()
      const [{ calls }] = await tables.measure(() =>
        listNotifications(tables.storage, { ...deployment, ...filters }),
      )
      expect(calls).toBe(1)
    },
  )
})
