import { paginateScan, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentsOf, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { definitionsIn, groupKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { type Document, unpack } from '@embed-access/core/storage/document.ts'
import { type Item, isLive } from '@embed-access/core/storage/item.ts'
import { queryIndex, readBeginning } from '@embed-access/core/storage/query.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { aboutDemoKeys } from './demo/keys.ts'
import type { Account, AccountThings, DemoKey, Things, User } from './playground/api.ts'

/** No list offers more than this. People can still type a name that it does not offer. */
const mostOffered = 1000

export async function readAccounts(storage: Storage): Promise<Account[]> {
  const { client, tables } = storage
  const users = new Map<string, User[]>()
  const keys = new Map<unknown, Item>()
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.credentials })) {
    for (const item of (Items as Item[]).filter(isLive)) {
      if (item.kind === 'apiKey' && demoKeyOf.has(item.tokenHash)) keys.set(item.tokenHash, item)
      if (item.kind !== 'user') continue
      const accountId = item.accountId as string
      if (!users.has(accountId) && users.size < mostOffered) users.set(accountId, [])
      const known = users.get(accountId)
      const user = userOf(item)
      if (known && (known.length < mostOffered || user.isAdmin)) known.push(user)
    }
  }
  const accounts = await batchGet(storage, [...users.keys()].map(accountKey))
  const inOrderOfDemo = [...demoKeyOf.keys()].flatMap((hash) => keys.get(hash) ?? [])
  return [...accounts.values()]
    .filter(isLive)
    .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
    .map(({ id, name, embeddingEnabled }) => {
      const own = (users.get(id as string) ?? []).sort((a, b) => a.id - b.id)
      const ownKeys = inOrderOfDemo.filter(({ accountId }) => accountId === id)
      return {
        id: id as string,
        name: `${name}${embeddingEnabled ? '' : ' (embedding is off)'}`,
        users: own,
        keys: ownKeys.flatMap((key) => keyOf(key, own) ?? []),
      }
    })
}

export async function readAccountThings(
  storage: Storage,
  accountId: string,
): Promise<AccountThings> {
  const [deployments, groups] = await Promise.all([
    readDeployments(storage, accountId),
    readBeginning(storage, accountKey(accountId).pk, groupKey('', '').sk),
  ])
  const names = groups.filter(isLive) as unknown as Named[]
  return {
    deployments: deployments.map(({ id, name }) => ({ id, name })).sort((a, b) => a.id - b.id),
    groups: names.slice(0, mostOffered).map(({ name }) => name),
  }
}

async function readDeployments(storage: Storage, accountId: string): Promise<Named[]> {
  const range = { index: 'byDeployment', partition: deploymentsOf(accountId) }
  const { items } = await queryIndex(storage, range, mostOffered)
  const found = [...(await batchGet(storage, items)).values()]
  return found.filter(isLive) as unknown as Named[]
}

type Named = { id: number; name: string }

/** A part of a large catalog is read at a time, so that the first suggestions come early. */
const callsAtOnce = 8

/**
 * Reads a part of an account's embed tenants and end users and of a deployment's workbooks, in the
 * order of the table. Nothing of another kind is sent.
 * @param after where the part before ended
 */
export async function readThings(
  storage: Storage,
  accountId: string,
  deploymentId: number,
  after: Record<string, unknown> | undefined,
): Promise<Things> {
  const deployments = await readDeployments(storage, accountId)
  const items: Item[] = []
  let next = after
  for (let call = 0; call < callsAtOnce && items.length < mostOffered; call += 1) {
    const { Items = [], LastEvaluatedKey } = await storage.client.send(
      new ScanCommand({
        TableName: storage.tables.catalog,
        FilterExpression:
          'attribute_not_exists(deleted) AND (#kind = :recipient OR ' +
          '(#kind = :embedTenant AND accountId = :account) OR ' +
          '(#kind = :workbook AND deploymentId = :deployment))',
        ExpressionAttributeNames: { '#kind': 'kind' },
        ExpressionAttributeValues: {
          ':embedTenant': 'embedTenant',
          ':account': accountId,
          ':deployment': deploymentId,
          ':workbook': 'workbook',
          ':recipient': 'recipient',
        },
        ...(next && { ExclusiveStartKey: next }),
      }),
    )
    items.push(...(Items as Item[]))
    next = LastEvaluatedKey
    if (!next) break
  }
  return {
    ...thingsOf(items, new Set(deployments.map(({ id }) => id))),
    ...(next && { next: Buffer.from(JSON.stringify(next)).toString('base64url') }),
  }
}

/** @param deploymentIds those of the account. Recipients elsewhere are left out */
function thingsOf(items: Item[], deploymentIds: ReadonlySet<number>): Things {
  const byKind = Object.groupBy(items, ({ kind }) => String(kind))
  const { embedTenant = [], recipient = [], workbook = [] } = byKind
  const workbooks = workbook.map(
    ({ document }) => JSON.parse(unpack(document as Document)) as StoredWorkbook,
  )
  return {
    embedTenants: embedTenant
      .filter(({ name }) => name !== undefined)
      .map((item) => ({
        name: item.name as string,
        ...(item.displayName !== undefined && { displayName: item.displayName as string }),
        groups: definitionsIn(item).groups.map(({ name }) => name),
      })),
    endUsers: recipient
      .filter(({ deploymentId }) => deploymentIds.has(deploymentId as number))
      .map((item) => item.recipient as Partial<Things['endUsers'][number]>)
      .flatMap(({ embedTenantName, externalId }) =>
        embedTenantName && externalId ? [{ embedTenantName, externalId }] : [],
      ),
    workbooks: workbooks.map(({ name, id }) => ({ name, id })),
    dashboards: workbooks.flatMap(({ publishedDashboard: dashboard, name }) =>
      dashboard
        ? [{ id: dashboard.id, publicId: dashboard.publicId, title: dashboard.title ?? name }]
        : [],
    ),
  }
}

type StoredWorkbook = Named & {
  publishedDashboard?: { id: number; publicId: string; title?: string | null } | null
}

const userOf = ({ id, email, firstName, roles, deploymentIds }: Item): User => ({
  id: id as number,
  email: email as string,
  ...(firstName !== undefined && { firstName: firstName as string }),
  isAdmin: (roles as string[]).includes('admin'),
  deploymentIds: deploymentIds as 'all' | number[],
})

/** The tables have hashes of keys alone. */
const demoKeyOf = new Map<unknown, Pick<DemoKey, 'key' | 'about'>>(
  Object.entries(aboutDemoKeys).map(([key, about]) => [hashOfApiKey(key), { key, about }]),
)

function keyOf({ tokenHash, name, userId }: Item, users: readonly User[]): DemoKey | undefined {
  const user = users.find(({ id }) => id === userId)
  const demoKey = demoKeyOf.get(tokenHash)
  return user && demoKey && { ...demoKey, name: name as string, email: user.email }
}
