import type { Random } from './random.ts'

/** A thing whose changes are simulated: what identifies it, and what it may hold. */
export type Subject = {
  readonly kind: string
  readonly identity: object
  /** Different each time, so that stale content shows. */
  readonly content: (turn: number) => object
  readonly mayEnd: boolean
}

export const account = 'acme'
export const tenants = ['north', 'south']
export const dashboards = [1, 2]

const granteeOf = (tenant: string | null) =>
  tenant === null ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name: tenant }

export const recipients = [
  { type: 'user', userId: 1 },
  { type: 'user', userId: 2 },
  { type: 'embedUser', embedTenantName: 'north', externalId: 'ann' },
] as const

const deploymentOf = (id: number): Subject => ({
  kind: 'deployment',
  identity: { accountId: account, id },
  content: (turn) => ({ name: `Deployment ${turn}` }),
  mayEnd: false,
})

const tenantNamed = (name: string): Subject => ({
  kind: 'embedTenant',
  identity: { accountId: account, name },
  content: (turn) => ({ displayName: `${name}, turn ${turn}` }),
  mayEnd: true,
})

const definitionsOf = (random: Random): Subject[] =>
  ['north', 'south'].flatMap((embedTenantName) =>
    ['one', 'two'].flatMap((name) =>
      ['tenantGroup', 'attributeDefinition'].map((kind) => ({
        kind,
        identity: { accountId: account, embedTenantName, name },
        // The same again after another one: A, B, A.
        content: () => ({ description: random.pick(['a', 'b']) }),
        mayEnd: true,
      })),
    ),
  )

/** The things of a random catalog: few, so that they have much to do with each other. */
export function subjects(random: Random): Subject[] {
  const deployments = random.chance(0.8) ? [1] : [1, 2]
  return [
    { kind: 'account', identity: { id: account }, content: () => ({ name: 'Acme' }), mayEnd: false },
    ...[1, 2].map((id) => ({
      kind: 'user',
      identity: { accountId: account, id },
      content: (turn: number) => ({ email: `user-${id}-${turn}@acme.example`, roles: [], deploymentIds: 'all' }),
      mayEnd: true,
    })),
    ...tenants.flatMap((name) => (random.chance(0.4) ? [tenantNamed(name)] : [])),
    ...definitionsOf(random).filter(() => random.chance(0.3)),
    ...deployments.flatMap((deploymentId) => [
      deploymentOf(deploymentId),
      ...workbooksOf(deploymentId, random),
      ...notificationsOf(deploymentId, random),
    ]),
  ]
}

type Sizes = { readonly folders: readonly number[]; readonly workbooks: readonly number[]; readonly shares: number }

/** Ids of different lengths, since keys sort them as text. */
const sizes = (random: Random): Sizes => ({
  folders: [7, 8, 9, 10, 11, 12, 99, 100, 101, 102, 103, 104, 105].slice(0, random.between(1, 13)),
  workbooks: [1, 2, 3, 20, 21, 22, 300].slice(0, random.between(1, 7)),
  shares: random.between(1, 8),
})

function workbooksOf(deploymentId: number, random: Random, { folders, workbooks, ...most } = sizes(random)): Subject[] {
  const deep = random.chance(0.3)
  const parentOf = (index: number): number | null => {
    if (deep && random.chance(0.9)) return folders[index - 1] ?? null
    // An id that is nowhere, the folder itself, and folders within it are among them.
    return random.pick([null, null, ...folders.slice(0, index), random.pick([...folders, 555])])
  }
  const shares = Array.from({ length: most.shares }, () => {
    const type = random.pick(['folder', 'folder', 'workbook'])
    const id = random.pick(type === 'folder' ? folders : [...workbooks, 400])
    return { type, id, tenant: random.pick([...tenants, null]) }
  })
  const distinct = [...new Map(shares.map((share) => [Object.values(share).join(), share])).values()]
  return [
    ...folders.map((id, index) => ({
      kind: 'folder',
      identity: { deploymentId, id },
      content: (turn: number) => ({ name: `Folder ${id}, turn ${turn}`, parentId: parentOf(index) }),
      mayEnd: true,
    })),
    ...workbooks.map((id) => ({
      kind: 'workbook',
      identity: { deploymentId, id },
      content: (turn: number) => ({
        ...workbookFields,
        name: `Workbook ${id}, turn ${turn}`,
        folderId: random.pick([null, ...folders, ...folders, 555]),
      }),
      mayEnd: true,
    })),
    ...distinct.map(({ type, id, tenant }) => ({
      kind: 'share',
      identity: { deploymentId, resource: { type, id }, grantee: granteeOf(tenant) },
      content: () => ({}),
      mayEnd: true,
    })),
  ]
}

const workbookFields = {
  meta: {},
  calculatedFields: {},
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-02',
  type: 'WORKBOOK',
}

function notificationsOf(deploymentId: number, random: Random): Subject[] {
  const ids = [1, 2, 30].slice(0, random.between(0, 3))
  return ids.flatMap((id) => [
    {
      kind: 'notification',
      identity: { deploymentId, id },
      content: (turn: number) => ({
        createdAt: `2026-01-0${random.between(1, 3)}T00:00:00Z`,
        dashboardId: random.pick([undefined, ...dashboards]),
        timezone: `turn ${turn}`,
      }),
      mayEnd: true,
    },
    ...recipients
      .filter(() => random.chance(0.6))
      .map((recipient) => ({
        kind: 'recipient',
        identity: { deploymentId, notificationId: id, recipient },
        content: () => ({}),
        mayEnd: true,
      })),
  ])
}
