import { readdirSync } from 'node:fs'
import type { Context, SQSEvent } from 'aws-lambda'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { handler as authorizer } from '../../functions/authorizer.ts'
import { handler as catalogSync } from '../../functions/catalog-sync.ts'
import type { OperationHandler } from '../../functions/http/operation.ts'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { asksAuthorizer, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import type { FunctionRecord } from '../../functions/operations/record.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { createGateway } from '../../local/gateway/gateway.ts'
import { gatewayServer } from '../../local/gateway/server.ts'
import { type Issuer, startIssuer } from '../access/issuer.ts'
import { samples } from '../catalog/samples.ts'
import {
  credentialFor,
  embedToken,
  everyOperation,
  itemsOfEveryList,
  type Request,
  requestOf,
} from '../operations/requests.ts'
import { sendTo } from '../support/in-process.ts'
import { testLog } from '../support/log.ts'
import { allEmbedUsers, type Call, embedTenant, folder, keys, share, workbook, world } from '../support/service.ts'
import { recordedStorage } from './recorded-calls.ts'

const audience = 'https://embed.test/api'
const workbooks = '/api/v1/deployments/1/embed-tenants/north/workbooks'
const dbtSyncs = '/api/v1/deployments/1/dbt-sync'
const notifications = '/api/v1/deployments/1/notifications'

const service = world([
  ...itemsOfEveryList(1),
  folder(1, 1, null),
  folder(1, 2, 1),
  workbook(1, 10, { folderId: 2 }),
  workbook(1, 11),
  workbook(1, 12),
  share(1, 'folder', 1, embedTenant('north')),
  share(1, 'workbook', 11, embedTenant('north')),
  share(1, 'workbook', 12, allEmbedUsers),
  { kind: 'recipient', data: { deploymentId: 1, notificationId: 1, recipient: { type: 'user', userId: 2 } } },
])

const called = new Map(Object.keys(lambdas).map((name) => [name, new Set<string>()]))
let issuer: Issuer
const { log } = testLog()
let server: ReturnType<typeof gatewayServer>

beforeAll(async () => {
  issuer = await startIssuer()
  await service.apply([{ kind: 'account', data: { id: 'acme', name: 'Acme', embeddingEnabled: true, oidc: oidc() } }])
  service.now = Date.now()
  const runtime = {
    now: () => service.now,
    log: (entry: object) => log(JSON.stringify(entry)),
    issuer: service.issuer,
    issuance: { issuer: service.issuer, audience: service.issuer, ...defaultLimits },
  }
  const partsOf = (name: string) => {
    const noted = called.get(name) as Set<string>
    return { ...runtime, storage: recordedStorage(service.storage.tables, inject('engineEndpoint'), noted) }
  }
  const gateway = createGateway({
    log,
    now: () => service.now,
    corsOrigins: [],
    authorizer: authorizer.create(partsOf('authorizer')),
    authorizerTimeoutSeconds: 9,
    authorizerCacheSeconds: 0,
    routes: await Promise.all(
      routes.map(async (route) => {
        const { handler } = (await import(`../../functions/${route.id}.ts`)) as { handler: OperationHandler }
        const [routeKey, authorized] = [routeKeyOf(route), asksAuthorizer(route)]
        return { routeKey, handler: handler.create(partsOf(route.id)), authorized, timeoutSeconds: route.timeout }
      }),
    ),
  })
  server = gatewayServer(gateway)
})

afterAll(() => issuer.stop())

const oidc = () => ({ issuer: issuer.url, audience, userClaim: 'preferred_username' })

async function send({ method, path, body }: Request, { key = keys.admin, ...call }: Call = {}, statuses = [200, 204]) {
  const reply = await sendTo(server, method, path, { key, ...call, body })
  expect(statuses, `${path}: ${reply.text}`).toContain(reply.status)
  return reply.body
}

const get = (path: string, call?: Call) => send({ method: 'GET', path }, call)

const post = (path: string, body: object, statuses?: number[], call?: Call) =>
  send({ method: 'POST', path: `/api/v1/embed/${path}`, body }, call, statuses)

const session = async (request: object): Promise<string> =>
  (await post('generate-session', { deploymentId: 1, ...request })).sessionId

const withToken = (token: string): Call => ({ authorization: `Bearer ${token}` })

const otherReads = [
  ...['?accessSource=tenant', '?accessSource=allEmbedUsers', '?accessSource=folder', '?first=1'].map(
    (filter) => workbooks + filter,
  ),
  ...['?status=FAILED', '?trigger=api', '?status=FAILED&trigger=api'].map((filter) => dbtSyncs + filter),
  ...[
    '?dashboardId=1',
    '?dashboardPublicId=a',
    '?recipientUserId=2',
    '?recipientEmail=rob@acme.example',
    '?recipientUserId=2&dashboardId=1',
    '?recipientEmbedTenantName=north&recipientExternalId=a',
  ].map((filter) => notifications + filter),
]

/** Every operation once, then the other ways to use its tables. */
beforeAll(async () => {
  for (const operation of everyOperation) {
    await send(await requestOf(service, operation), await credentialFor(service, operation))
    // For an embed token of an internal user more is read.
    if (operation.access === 'public' || operation.access === 'backend') continue
    await send(await requestOf(service, operation), await embedToken(service, { internalId: 'ada' }))
  }
  for (const path of otherReads) await get(path)
  await session({ externalId: 'somebody' })
  await session({ userAttributeDefinitions: [{ name: 'region' }] })
  await post('generate-session?dryRun=true', { deploymentId: 1, publicDashboardId: 'a' })
  const tenantGroups = { tenantGroups: ['a'], tenantGroupDefinitions: [{ name: 'a' }] }
  await session({ embedTenantName: 'south', creatorMode: true, ...tenantGroups })
  const once = { sessionId: await session({ internalId: 'ada' }) }
  const token = withToken((await post('session/token', once)).token)
  await post('session/token', once, [401])
  await post('session/token', { sessionId: 'unknown' }, [401])
  for (const path of [dbtSyncs, notifications, workbooks]) await get(path, token)
  await post('session/revoke', { sessionId: 'unknown' }, [200, 204], token)
  await post('session/revoke', { sessionId: await session({}) })
  await post('session/revoke', { sessionId: 'unknown' })
  await get(dbtSyncs, withToken(await issuer.accessToken(audience, { preferred_username: 'ada' })))
  const byEmail = { ...oidc(), userClaim: 'email' }
  await service.apply([{ kind: 'account', data: { id: 'acme', name: 'Acme', embeddingEnabled: true, oidc: byEmail } }])
  await get(dbtSyncs, withToken(await issuer.accessToken(audience, { email: 'ada@acme.example' })))
})

const allowedBy = (tables: FunctionRecord['tables']): string[] =>
  tables.flatMap(({ table, reads = [], narrowReads = {}, writes = {}, indexes = [] }) => [
    ...reads.map((action) => `${action} ${table}`),
    ...Object.entries({ ...narrowReads, ...writes }).flatMap(([action, prefixes]) =>
      prefixes.map((prefix) => `${action} ${table} ${prefix}`.trim()),
    ),
    ...indexes.map((index) => `Query ${table}/${index}`),
  ])

/** Where a function may use any item, it doesn't matter which. */
const generally = (calls: ReadonlySet<string>, allowed: readonly string[]): string[] =>
  [...new Set([...calls].map((call) => allowed.find((any) => call.startsWith(`${any} `)) ?? call))].sort()

test.each(Object.entries(lambdas).filter(([, { queue }]) => !queue))(
  '%s has the permissions for what it does, and no others',
  (name, { tables }) => {
    const allowed = allowedBy(tables).sort()
    expect(generally(called.get(name) as Set<string>, allowed)).toEqual(allowed)
  },
)

test('catalog-sync has the permissions for changes of every kind, and no others', async () => {
  const calls = new Set<string>()
  const handler = catalogSync.create({
    now: () => service.now,
    log: () => {},
    issuer: service.issuer,
    storage: recordedStorage(service.storage.tables, inject('engineEndpoint'), calls),
    deadLetters: async (letters) => letters.map(() => true),
  })
  const all = Object.entries(samples).flatMap(([kind, [data]]) => [{ kind, data }])
  const deletes = all.map((change) => ({ ...change, op: 'delete' }))
  // What is not there may be deleted too.
  for (const changes of [deletes, all, deletes, all, all.map((change) => ({ ...change, revision: 7 }))]) {
    const attributes = { ApproximateReceiveCount: '1', SentTimestamp: '0' }
    const event = { Records: [{ messageId: 'm', body: JSON.stringify(changes), attributes }] } as SQSEvent
    const context = { awsRequestId: 'call', getRemainingTimeInMillis: () => 600_000 } as Context
    expect(await handler(event, context)).toEqual({ batchItemFailures: [] })
  }
  const allowed = allowedBy((lambdas['catalog-sync'] as FunctionRecord).tables).sort()
  expect(generally(calls, allowed)).toEqual(allowed)
})

test('every function has a record, and every record a function', () => {
  const files = readdirSync('functions').filter((name) => name.endsWith('.ts'))
  expect(files.sort()).toEqual(
    Object.keys(lambdas)
      .map((name) => `${name}.ts`)
      .sort(),
  )
})
