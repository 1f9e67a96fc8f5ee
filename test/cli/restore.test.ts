import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations/operations.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { started } from '../support/command.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { commanded } from './environment.ts'

/* Two services, each with an engine of its own; the second one gets what the first one's catalog exports. */

/** Changes after the demo's, so that there are tombstones, and what sessions have defined. */
const later = [
  { kind: 'workbook', op: 'delete', revision: 2, data: { deploymentId: 1001, id: 5021 } },
  { kind: 'embedTenant', op: 'delete', revision: 2, data: { accountId: 'harborline', name: 'quillfield' } },
  { kind: 'group', op: 'delete', revision: 2, data: { accountId: 'harborline', name: 'buyers' } },
]
const defining = {
  deploymentId: 1001,
  embedTenantName: 'made-by-a-session',
  externalId: 'u-1',
  creatorMode: true,
  tenantGroupDefinitions: [{ name: 'editors', description: 'May edit' }],
  userAttributeDefinitions: [{ name: 'depot', defaultValue: 'Bergen' }],
}

const tenants = 'alder-oak brightwater casa-lumen fjordhus nimbus-outfitters quillfield made-by-a-session'.split(' ')

const generate = '/api/v1/embed/generate-session'
const sessions = [
  ...tenants.map((embedTenantName) => ({ embedTenantName, externalId: 'u-1' })),
  { groups: ['buyers'] },
  { groups: ['finance'] },
  { embedTenantName: 'made-by-a-session', tenantGroups: ['editors'] },
  { internalId: 'ines' },
].map((request) => ({ deploymentId: 1001, ...request }))

const directory = temporaryDirectory()
let services: readonly Service[] = []

beforeAll(async () => {
  const copy = join(directory, 'copy.ndjson.gz')
  const first = await start()
  await catalog(first, 'import', await fileIn(directory, 'later.ndjson', later))
  expect(await call(first, post(generate, defining))).toEqual({ status: 200, text: expect.any(String) })
  await catalog(first, 'export', copy)
  services = [first, await start('--catalog', copy)]
})
afterAll(() => Promise.all(services.map(({ end }) => end())))

const compared = Object.entries(requests()).filter(([, all]) => all.length > 0)

test.each(compared)('%s answers from the imported copy as before', async (id, all) => {
  const answers: Answer[] = []
  for (const request of all) answers.push(await compare(request))
  const pagesWithItems = answers.filter(({ text }) => text.startsWith('{"items":[{'))
  if (id.startsWith('list-')) expect(pagesWithItems.length).toBeGreaterThan(5)
  // One of the sessions names a group that was deleted.
  if (id === 'generate-session') expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
})

test('every key opens in the imported copy what it opened before', async () => {
  const statuses = new Set<number>()
  for (const [, [request]] of compared) {
    for (const key of Object.values(demoKeys)) statuses.add((await compare(request as Request, key)).status)
  }
  expect(statuses).toEqual(new Set([200, 204, 401, 403, 404]))
})

test('tokens from the imported copy say what they said before', async () => {
  for (const body of sessions) {
    const [before, after] = await Promise.all(services.map((service) => claimsOf(service, body)))
    expect(after).toEqual(before)
  }
})

type Service = Awaited<ReturnType<typeof start>>
type Request = { readonly path: string; readonly body?: object }

async function start(...options: readonly string[]) {
  const service = await started(...options)
  const [, engine = ''] = await service.printed(/DYNAMODB_ENDPOINT=(\S+)/)
  return { ...service, engine }
}

async function catalog(service: Service, ...args: readonly string[]): Promise<void> {
  const { code, printed } = await commanded('catalog', args, { env: { DYNAMODB_ENDPOINT: service.engine } })
  expect([code, printed]).toEqual([0, expect.any(String)])
}

/** What is asked of each operation. One without requests does not compile. */
function requests(): Readonly<Record<OperationId, readonly Request[]>> {
  return {
    'list-embed-tenant-workbooks': tenants.flatMap((tenant) =>
      listsOf(`embed-tenants/${tenant}/workbooks`, [
        'include=accessSources&first=200',
        'accessSource=tenant',
        'accessSource=allEmbedUsers&first=3',
        'accessSource=folder',
      ]),
    ),
    'list-dbt-syncs': listsOf('dbt-sync', [
      '',
      'first=7',
      'status=FAILED',
      'trigger=webhook',
      'status=FAILED&trigger=api',
    ]),
    'list-notifications': listsOf('notifications', [
      '',
      'first=7',
      'recipientUserId=1',
      'recipientEmail=ines.carvalho@harborline.example',
      'recipientEmbedTenantName=alder-oak&recipientExternalId=user-1',
      'dashboardId=35166',
    ]),
    'list-workbook-embed-access': ['', '?first=1', '?embedTenantName=alder-oak'].flatMap((query) =>
      [5179, 5154, 5001, 4242].map((id) => get(`/api/v1/deployments/1001/workbooks/${id}/embed-access${query}`)),
    ),
    'generate-session': sessions.map((body) => post(`${generate}?dryRun=true`, body)),
    // Its answers are random. A test of its own compares what the tokens say.
    'exchange-session': [],
    'revoke-session': [post('/api/v1/embed/session/revoke', { sessionId: 'unknown' })],
    // Tokens are signed with keys that are no part of the catalog.
    'get-embed-session': [],
    'end-embed-session': [],
    'get-key-set': [],
    'get-spec': [get('/api/v1/spec')],
    'get-error-reference': [get('/docs/errors')],
  }
}

function get(path: string): Request {
  return { path }
}

function post(path: string, body: object): Request {
  return { path, body }
}

function listsOf(name: string, queries: readonly string[]): Request[] {
  return [
    ...queries.map((query) => get(`/api/v1/deployments/1001/${name}?${query}`)),
    ...[1002, 2001, 4242].map((id) => get(`/api/v1/deployments/${id}/${name}`)),
  ]
}

async function call({ url }: Service, { path, body }: Request, key: string = demoKeys.admin) {
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, text: withoutChance(await response.text(), url) }
}

/** Leaves out what depends on chance, on the time, or on the service's own address. */
function withoutChance(text: string, url: string): string {
  const anew = [/"requestId":"[^"]*"/g, /"(jti|iat|nbf|exp|at)":("[^"]*"|\d+)/g, /(?<=#anonymous#)[\w-]+/g]
  return anew.reduce((left, each) => left.replace(each, ''), text.replaceAll(url, ''))
}

type Answer = Awaited<ReturnType<typeof call>>

/** Compares the answers of both services, and returns them. */
async function compare(request: Request, key?: string): Promise<Answer> {
  const [before, after] = (await Promise.all(services.map((service) => call(service, request, key)))) as [
    Answer,
    Answer,
  ]
  expect([request, key, after]).toEqual([request, key, before])
  return before
}

/** What the token of a session says, without what differs each time. */
async function claimsOf(service: Service, body: object): Promise<unknown> {
  const session = await call(service, post(generate, body))
  if (session.status !== 200) return session
  const { text } = await call(service, post('/api/v1/embed/session/token', JSON.parse(session.text)))
  return withoutChance(JSON.stringify(decodeJwt(JSON.parse(text).token)), service.url)
}
