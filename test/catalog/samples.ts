import { readFileSync } from 'node:fs'
import type { KindName } from '@embed-access/core/catalog/kind.ts'

type Sample = Readonly<Record<string, unknown>>

type Schema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

type ChangeSchema = {
  readonly properties: { readonly kind: { readonly const: string }; readonly data: Schema }
}

const changes = JSON.parse(readFileSync('docs/catalog.schema.json', 'utf8'))
  .oneOf as readonly ChangeSchema[]

/** Values of fields that take not any of their type, or that refer to another sample. */
const values: Sample = {
  accountId: 'acme',
  deploymentId: 1,
  embedTenantName: 'north',
  userId: 1,
  workbookId: 5,
  notificationId: 500,
  ...{ folderId: 7, parentId: 6, dashboardId: 71, publicId: 'public-9' },
  tokenHash: 'a1'.repeat(32),
  deploymentIds: [1, 2],
  timezone: 'Europe/Oslo',
  cronExpression: '0 9 * * 1',
  createdAt: '2026-02-02',
  updatedAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:00.123456789Z',
  completedAt: '2026-01-01T00:01:00Z',
  expiresAt: '2027-01-01T00:00:00Z',
  defaultValue: [1, 2.5],
  containerPadding: [1, 2],
  files: { 'index.html': '<p>', constructor: 'x' },
  dependencies: { d3: '7' },
  columnFormats: {
    ...{ revenue: { type: 'currency', decimalPlaces: 2 }, share: { type: 'percent' }, plain: null },
    count: { type: 'number', decimalPlaces: null },
  },
}

/** A value with every field of the schema, at every depth. */
function whole(
  { const: constant, enum: choices, anyOf, oneOf, type, items, properties }: Schema,
  name = '',
): unknown {
  if (name in values) return values[name]
  if (constant !== undefined) return constant
  if (choices) return choices.findLast((choice) => choice !== null)
  const [first] = anyOf ?? oneOf ?? []
  if (first) return whole(first)
  const [plain] = [type].flat()
  if (plain === 'array') return [whole(items as Schema)]
  if (plain !== 'object')
    return { string: `odd #1% "${name}"`, integer: 1, number: 7.5, boolean: true }[plain as string]
  if (!properties) return { any: [1, { thing: null }] }
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [field, whole(schema, field)]),
  )
}

/** A complete sample of a kind, with other values of its own. */
function sampleOf(kind: KindName, own: Sample): Sample {
  const { properties } = changes.find(
    ({ properties }) => properties.kind.const === kind,
  ) as ChangeSchema
  // The folders of a workbook follow from the folders, and are not stored.
  const { folderPath: _, ...sample } = whole(properties.data) as Sample
  return { ...sample, ...own }
}

/** Complete data of every kind, one of each form that a kind has. */
export const samples = {
  account: [
    sampleOf('account', {
      id: 'acme',
      oidc: { issuer: 'https://login.acme.example', audience: 'embed', userClaim: 'email' },
    }),
  ],
  user: [
    sampleOf('user', { id: 1, email: 'Ada@acme.example', username: 'Ada' }),
    sampleOf('user', {
      id: 2,
      email: 'rob@acme.example',
      username: 'rob',
      roles: [],
      deploymentIds: 'all',
    }),
  ],
  apiKey: [sampleOf('apiKey', {})],
  deployment: [sampleOf('deployment', { id: 1 })],
  embedTenant: [sampleOf('embedTenant', { name: 'north' })],
  group: [sampleOf('group', { name: '100%25 #1' })],
  tenantGroup: [sampleOf('tenantGroup', { name: 'a#b' })],
  attributeDefinition: [sampleOf('attributeDefinition', { name: 'a#b' })],
  folder: [sampleOf('folder', { id: 7 })],
  workbook: [sampleOf('workbook', { id: 5, userId: 7.5 })],
  share: [
    sampleOf('share', {
      resource: { type: 'workbook', id: 5 },
      grantee: { type: 'embedTenant', name: 'north' },
    }),
    sampleOf('share', { resource: { type: 'folder', id: 7 }, grantee: { type: 'allEmbedUsers' } }),
  ],
  dbtSync: [sampleOf('dbtSync', { syncJobId: 'job#1%', status: 'FAILED', trigger: 'agent' })],
  notification: [
    sampleOf('notification', { id: 500 }),
    sampleOf('notification', { id: 501, dashboardId: undefined }),
  ],
  recipient: [
    sampleOf('recipient', { recipient: { type: 'user', userId: 2 } }),
    sampleOf('recipient', {
      recipient: { type: 'embedUser', embedTenantName: 'south', externalId: 'x#y' },
    }),
  ],
} satisfies Readonly<Record<KindName, readonly [Sample, ...Sample[]]>>
