import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { ApiError } from './api-error.ts'
import type { components, operations, paths } from './contract.ts'
import { type Pages, pagesOf } from './pages.ts'
import { type EmbedSession, type RedeemOptions, redeemSession } from './redeem.ts'
import { isExchange, withRetries } from './retries.ts'
import { realTime, type Time } from './time.ts'

/**
 * The longest that the service may take to redeem a session or to end a token, in milliseconds. All
 * callers that need a token wait for it.
 */
const longestAnswer = 15_000

type Schemas = components['schemas']

export type SessionRequest = Schemas['GenerateSession']
export type Workbook = Schemas['Workbook']
export type DbtSync = Schemas['DbtSync']
export type Notification = Schemas['Notification']
export type EmbedAccess = Schemas['EmbedAccess']
export type AccessExplanation = Schemas['AccessExplanation']
export type DryRun = Schemas['DryRun']

/** The filters of a list, and the size of its pages. */
type Query<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]['parameters']['query']>,
  'after'
>

export type ClientOptions = {
  /** The address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string
  /**
   * An API key or token, or a function that returns the current one. Not needed to redeem a
   * session.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** All of an embed tenant, or one of its external users. */
export type EndUsers = { readonly embedTenantName: string; readonly externalId?: string }

export type Client = {
  /** Makes a session for an end user. Call it at a backend, never in a browser. */
  generateSession(request: SessionRequest): Promise<{ readonly sessionId: string }>
  /** Checks a request like {@link Client.generateSession}, and makes no session. */
  tryGenerateSession(request: SessionRequest): Promise<DryRun>
  /** Redeems a session id, which works once, and keeps its token fresh. Call it in the browser. */
  redeem(sessionId: string, options?: RedeemOptions): Promise<EmbedSession>
  /**
   * Revokes a session: its token is refused from then on. Or, for admins, all of an embed tenant,
   * or of a user of it.
   */
  revokeSession(revoked: string | EndUsers): Promise<void>
  listEmbedTenantWorkbooks(
    deploymentId: number,
    embedTenantName: string,
    query?: Query<'listEmbedTenantWorkbooks'>,
  ): Pages<Workbook>
  /** Who can see a workbook: all embed users, and embed tenants by name. */
  listWorkbookEmbedAccess(
    deploymentId: number,
    workbookId: number,
    query?: Query<'listWorkbookEmbedAccess'>,
  ): Pages<EmbedAccess>
  /** Why an embed tenant sees a workbook, or does not. */
  explainEmbedAccess(
    deploymentId: number,
    workbookId: number,
    embedTenantName: string,
  ): Promise<AccessExplanation>
  listDbtSyncs(deploymentId: number, query?: Query<'listDbtSyncs'>): Pages<DbtSync>
  listNotifications(deploymentId: number, query?: Query<'listNotifications'>): Pages<Notification>
  /** Every operation by method and path. It throws the same errors. */
  readonly api: FetchClient<paths>
}

/**
 * Makes a client of the service. It throws an {@link ApiError} for every answer that is not a
 * success. What fails for a moment it sends again, up to three times, except for the exchange of a
 * session.
 * @throws TypeError if `baseUrl` is no URL of http or https; in a browser it may be relative
 * @example const client = createClient({ baseUrl: 'https://api.example.com', token:
 * process.env.API_KEY }) const { sessionId } = await client.generateSession({ deploymentId: 1001,
 * externalId: 'user-1' }) for await (const sync of client.listDbtSyncs(1001, { status: 'FAILED'
 * }).items()) console.log(sync.errorMessage)
 */
export const createClient = (options: ClientOptions): Client => clientIn(realTime, options)

/** {@link createClient} in a time of its own, for tests. The package does not export it. */
export function clientIn(
  time: Time,
  { baseUrl, token, fetch = globalThis.fetch }: ClientOptions,
): Client {
  requireWebAddress(baseUrl)
  const send = (request: Request) =>
    fetch(request).catch((error: unknown) => rethrow(error, request))
  const api = createFetchClient<paths>({ baseUrl, fetch: withRetries(send, time) })
  api.use({
    async onRequest({ request }) {
      // The session id is the credential of the exchange.
      if (token !== undefined && !isExchange(request) && !request.headers.has('authorization')) {
        request.headers.set(
          'authorization',
          `Bearer ${typeof token === 'string' ? token : await token()}`,
        )
      }
    },
    async onResponse({ response }) {
      if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
    },
  })

  const generate = (body: SessionRequest, dryRun: 'true' | 'false') =>
    dataOf(api.POST('/api/v1/embed/generate-session', { body, params: { query: { dryRun } } }))
  const exchange = (sessionId: string) =>
    dataOf(
      api.POST('/api/v1/embed/session/token', {
        body: { sessionId },
        signal: time.timeout(longestAnswer),
      }),
    )
  const embedAccess = (path: { deploymentId: number; workbookId: number }, query: object) =>
    dataOf(
      api.GET('/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access', {
        params: { path, query },
      }),
    )

  /** A token that is refused has ended already. */
  const endToken = async (embedToken: string) => {
    const headers = { authorization: `Bearer ${embedToken}` }
    const signal = time.timeout(longestAnswer)
    await api.DELETE('/api/v1/embed/session', { headers, signal }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error
    })
  }

  return {
    api,
    generateSession: async (request) =>
      (await generate(request, 'false')) as Schemas['GeneratedSession'],
    tryGenerateSession: async (request) => (await generate(request, 'true')) as DryRun,
    redeem: (sessionId, options = {}) =>
      redeemSession({ exchange, endToken }, time, sessionId, options),
    async revokeSession(revoked) {
      const body = typeof revoked === 'string' ? { sessionId: revoked } : revoked
      await api.POST('/api/v1/embed/session/revoke', { body })
    },
    listEmbedTenantWorkbooks: (deploymentId, embedTenantName, query) =>
      pagesOf((cursor) => {
        const params = { path: { deploymentId, embedTenantName }, query: { ...query, ...cursor } }
        return dataOf(
          api.GET('/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks', {
            params,
          }),
        )
      }),
    listWorkbookEmbedAccess: (deploymentId, workbookId, query) =>
      pagesOf((cursor) => embedAccess({ deploymentId, workbookId }, { ...query, ...cursor })),
    explainEmbedAccess: async (deploymentId, workbookId, embedTenantName) =>
      (await embedAccess({ deploymentId, workbookId }, { embedTenantName }))
        .explanation as AccessExplanation,
    listDbtSyncs: (deploymentId, query) =>
      pagesOf((cursor) => {
        const params = { path: { deploymentId }, query: { ...query, ...cursor } }
        return dataOf(api.GET('/api/v1/deployments/{deploymentId}/dbt-sync', { params }))
      }),
    listNotifications: (deploymentId, query) =>
      pagesOf((cursor) => {
        const params = { path: { deploymentId }, query: { ...query, ...cursor } }
        return dataOf(api.GET('/api/v1/deployments/{deploymentId}/notifications', { params }))
      }),
  }
}

/** A page in a browser may name its own origin by a path. */
function requireWebAddress(baseUrl: string): void {
  const isRelative = 'location' in globalThis && /^\/(?!\/)/.test(baseUrl)
  if (isRelative || (/^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl))) return
  throw new TypeError(
    'baseUrl must be the address of the service, such as https://api.example.com, not ' +
      `${JSON.stringify(baseUrl)}.`,
  )
}

/** Names the request that got no answer in time. What the caller has aborted stays as it is. */
function rethrow(error: unknown, { method, url, signal }: Request): never {
  if (signal.aborted && signal.reason?.name !== 'TimeoutError') throw error
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(`${method} ${url} got no answer: ${reason}`, { cause: error })
}

/** The data of an answer. Errors have been thrown before. */
const dataOf = async <Data>(answer: Promise<{ readonly data?: Data | undefined }>) =>
  (await answer).data as Data
