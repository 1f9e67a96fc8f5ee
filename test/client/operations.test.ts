import { readFileSync } from 'node:fs'
import type * as exported from '@embed-access/client'
import { type Client, createClient } from '@embed-access/client'
import { expect, test } from 'vitest'
import type { operations } from '../../client/contract.ts'

type Operation = keyof operations
type List = Extract<Operation, `list${string}`>

const deploymentId = 1
const page = { first: 7, after: 'cursor' }
const workbooks = { ...page, accessSource: 'folder', include: 'accessSources' } as const

const lists: Readonly<Record<List, (client: Client) => AsyncIterable<unknown>>> = {
  listEmbedTenantWorkbooks: (client) =>
    client.listEmbedTenantWorkbooks({ ...workbooks, deploymentId, embedTenantName: 'north' }),
  listEmbedWorkbooks: (client) => client.listEmbedWorkbooks(workbooks),
  listEmbedTenants: (client) => client.listEmbedTenants({ ...page, search: 'n' }),
  listWorkbookEmbedTenants: (client) =>
    client.listWorkbookEmbedTenants({
      ...page,
      deploymentId,
      workbookId: 5,
      embedTenantName: 'north',
    }),
  listDbtSyncs: (client) =>
    client.listDbtSyncs({ ...page, deploymentId, status: 'FAILED', trigger: 'api' }),
  listNotifications: (client) =>
    client.listNotifications({
      ...page,
      deploymentId,
      dashboardId: 1,
      dashboardPublicId: 'sales',
      recipientUserId: 2,
      recipientEmail: 'ada@acme.example',
      recipientEmbedTenantName: 'north',
      recipientExternalId: 'u-1',
    }),
}

/** What calls the operations that are no methods of the client. Nothing calls some. */
const callers: Readonly<
  Record<Exclude<Operation, keyof Client>, keyof typeof exported | undefined>
> = {
  exchangeSession: 'redeem',
  endEmbedSession: 'redeem',
  getEmbedSession: 'createVerifier',
  getEmbedRevocations: 'createVerifier',
  getKeySet: 'createVerifier',
  getSpec: undefined,
  getErrorReference: undefined,
}

type Described = { readonly operationId: string; readonly parameters?: { readonly name: string }[] }
const document: { readonly paths: Record<string, Record<string, Described>> } = JSON.parse(
  readFileSync('docs/openapi.json', 'utf8'),
)
const described = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId, parameters = [] }) => [
      operationId,
      { path, takes: parameters.map(({ name }) => name) },
    ]),
  ),
)

/** A client of a service whose lists are empty, with the addresses that it asked for. */
function recording() {
  const sent: URL[] = []
  const fetch = async ({ url }: Request) => {
    sent.push(new URL(url))
    return Response.json({ items: [], pageInfo: { hasNextPage: false } })
  }
  return { client: createClient({ baseUrl: 'https://embed.test', token: 'sk-1', fetch }), sent }
}

test('each operation of the document is a method, or called by another export', () => {
  const called = [...Object.keys(recording().client), ...Object.keys(callers)]
  expect(called).toEqual(expect.arrayContaining([...described.keys()]))
})

test.each(Object.entries(lists))('%s takes all that the document says', async (id, list) => {
  const { client, sent } = recording()
  await Array.fromAsync(list(client))
  const { path, takes } = described.get(id) ?? { path: '', takes: [] }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const [{ pathname, searchParams }] = sent as [URL]
  expect(pathname).toMatch(RegExp(`^${path.replaceAll(/\{\w+\}/g, '\\w+')}$`))
  expect([...inPath, ...searchParams.keys()].sort()).toEqual(takes.sort())
})
