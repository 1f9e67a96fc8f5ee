import type { Operation } from './record.ts'

/**
 * A list inflates and joins up to 5 MiB. A page takes several round trips, each of which may be
 * slow. Most lists take ten at most. The list of who sees a workbook may take more, because folders
 * may move meanwhile.
 */
const list = { method: 'GET', memory: 1024, timeout: 15 } as const

/**
 * A session takes less than a millisecond to compute, even on a third of a processor. It takes two
 * round trips, and one more each for an internal user and a new embed tenant.
 */
const session = { memory: 512, timeout: 15 }

const constant = { method: 'GET', access: 'public', tables: [], memory: 256, timeout: 5 } as const

/** What a list reads if it finds its items by these indexes. */
const catalogBy = (...indexes: readonly string[]) =>
  ({ table: 'catalog', reads: ['BatchGetItem'], indexes }) as const

/** Where a function reads whether the caller's embed token was revoked. */
export const revocations = {
  table: 'sessions',
  narrowReads: { BatchGetItem: ['revocation#'] },
} as const

export const publicKeys = { table: 'signingKeys', narrowReads: { GetItem: ['public#'] } } as const

/** Only for the functions that sign: tokens, and the document of revocations. */
const privateKeys = { table: 'signingKeys', narrowReads: { GetItem: ['private#'] } } as const

const users = { table: 'credentials', narrowReads: { BatchGetItem: ['user#'] } } as const

/** What decides whether an embed token is still good, besides revocations. */
const tokenChecks = [
  { table: 'catalog', narrowReads: { BatchGetItem: ['account#', 'deployment#'] } },
  users,
  publicKeys,
] as const

/** A transaction that reads needs GetItem. */
const workbooks = {
  ...catalogBy('byEmbedTenant', 'byAllEmbedUsers', 'byFolder', 'folderTree'),
  reads: ['BatchGetItem', 'GetItem'],
} as const

/**
 * Every operation of the service, by its id. `functions/<id>.ts` answers it, `openapi/operations/`
 * describes it. Gateway, deployment, policies, dashboard, document and the tests of every operation
 * are made from these records.
 */
export const operations = {
  'list-embed-tenant-workbooks': {
    path: '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks',
    access: 'admin',
    ...list,
    tables: [workbooks, revocations],
  },
  'generate-session': {
    method: 'POST',
    path: '/api/v1/embed/generate-session',
    access: 'backend',
    ...session,
    tables: [
      {
        table: 'catalog',
        narrowReads: {
          BatchGetItem: ['account#', 'deployment#', 'embedTenant#'],
          // A caller learns which group is the nearest to an unknown one.
          Query: ['account#'],
        },
        writes: { UpdateItem: ['embedTenant#'] },
        // A dry run asks whether a workbook has the public dashboard id. An admin learns which
        // embed tenant is the nearest to an unknown one.
        indexes: ['byPublicId', 'byAccount'],
      },
      { table: 'sessions', writes: { PutItem: ['session#'] } },
      { ...users, indexes: ['byEmail', 'byUsername'] },
    ],
  },
  'exchange-session': {
    method: 'POST',
    path: '/api/v1/embed/session/token',
    access: 'public',
    // A person waits while this makes two calls, one after the other. Every five minutes it makes a
    // third call, for the keys.
    memory: 512,
    timeout: 8,
    tables: [
      {
        table: 'sessions',
        narrowReads: { GetItem: ['end#'] },
        writes: { DeleteItem: ['session#'], PutItem: ['end#'] },
      },
      privateKeys,
    ],
  },
  'revoke-session': {
    method: 'POST',
    path: '/api/v1/embed/session/revoke',
    access: 'read',
    ...session,
    tables: [
      {
        ...revocations,
        writes: { UpdateItem: ['revocation#'], PutItem: ['end#'], DeleteItem: ['session#'] },
      },
    ],
  },
  'get-embed-session': {
    method: 'GET',
    path: '/api/v1/embed/session',
    access: 'embed',
    ...session,
    tables: [revocations, ...tokenChecks],
  },
  'end-embed-session': {
    method: 'DELETE',
    path: '/api/v1/embed/session',
    access: 'embed',
    ...session,
    tables: [{ ...revocations, writes: { UpdateItem: ['revocation#'] } }, ...tokenChecks],
  },
  'list-embed-workbooks': {
    path: '/api/v1/embed/workbooks',
    access: 'embed',
    ...list,
    tables: [workbooks, revocations, users, publicKeys],
  },
  'list-dbt-syncs': {
    path: '/api/v1/deployments/{deploymentId}/dbt-sync',
    access: 'read',
    ...list,
    tables: [catalogBy('byDeployment', 'byStatus', 'byTrigger', 'byStatusAndTrigger'), revocations],
  },
  'list-notifications': {
    path: '/api/v1/deployments/{deploymentId}/notifications',
    access: 'read',
    ...list,
    tables: [
      catalogBy(
        'byDeployment',
        'byDashboard',
        'byRecipient',
        'byRecipientAndDashboard',
        'byPublicId',
      ),
      { ...users, indexes: ['byEmail'] },
      revocations,
    ],
  },
  'list-workbook-embed-tenants': {
    path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-tenants',
    access: 'admin',
    ...list,
    tables: [
      // A transaction that reads needs GetItem.
      { table: 'catalog', reads: ['BatchGetItem', 'GetItem', 'Query'] },
      revocations,
    ],
  },
  'list-embed-tenants': {
    path: '/api/v1/embed-tenants',
    access: 'admin',
    ...list,
    tables: [
      { table: 'catalog', narrowReads: { BatchGetItem: ['embedTenant#'] }, indexes: ['byAccount'] },
      revocations,
    ],
  },
  'get-key-set': {
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'public',
    memory: 512,
    timeout: 8,
    tables: [publicKeys],
  },
  'get-embed-revocations': {
    method: 'GET',
    path: '/.well-known/embed-revocations',
    access: 'public',
    // It makes up to 20,000 hashes.
    memory: 1024,
    timeout: 9,
    tables: [{ table: 'sessions', indexes: ['revocationsInForce'] }, privateKeys],
  },
  'get-spec': { path: '/api/v1/spec', ...constant },
  'get-error-reference': { path: '/docs/errors', ...constant },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationId = keyof typeof operations

export type Route = Operation & { readonly id: OperationId }

/** The same records in a list. The gateways serve these and nothing else. */
export const routes: readonly Route[] = Object.entries<Operation>(operations).map(
  ([id, operation]) => ({ id: id as OperationId, ...operation }),
)

/** Whether API Gateway asks the authorizer before it calls the function. */
export const asksAuthorizer = ({ access }: Pick<Operation, 'access'>): boolean =>
  access !== 'public' && access !== 'embed'

export const isList = ({ id }: Pick<Route, 'id'>): boolean => id.startsWith('list-')

/** API Gateway's name of a route, such as `GET /.well-known/jwks.json`. */
export const routeKeyOf = ({ method, path }: Operation): string => `${method} ${path}`
