import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import {
  type OperationId,
  type operations,
  type Route,
  routes,
} from '../../functions/operations/operations.ts'
import { type OperationSchemas, schemasOf } from '../../openapi/operation.ts'
import {
  acmeTenant,
  type Call,
  dbtSync,
  embedTenant,
  keys,
  notification,
  people,
  put,
  type Reply,
  share,
  type World,
  workbook,
} from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

/*
 * What the tests of every operation need to know of each. TypeScript asks for it: a new operation
 * does not compile without a value for its path's variables, a body if it is a POST, and items if
 * it is a list.
 */

type Records = typeof operations
type PostId = {
  [Id in OperationId]: Records[Id]['method'] extends 'POST' ? Id : never
}[OperationId]
/** A list for admins or readers. That of an embed token is tried by test/workbooks/own.test.ts. */
type ListId = Exclude<Extract<OperationId, `list-${string}`>, 'list-embed-workbooks'>

type VariableIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | VariableIn<Rest>
  : never

/** A variable in the path of an operation, such as `deploymentId`. */
export type PathVariable = VariableIn<Records[OperationId]['path']>

/** Names of things that are there, in deployment 1 of the account acme. */
export const variables: Readonly<Record<PathVariable, string>> = {
  deploymentId: '1',
  embedTenantName: 'north',
  workbookId: '1000',
}

const sessionRequest = { deploymentId: 1, embedTenantName: 'north', creatorMode: true }

const sessionId = async (service: Pick<World, 'post'>) => ({
  sessionId: await sessionsOf(service).newSession(sessionRequest),
})

/** A body that the operation accepts, as things are now. */
const bodies: Readonly<Record<PostId, (service: Pick<World, 'post'>) => object | Promise<object>>> =
  {
    'generate-session': () => sessionRequest,
    'exchange-session': sessionId,
    'revoke-session': sessionId,
  }

/** The changes that give the list an item of this number, in deployment 1. */
const items: Readonly<Record<ListId, (number: number) => readonly object[]>> = {
  'list-embed-tenant-workbooks': (id) => [
    workbook(1, id),
    share(1, 'workbook', id, embedTenant('north')),
  ],
  'list-dbt-syncs': (number) => [dbtSync(1, `sync-${number}`)],
  'list-notifications': (id) => [notification(1, id)],
  'list-workbook-embed-tenants': (number) => [
    workbook(1, 1000),
    share(1, 'workbook', 1000, embedTenant(`tenant-${number}`)),
  ],
  'list-embed-tenants': (number) => [acmeTenant(`tenant-${number}`)],
}

/**
 * Two accounts with an embed tenant of the same name. Only acme's deployment 1 has items: this many
 * of each list.
 */
export const itemsOfEveryList = (count: number): readonly object[] => [
  ...people,
  ...['acme', 'other'].map((accountId) => put('embedTenant', { accountId, name: 'north' })),
  ...Array.from({ length: count }, (_, index) =>
    Object.values(items).flatMap((item) => item(index + 1)),
  ).flat(),
]

/** An operation with what its function takes. */
export type KnownOperation = Route & { readonly input: OperationSchemas }

export const everyOperation: readonly KnownOperation[] = await Promise.all(
  routes.map(async (route) => ({ ...route, input: await schemasOf(route) })),
)

export const operationOf = (id: OperationId): KnownOperation =>
  everyOperation.find((each) => each.id === id) as KnownOperation

export const isList = ({ id }: Route): boolean => id in items

type Request = {
  readonly method: Route['method']
  readonly path: string
  readonly body?: object
}

/**
 * A request that the operation answers with success, if an admin of acme sends it.
 * @param changed variables of the path, or fields of the body, that have other values
 */
export async function requestOf(
  service: Pick<World, 'post'>,
  { id, method, path }: Route,
  changed: Readonly<Record<string, unknown>> = {},
): Promise<Request> {
  const values: Readonly<Record<string, unknown>> = { ...variables, ...changed }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(values[name])),
  )
  if (method !== 'POST') return { method, path: filled }
  return { method, path: filled, body: { ...(await bodies[id as PostId](service)), ...changed } }
}

export const send = (
  service: World,
  { method, path, body }: Request,
  call: Call = {},
): Promise<Reply> =>
  method === 'POST'
    ? service.post(path, { ...call, body })
    : method === 'DELETE'
      ? service.delete(path, call)
      : service.get(path, call)

export const embedToken = async (
  service: Pick<World, 'post'>,
  request: object,
  key?: string,
): Promise<Call> => bearer(await sessionsOf(service).newToken(request, key))

/**
 * A credential with which the operation answers with success: an admin's key, or a new embed token.
 */
export const credentialFor = async (
  service: Pick<World, 'post'>,
  { access }: Pick<Route, 'access'>,
): Promise<Call> =>
  access === 'public'
    ? {}
    : access === 'embed'
      ? embedToken(service, { externalId: 'u-1', embedTenantName: 'north' })
      : { key: keys.admin }

/** All items that a request may change. */
export async function stored({
  storage: { client, tables },
}: Pick<World, 'storage'>): Promise<unknown[][]> {
  const scans = [tables.catalog, tables.sessions].map((TableName) =>
    client.send(new ScanCommand({ TableName })),
  )
  return (await Promise.all(scans)).map(({ Items = [] }) => Items)
}
