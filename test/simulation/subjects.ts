import { allEmbedUsers, embedTenant, workbook } from '../support/catalog.ts'
import type { Random } from './random.ts'

/** A thing whose changes are simulated: what identifies it, and what it may hold. */
export type Subject = {
  readonly kind: string
  readonly identity: object
  /** Different each time, so that stale content shows. */
  readonly content: (turn: number) => object
  readonly mayEnd: boolean
}

const subject = (
  kind: string,
  identity: object,
  content: Subject['content'] = () => ({}),
  mayEnd = true,
): Subject => ({
  kind,
  identity,
  content,
  mayEnd,
})

export const account = 'acme'
export const tenants = ['north', 'south']
export const dashboards = [1, 2]

export const recipients = [
  { type: 'user', userId: 1 },
  { type: 'user', userId: 2 },
  { type: 'embedUser', embedTenantName: 'north', externalId: 'ann' },
] as const

/** The things of a random catalog: few, so that they have much to do with each other. */
export function subjects(random: Random): Subject[] {
  const deployments = random.chance(0.8) ? [1] : [1, 2]
  const users = [1, 2].map((id) =>
    subject('user', { accountId: account, id }, (turn) => ({
      email: `user-${id}-${turn}@acme.example`,
      roles: [],
      deploymentIds: 'all',
    })),
  )
  const named = tenants
    .filter(() => random.chance(0.4))
    .map((name) =>
      subject('embedTenant', { accountId: account, name }, (turn) => ({
        displayName: `${name}, turn ${turn}`,
      })),
    )
  return [
    subject('account', { id: account }, () => ({ name: 'Acme' }), false),
    ...users,
    ...named,
    ...definitionsOf(random).filter(() => random.chance(0.3)),
    ...deployments.flatMap((id) => [
      subject(
        'deployment',
        { accountId: account, id },
        (turn) => ({ name: `Deployment ${turn}` }),
        false,
      ),
      ...workbooksOf(id, random),
      ...notificationsOf(id, random),
    ]),
  ]
}

/** A content may come back after another one: A, B, A. */
const definitionsOf = (random: Random): Subject[] =>
  tenants.flatMap((embedTenantName) =>
    ['one', 'two'].flatMap((name) =>
      ['tenantGroup', 'attributeDefinition'].map((kind) =>
        subject(kind, { accountId: account, embedTenantName, name }, () => ({
          description: random.pick(['a', 'b']),
        })),
      ),
    ),
  )

function workbooksOf(deploymentId: number, random: Random): Subject[] {
  // Ids of different lengths, since keys sort them as text.
  const folders = [7, 8, 9, 10, 11, 12, 99, 100, 101, 102, 103, 104, 105].slice(
    0,
    random.between(1, 13),
  )
  const workbooks = [1, 2, 3, 20, 21, 22, 300].slice(0, random.between(1, 7))
  const mostShares = random.between(1, 8)
  const deep = random.chance(0.3)
  const parentOf = (index: number): number | null => {
    if (deep && random.chance(0.9)) return folders[index - 1] ?? null
    // An id that is nowhere, the folder itself, and folders within it are among them.
    return random.pick([null, null, ...folders.slice(0, index), random.pick([...folders, 555])])
  }
  const shares = Array.from({ length: mostShares }, () => {
    const type = random.pick(['folder', 'folder', 'workbook'])
    const id = random.pick(type === 'folder' ? folders : [...workbooks, 400])
    return { type, id, tenant: random.pick([...tenants, null]) }
  })
  const distinct = [
    ...new Map(shares.map((share) => [Object.values(share).join(), share])).values(),
  ]
  return [
    ...folders.map((id, index) =>
      subject('folder', { deploymentId, id }, (turn) => ({
        name: `Folder ${id}, turn ${turn}`,
        parentId: parentOf(index),
      })),
    ),
    ...workbooks.map((id) =>
      subject('workbook', { deploymentId, id }, (turn) => ({
        ...workbook(deploymentId, id).data,
        name: `Workbook ${id}, turn ${turn}`,
        folderId: random.pick([null, ...folders, ...folders, 555]),
      })),
    ),
    ...distinct.map(({ type, id, tenant }) =>
      subject('share', {
        deploymentId,
        resource: { type, id },
        grantee: tenant === null ? allEmbedUsers : embedTenant(tenant),
      }),
    ),
  ]
}

function notificationsOf(deploymentId: number, random: Random): Subject[] {
  const ids = [1, 2, 30].slice(0, random.between(0, 3))
  return ids.flatMap((id) => [
    subject('notification', { deploymentId, id }, (turn) => ({
      createdAt: `2026-01-0${random.between(1, 3)}T00:00:00Z`,
      dashboardId: random.pick([undefined, ...dashboards]),
      timezone: `turn ${turn}`,
    })),
    ...recipients
      .filter(() => random.chance(0.6))
      .map((recipient) => subject('recipient', { deploymentId, notificationId: id, recipient })),
  ])
}
