import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { ApiError } from './api-error.ts'
import type { components, operations, paths } from './contract.ts'
import { type Pages, pagesOf } from './pages.ts'
import { type EmbedSession, type RedeemOptions, redeemSession } from './redeem.ts'
import { isExchange, type Pause, pauseFor, withRetries } from './retries.ts'

type Schemas = components['schemas']

export type SessionRequest = Schemas['GenerateSession']
export type Workbook = Schemas['Workbook']
export type DbtSync = Schemas['DbtSync']
export type Notification = Schemas['Notification']
export type DryRun = Schemas['DryRun']

/** The filters of a list, and the size of its pages. */
type Query<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]['parameters']['query']>,
  'after'
>

export type ClientOptions = {
  /** The address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** An API key or token, or a function that returns the current one. Not needed to redeem a session. */
  readonly token?: string | (() => string | Promise<string>)
  /** In place of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Waits before a request is sent again, for tests. */
  readonly pause?: Pause
}

export type Client = {
  /** Makes a session for an end user. Call it at a backend, never in a browser. */
  generateSession(request: SessionRequest): Promise<{ readonly sessionId: string }>
  /** Checks a request like {@link Client.generateSession}, and makes no session. */
  tryGenerateSession(request: SessionRequest): Promise<DryRun>
  /** Redeems a session id, which works once, and keeps its token fresh. Call it in the browser. */
  redeem(sessionId: string, options?: RedeemOptions): Promise<EmbedSession>
  /** Revokes a session. Its token is refused from then on. */
  revokeSession(sessionId: string): Promise<void>
  listEmbedTenantWorkbooks(
    deploymentId: number,
    embedTenantName: string,
    query?: Query<'listEmbedTenantWorkbooks'>,
  ): Pages<Workbook>
  listDbtSyncs(deploymentId: number, query?: Query<'listDbtSyncs'>): Pages<DbtSync>
  listNotifications(deploymentId: number, query?: Query<'listNotifications'>): Pages<Notification>
  /** Every operation by method and path. It throws the same errors. */
  readonly api: FetchClient<paths>
}

/**
 * Makes a client of the service. It throws an {@link ApiError} for every answer that is not a success. What fails for a
 * moment it sends again, up to three times, except for the exchange of a session.
 * @example
 * const client = createClient({ baseUrl: 'https://api.example.com', token: process.env.API_KEY })
 * const { sessionId } = await client.generateSession({ deploymentId: 1001, externalId: 'user-1' })
 * for await (const sync of client.listDbtSyncs(1001, { status: 'FAILED' }).items()) console.log(sync.errorMessage)
 */
export function createClient({ baseUrl, token, fetch = globalThis.fetch, pause = pauseFor }: ClientOptions): Client {
  const api = createFetchClient<paths>({ baseUrl, fetch: withRetries((request) => fetch(request), pause) })
  api.use({
    async onRequest({ request }) {
      // The exchange needs no credential, and browsers on other origins may not send one.
      if (token !== undefined && !isExchange(request)) {
        request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`)
      }
    },
    async onResponse({ response }) {
      if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
    },
  })

  const generate = async (body: SessionRequest, dryRun: 'true' | 'false') =>
    dataOf(await api.POST('/api/v1/embed/generate-session', { body, params: { query: { dryRun } } }))
  const exchange = async (sessionId: string) =>
    dataOf(await api.POST('/api/v1/embed/session/token', { body: { sessionId } }))

  return {
    api,
    generateSession: async (request) => (await generate(request, 'false')) as Schemas['GeneratedSession'],
    tryGenerateSession: async (request) => (await generate(request, 'true')) as DryRun,
    redeem: (sessionId, options = {}) => redeemSession(exchange, pause, sessionId, options),
    async revokeSession(sessionId) {
      await api.POST('/api/v1/embed/session/revoke', { body: { sessionId } })
    },
    listEmbedTenantWorkbooks: (deploymentId, embedTenantName, query = {}) =>
      pagesOf(async (after) => {
        const params = { path: { deploymentId, embedTenantName }, query: { ...query, ...cursor(after) } }
        return dataOf(
          await api.GET('/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks', { params }),
        )
      }),
    listDbtSyncs: (deploymentId, query = {}) =>
      pagesOf(async (after) => {
        const params = { path: { deploymentId }, query: { ...query, ...cursor(after) } }
        return dataOf(await api.GET('/api/v1/deployments/{deploymentId}/dbt-sync', { params }))
      }),
    listNotifications: (deploymentId, query = {}) =>
      pagesOf(async (after) => {
        const params = { path: { deploymentId }, query: { ...query, ...cursor(after) } }
        return dataOf(await api.GET('/api/v1/deployments/{deploymentId}/notifications', { params }))
      }),
  }
}

const cursor = (after: string | undefined) => (after === undefined ? {} : { after })

/** The data of an answer. Errors have been thrown before. */
function dataOf<Data>({ data }: { readonly data?: Data | undefined }): Data {
  return data as Data
}
