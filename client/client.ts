import { callerOf, requireWebAddress, type Service } from './call.ts'
import type { components, operations, paths } from './contract.ts'
import { type Page, type Pages, pagesOf } from './pages.ts'
import { withRetries } from './retries.ts'
import { realTime, type Time, unlessAborted } from './time.ts'

type Schemas = components['schemas']

export type SessionRequest = Schemas['GenerateSession']
export type Workbook = Schemas['Workbook']
export type DbtSync = Schemas['DbtSync']
export type Notification = Schemas['Notification']
export type EmbedAccess = Schemas['EmbedAccess']
export type EmbedTenant = Schemas['EmbedTenant']
export type AccessExplanation = Schemas['AccessExplanation']
export type DryRun = Schemas['DryRun']

type PathOf<Id extends keyof operations> = Taken<operations[Id]['parameters']['path']>
type QueryOf<Id extends keyof operations> = Taken<operations[Id]['parameters']['query']>

/**
 * What an operation takes in its path and its query. The client sends no parameter that is
 * undefined. A list begins after the cursor `after`, such as the `endCursor` of an earlier page.
 */
type Input<Id extends keyof operations> = PathOf<Id> & {
  [Name in keyof QueryOf<Id>]: QueryOf<Id>[Name] | undefined
}

/** Where an operation has no parameters, the contract has the type `never`. */
type Taken<Parameters> = [NonNullable<Parameters>] extends [never]
  ? object
  : NonNullable<Parameters>

export type ClientOptions = Service & {
  /** An API key or token, or a function that returns the current one. */
  readonly token: string | (() => string | Promise<string>)
}

/** How one call is made. For a list, how each of its pages is read. */
export type CallSettings = {
  /** Ends the call. It then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** The longest that the call may take with its retries, in milliseconds. Without it, no limit. */
  readonly timeout?: number | undefined
  /** Further headers, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A session, or all sessions of an embed tenant or of one of its external users. */
export type Revoked =
  | { readonly sessionId: string }
  | { readonly embedTenantName: string; readonly externalId?: string }

export type Client = {
  /** Makes a session for an end user. */
  generateSession(
    request: SessionRequest,
    settings?: CallSettings,
  ): Promise<Schemas['GeneratedSession']>
  /** Checks a request like {@link Client.generateSession}, and makes no session. */
  tryGenerateSession(request: SessionRequest, settings?: CallSettings): Promise<DryRun>
  /** Revokes sessions: their tokens are refused from then on. */
  revokeSession(revoked: Revoked, settings?: CallSettings): Promise<void>
  listEmbedTenantWorkbooks(
    input: Input<'listEmbedTenantWorkbooks'>,
    settings?: CallSettings,
  ): Pages<Workbook>
  /** What the end user of an embed token can see: `token` of the client is that token. */
  listEmbedWorkbooks(input?: Input<'listEmbedWorkbooks'>, settings?: CallSettings): Pages<Workbook>
  /** Who can see a workbook: all embed users, and embed tenants by name. */
  listWorkbookEmbedTenants(
    input: Input<'listWorkbookEmbedTenants'>,
    settings?: CallSettings,
  ): Pages<EmbedAccess>
  /** Why an embed tenant sees a workbook, or does not. */
  explainEmbedAccess(
    input: PathOf<'listWorkbookEmbedTenants'> & { embedTenantName: string },
    settings?: CallSettings,
  ): Promise<AccessExplanation>
  /** The embed tenants of the account by name. `search` is the beginning of their names. */
  listEmbedTenants(input?: Input<'listEmbedTenants'>, settings?: CallSettings): Pages<EmbedTenant>
  listDbtSyncs(input: Input<'listDbtSyncs'>, settings?: CallSettings): Pages<DbtSync>
  listNotifications(input: Input<'listNotifications'>, settings?: CallSettings): Pages<Notification>
}

/**
 * Makes a client of the service, for a backend.
 * @throws TypeError if `baseUrl` is no URL of http or https, or `token` cannot be one
 * @example const client = createClient({ baseUrl: 'https://api.example.com', token: apiKey })
 */
export const createClient = (options: ClientOptions): Client => clientIn(realTime, options)

/** {@link createClient} in a time of its own, for tests. */
export function clientIn(time: Time, { token, ...service }: ClientOptions): Client {
  requireWebAddress('baseUrl', service.baseUrl)
  if (typeof token !== 'function') requireToken(token)
  const call = callerOf({ ...service, fetch: withRetries(time, service.fetch) })

  async function ask<Answer>(
    method: string,
    path: string,
    { signal, timeout, headers = {} }: CallSettings = {},
    body?: object,
  ): Promise<Answer> {
    if (body) refuseUndefinedUser(body)
    const signals = [signal, timeout === undefined ? undefined : time.timeout(timeout)]
    const ending = AbortSignal.any(signals.filter((each) => each !== undefined))
    try {
      const given =
        typeof token === 'function' ? await unlessAborted(ending, token(), noToken) : token
      const sent = new Headers({ authorization: `Bearer ${requireToken(given)}` })
      for (const [name, value] of Object.entries(headers)) sent.set(name, value)
      const request = { headers: Object.fromEntries(sent), signal: ending, body }
      return await call<Answer>(method, path, request)
    } catch (error) {
      // If the caller aborts, the call ends with the caller's own reason.
      throw signal?.aborted ? signal.reason : error
    }
  }

  const get = <Answer>(path: keyof paths, input: object, settings?: CallSettings) =>
    ask<Answer>('GET', addressOf(path, input), settings)
  const listAt =
    <Item>(path: keyof paths) =>
    (input: object = {}, settings?: CallSettings): Pages<Item> =>
      pagesOf((cursor) => get<Page<Item>>(path, { ...input, ...cursor }, settings))

  const sessions: keyof paths = '/api/v1/embed/generate-session'
  const revoke: keyof paths = '/api/v1/embed/session/revoke'
  const embedAccess: keyof paths =
    '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-tenants'
  return {
    generateSession: (request, settings) => ask('POST', sessions, settings, request),
    tryGenerateSession: (request, settings) =>
      ask('POST', `${sessions}?dryRun=true`, settings, request),
    revokeSession: (revoked, settings) => ask('POST', revoke, settings, revoked),
    listEmbedTenantWorkbooks: listAt(
      '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks',
    ),
    listEmbedWorkbooks: listAt('/api/v1/embed/workbooks'),
    listWorkbookEmbedTenants: listAt(embedAccess),
    async explainEmbedAccess(input, settings) {
      const answer = await get<{ explanation: AccessExplanation }>(embedAccess, input, settings)
      return answer.explanation
    },
    listEmbedTenants: listAt('/api/v1/embed-tenants'),
    listDbtSyncs: listAt('/api/v1/deployments/{deploymentId}/dbt-sync'),
    listNotifications: listAt('/api/v1/deployments/{deploymentId}/notifications'),
  }
}

/**
 * JSON leaves out what is undefined. Then the session would be anonymous, or the whole tenant would
 * be revoked.
 * @throws TypeError if the body names ids of a user, and all of them are undefined
 */
function refuseUndefinedUser(body: object): void {
  const named = ['externalId', 'internalId'].filter((name) => name in body)
  if (named.length > 0 && named.every((name) => Reflect.get(body, name) === undefined))
    throw new TypeError(`${named[0]} must not be undefined.`)
}

const noToken = (cause: unknown) => new Error(`token got no answer: ${cause}`, { cause })

/** @throws TypeError that does not repeat the token */
function requireToken(token: string): string {
  if (/^(?!bearer\s*$)[!-~]+\s*$/i.test(token ?? '')) return token
  const given = token ? 'other text' : JSON.stringify(token)
  throw new TypeError(
    `token must be a key or token alone, without "Bearer" or spaces, not ${given}.`,
  )
}

/**
 * The path with its parameters, and the others as the query. null counts as left out.
 * @throws TypeError for a parameter of the path that would not be one segment of it. API Gateway
 * decodes a path twice, so encoding does not protect these characters.
 */
function addressOf(path: string, input: object): string {
  const query = new URLSearchParams()
  const named = new Map<string, unknown>(Object.entries(input))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(named.get(name) ?? '')
    if (/^\.*$|[/\\?#%]/.test(value))
      throw new TypeError(`${name} must not be ${JSON.stringify(value)}.`)
    named.delete(name)
    return encodeURIComponent(value)
  })
  for (const [name, value] of named) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}
