import { readdirSync } from 'node:fs'
import { currentPublicKeys, currentSigner } from '@embed-access/core/signing/stored-keys.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, expect, test } from 'vitest'
import { handler as catalogSync } from '../../functions/catalog-sync.ts'
import { lambdas } from '../../functions/operations/lambdas.ts'
import type { FunctionRecord } from '../../functions/operations/record.ts'
import { accessesOf } from '../../local/permitted.ts'
import { type Issuer, startIssuer } from '../access/issuer.ts'
import { samples } from '../catalog/samples.ts'
import { deliver } from '../feed/deliver.ts'
import {
  credentialFor,
  embedToken,
  everyOperation,
  itemsOfEveryList,
  requestOf,
  send,
} from '../operations/requests.ts'
import {
  acmeAccount,
  allEmbedUsers,
  type Call,
  embedTenant,
  folder,
  keys,
  share,
  workbook,
  world,
} from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const audience = 'https://embed.test/api'
const workbooks = '/api/v1/deployments/1/embed-tenants/north/workbooks'
const dbtSyncs = '/api/v1/deployments/1/dbt-sync'
const notifications = '/api/v1/deployments/1/notifications'

/** What each function has asked of the database, from the moment it is made. */
const called = new Map(Object.keys(lambdas).map((name) => [name, new Set<string>()]))

for (const [name, noted] of called) {
  const { handler } = await import(`../../functions/${name}.ts`)
  const { create } = handler
  handler.create = (parts: Parameters<typeof catalogSync.create>[0]) => {
    const { now } = parts
    const storage = noting(parts.storage, noted)
    const signer = currentSigner({ storage, now })
    const verificationKeys = currentPublicKeys({ storage, now })
    return create({ ...parts, storage, signer, verificationKeys })
  }
}

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
  {
    kind: 'recipient',
    data: { deploymentId: 1, notificationId: 1, recipient: { type: 'user', userId: 2 } },
  },
])
const { dryRun, generate, newSession, redeem, revoke, tokenOf } = sessionsOf(service)

beforeAll(async () => {
  const issuer = await startIssuer()
  await useEveryOperation(issuer)
  await changeEveryKind()
  return issuer.stop
})

test.each(Object.entries(lambdas))(
  '%s has the permissions for what it does, and no others',
  (name, { tables }) => {
    const allowed = allowedBy(tables).sort()
    expect(generally(called.get(name) as Set<string>, allowed)).toEqual(allowed)
  },
)

test('every function has a record, and every record a function', () => {
  const files = readdirSync('functions').filter((name) => name.endsWith('.ts'))
  expect(files.sort()).toEqual(
    Object.keys(lambdas)
      .map((name) => `${name}.ts`)
      .sort(),
  )
})

function allowedBy(tables: FunctionRecord['tables']): string[] {
  return tables.flatMap(({ table, reads = [], narrowReads = {}, writes = {}, indexes = [] }) => [
    ...reads.map((action) => `${action} ${table}`),
    ...Object.entries({ ...narrowReads, ...writes }).flatMap(([action, prefixes]) =>
      prefixes.map((prefix) => `${action} ${table} ${prefix}`.trim()),
    ),
    ...indexes.map((index) => `Query ${table}/${index}`),
  ])
}

/** Where a function may use any item, it doesn't matter which. */
function generally(calls: ReadonlySet<string>, allowed: readonly string[]): string[] {
  return [
    ...new Set([...calls].map((call) => allowed.find((any) => call.startsWith(`${any} `)) ?? call)),
  ].sort()
}

/** Every operation once, then the other ways to use its tables. */
async function useEveryOperation(issuer: Issuer): Promise<void> {
  const signIn = (userClaim: string) => {
    const oidc = { issuer: issuer.url, audience, userClaim }
    return service.apply([acmeAccount({ oidc })])
  }
  service.now = Date.now()
  await signIn('preferred_username')
  for (const operation of everyOperation) {
    const { status, text } = await send(
      service,
      await requestOf(service, operation),
      await credentialFor(service, operation),
    )
    expect([200, 204], `${operation.id}: ${text}`).toContain(status)
    // An embed token of an internal user needs more reads.
    if (operation.access === 'public' || operation.access === 'backend') continue
    await send(
      service,
      await requestOf(service, operation),
      await embedToken(service, { internalId: 'ada' }),
    )
  }
  const otherReads = [
    ...[
      '?accessSource=tenant',
      '?accessSource=allEmbedUsers',
      '?accessSource=folder',
      '?first=1',
    ].map((filter) => workbooks + filter),
    ...['?status=FAILED', '?trigger=api', '?status=FAILED&trigger=api'].map(
      (filter) => dbtSyncs + filter,
    ),
    ...[
      '?dashboardId=1',
      '?dashboardPublicId=a',
      '?recipientUserId=2',
      '?recipientEmail=rob@acme.example',
      '?recipientUserId=2&dashboardId=1',
      '?recipientEmbedTenantName=north&recipientExternalId=a',
    ].map((filter) => notifications + filter),
  ]
  for (const path of otherReads) await read(path)
  await newSession({ externalId: 'somebody' })
  await newSession({ userAttributeDefinitions: [{ name: 'region' }] })
  const { status } = await generate({ groups: ['nobody'] })
  expect(status).toBe(400)
  await dryRun({ publicDashboardId: 'a', embedTenantName: 'nroth' })
  const tenantGroups = { tenantGroups: ['a'], tenantGroupDefinitions: [{ name: 'a' }] }
  await newSession({ embedTenantName: 'south', creatorMode: true, ...tenantGroups })
  const once = await newSession({ internalId: 'ada' })
  const token = bearer(await tokenOf(once))
  for (const sessionId of [once, 'unknown']) expect((await redeem(sessionId)).status).toBe(401)
  for (const path of [dbtSyncs, notifications, workbooks]) await read(path, token)
  await service.post('/api/v1/embed/session/revoke', { ...token, body: { sessionId: 'unknown' } })
  for (const sessionId of [await newSession(), 'unknown']) await revoke({ sessionId })
  await read(dbtSyncs, bearer(await issuer.accessToken(audience, { preferred_username: 'ada' })))
  await signIn('email')
  await read(dbtSyncs, bearer(await issuer.accessToken(audience, { email: 'ada@acme.example' })))
}

async function read(path: string, call: Call = { key: keys.admin }): Promise<void> {
  const { status, text } = await service.get(path, call)
  expect(status, `${path}: ${text}`).toBe(200)
}

async function changeEveryKind(): Promise<void> {
  const deadLetters = async (letters: readonly unknown[]) => ({
    isSent: letters.map(() => true),
  })
  const handler = catalogSync.create({
    storage: service.storage,
    now: () => service.now,
    log: () => {},
    issuer: service.issuer,
    deadLetters,
  })
  const all = Object.entries(samples).flatMap(([kind, [data]]) => [{ kind, data }])
  const deletes = all.map((change) => ({ ...change, op: 'delete' }))
  // What is not there may be deleted too.
  for (const changes of [
    deletes,
    all,
    deletes,
    all,
    all.map((change) => ({ ...change, revision: 7 })),
  ]) {
    expect(await deliver(handler, [JSON.stringify(changes)])).toEqual([])
  }
}

/**
 * The storage, which notes each call in the words of IAM: `Query catalog/byFolder`, or with the
 * beginning of the partition key: `PutItem sessions end#`.
 */
const noting = (storage: Storage, noted: Set<string>): Storage =>
  sendingThrough(storage, (command, options) => {
    for (const { action, table, index, partition } of accessesOf(command, storage.tables))
      noted.add(`${action} ${table}${index ? `/${index}` : ` ${partition.replace(/#.*/s, '#')}`}`)
    return storage.client.send(command, options)
  })
