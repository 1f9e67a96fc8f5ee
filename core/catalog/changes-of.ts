import type { Item } from '../storage/batch-get.ts'
import { type Document, unpack } from '../storage/document.ts'
import { ownSortKey, partsOfKey } from '../storage/keys.ts'

/** A key taken apart; the parts are as they were before they were escaped. */
export type KeyParts = { readonly pk: readonly string[]; readonly sk: readonly string[] }

export const partsOf = ({ pk, sk = '' }: Item): KeyParts => ({ pk: partsOfKey(pk), sk: partsOfKey(sk) })

type Data = Readonly<Record<string, unknown>>

/** How items of one kind are told by their keys, and the data of their changes. */
export type ItemKind = {
  readonly kind: string
  has(parts: KeyParts): boolean
  /** What identifies the thing, all that a delete needs. */
  identity(parts: KeyParts, item: Item): Data
  /** A text where the item keeps its JSON. */
  data(item: Item, identity: Data): Data | string
  /** Folders come after those that they lie in. */
  readonly byPlace?: true
}

const isRecord = ({ sk }: KeyParts) => sk[0] === ownSortKey

/** Things of a deployment that are items of their own, such as `1#workbook#5`. */
const ofDeployment = (type: string) => (parts: KeyParts) =>
  parts.pk[1] === type && parts.pk.length === 3 && isRecord(parts)
const inAccount =
  (type: string) =>
  ({ pk, sk }: KeyParts) =>
    pk[0] === 'account' && sk[0] === type

const deploymentIdOf = ({ pk }: KeyParts) => ({ deploymentId: Number(pk[0]) })
const identityOf = (parts: KeyParts) => ({ ...deploymentIdOf(parts), id: Number(parts.pk[2]) })

const documentOf = (item: Item): string => unpack((item.document ?? item.largeDocument) as Document)

/** Maps come back from DynamoDB in any order of their fields. */
const fieldsOf = (map: unknown, ...fields: readonly string[]): Data =>
  Object.fromEntries(fields.map((field) => [field, (map as Data)[field]]))

/** In the order in which things refer to each other. */
export const kindsInOrder: readonly ItemKind[] = [
  {
    kind: 'account',
    has: (parts) => parts.pk[0] === 'account' && isRecord(parts),
    identity: ({ pk }) => ({ id: pk[1] }),
    data: ({ name, embeddingEnabled, oidc }, identity) => ({
      ...identity,
      name,
      embeddingEnabled,
      oidc: oidc && fieldsOf(oidc, 'issuer', 'audience', 'userClaim'),
    }),
  },
  {
    kind: 'user',
    has: ({ pk }) => pk[0] === 'user',
    identity: ({ pk }) => ({ accountId: pk[1], id: Number(pk[2]) }),
    data: ({ given, firstName, picture, roles, deploymentIds }, identity) => ({
      ...identity,
      ...fieldsOf(given, 'email', 'username'),
      firstName,
      picture,
      roles,
      deploymentIds,
    }),
  },
  {
    kind: 'apiKey',
    has: ({ pk }) => pk[0] === 'apiKey',
    identity: ({ pk }, { accountId }) => ({ accountId, tokenHash: pk[1] }),
    data: ({ accountId, tokenHash, userId, name, deploymentIds, expiresAt }) => ({
      accountId,
      tokenHash,
      userId,
      name,
      deploymentIds,
      expiresAt,
    }),
  },
  {
    kind: 'deployment',
    has: (parts) => parts.pk[0] === 'deployment' && isRecord(parts),
    identity: ({ pk }, { accountId }) => ({ accountId, id: Number(pk[1]) }),
    data: ({ name }, identity) => ({ ...identity, name }),
  },
  {
    kind: 'embedTenant',
    has: inAccount('embedTenant'),
    identity: ({ pk, sk }) => ({ accountId: pk[1], name: sk[1] }),
    data: ({ displayName }, identity) => ({ ...identity, displayName }),
  },
  {
    kind: 'group',
    has: inAccount('group'),
    identity: ({ pk, sk }) => ({ accountId: pk[1], name: sk[1] }),
    data: ({ description }, identity) => ({ ...identity, description }),
  },
  {
    kind: 'folder',
    has: ofDeployment('folder'),
    identity: identityOf,
    data: ({ name, parentId }, identity) => ({ ...identity, name, parentId }),
    byPlace: true,
  },
  { kind: 'workbook', has: ofDeployment('workbook'), identity: identityOf, data: documentOf },
  {
    kind: 'share',
    has: ({ sk }) => sk[0] === 'share',
    identity: (parts) => ({
      ...deploymentIdOf(parts),
      resource: { type: parts.pk[1], id: Number(parts.pk[2]) },
      grantee: parts.sk[1] === undefined ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name: parts.sk[1] },
    }),
    data: (_, identity) => identity,
  },
  {
    kind: 'dbtSync',
    has: ofDeployment('dbtSync'),
    identity: (parts) => ({ ...deploymentIdOf(parts), syncJobId: parts.pk[2] }),
    data: documentOf,
  },
  {
    kind: 'notification',
    has: ofDeployment('notification'),
    identity: identityOf,
    data: (item) => ({ ...(JSON.parse(documentOf(item)) as Data), createdAt: item.createdAt }),
  },
  {
    kind: 'recipient',
    has: ({ sk }) => sk[0] === 'recipient',
    identity: (parts) => ({
      ...deploymentIdOf(parts),
      notificationId: Number(parts.pk[2]),
      recipient: recipientIn(parts),
    }),
    data: (_, identity) => identity,
  },
]

const recipientIn = ({ sk: [, type, first, second] }: KeyParts): Data =>
  type === 'user' ? { type, userId: Number(first) } : { type, embedTenantName: first, externalId: second }

/** The changes, as JSON texts, that make this item of a kind; none for what so far is only referred to. */
export function changesOf(kind: ItemKind, item: Item): string[] {
  const identity = kind.identity(partsOf(item), item)
  if (item.deleted === true) return isRemembered(item) ? [deletion(kind.kind, item.revision, identity)] : []
  if (item.awaited === true) return []
  const data = kind.data(item, identity)
  const own = change(kind.kind, item.revision, typeof data === 'string' ? data : JSON.stringify(data))
  return [own, ...(kind.kind === 'embedTenant' ? groupsOf(item, identity) : [])]
}

/** What would matter to later changes: a revision, or to which account the id of a deployment belongs. */
const isRemembered = ({ revision, accountId }: Item) => revision !== undefined || accountId !== undefined

type Group = { readonly name: string; readonly description?: string; readonly revision?: number }

/** The groups in an embed tenant's item. */
function groupsOf({ groups, endedGroups }: Item, { accountId, name: embedTenantName }: Data): string[] {
  const of = (list: unknown) => (list ?? []) as readonly Group[]
  return [
    ...of(groups).map(({ name, description, revision }) =>
      change('tenantGroup', revision, JSON.stringify({ accountId, embedTenantName, name, description })),
    ),
    ...of(endedGroups).map(({ name, revision }) =>
      deletion('tenantGroup', revision, { accountId, embedTenantName, name }),
    ),
  ]
}

const revised = (revision: unknown) => (revision === undefined ? '' : `,"revision":${revision}`)

const change = (kind: string, revision: unknown, data: string) =>
  `{"kind":"${kind}"${revised(revision)},"data":${data}}`

const deletion = (kind: string, revision: unknown, identity: Data) =>
  `{"kind":"${kind}","op":"delete"${revised(revision)},"data":${JSON.stringify(identity)}}`
