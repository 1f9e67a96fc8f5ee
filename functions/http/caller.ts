import { isDamaged } from '@embed-access/core/access/api-key.ts'
import { type Caller, callerOf, type Principal } from '@embed-access/core/access/principal.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Route } from '../operations/operations.ts'
import { audit } from '../runtime/audit.ts'
import type { Parts, Runtime } from '../runtime/definition.ts'
import { type LoggedContext, logCaller } from '../runtime/invocation-log.ts'
import { authorizationIn, type RefusalOfAuthorizer } from './authorization.ts'

/** Makes the middleware that finds out who is calling, and refuses whoever may not call. */
export type FindCaller<Made, Who> = (
  parts: Parts<Made>,
  route: Pick<Route, 'id' | 'access'>,
) => middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, CallerContext<Who>>

type CallerContext<Who> = LoggedContext & { who: Who; caller?: Caller | undefined }

type Refused = middy.Request<APIGatewayProxyEventV2, unknown, Error, CallerContext<unknown>>

/** Lets in the principal that the authorizer has found, and writes refusals into the audit. */
export const knownCaller: FindCaller<unknown, { principal: Principal }> = (runtime, route) => ({
  async before({ event, context }) {
    const authorization = authorizationIn(event, route)
    context.caller = authorization.allowed ? callerOf(authorization.principal) : authorization.by
    logCaller(context.logFields, context.caller)
    // The authorizer can't check the origin: API Gateway keeps its answer for the credential and
    // the route, and uses it for requests of all origins.
    const isApiKey = context.caller?.credential.kind === 'apiKey'
    if (isApiKey && comesFromPage(event.headers, runtime.issuer))
      throw new Refusal('api_key_in_browser')
    if (!authorization.allowed) throw refusalOf(authorization.code, event.headers.authorization)
    const { principal } = authorization
    await requireStillGood(principal, runtime.now(), context.storage)
    context.who = { principal }
  },
  onError: auditRefusals(runtime),
})

/** Writes each refusal of a known caller into the audit. */
export const auditRefusals =
  (runtime: Runtime) =>
  ({ event, error, context: { caller: by, origin } }: Refused): void => {
    if (!by || !(error instanceof Refusal)) return
    const deploymentId = deploymentIn(event)
    audit(runtime, origin, { event: 'request.refused', code: error.code, by, deploymentId })
  }

/**
 * Whether a page of another origin sends the request. The service's own pages are at its public
 * URL, and on a local server at each of its names.
 */
function comesFromPage(
  { origin, host }: APIGatewayProxyEventV2['headers'],
  issuer: string,
): boolean {
  const own = [new URL(issuer).origin, `http://${host}`, `https://${host}`]
  return origin !== undefined && !own.includes(origin)
}

/**
 * API Gateway may have kept the authorization for a while. So a credential that has expired
 * meanwhile is refused here, and so is a revoked embed token. A revoked API key works until API
 * Gateway forgets its authorization.
 */
async function requireStillGood(
  principal: Principal,
  now: number,
  storage: Storage,
): Promise<void> {
  const { accountId, userId, credential, expiresAt = Infinity } = principal
  if (expiresAt * 1000 <= now) throw new Refusal('unauthenticated')
  if (credential.kind !== 'embedToken') return
  const token = { accountId, userId, id: credential }
  if (await isRevoked(storage, token)) throw new Refusal('unauthenticated')
}

/**
 * Says only what the caller can see in the header too: a missing scheme, a mistyped key. It does
 * not say whether a key is unknown, expired or revoked.
 */
function refusalOf(code: RefusalOfAuthorizer, header = ''): Refusal {
  if (code !== 'unauthenticated') return new Refusal(code)
  const [first = '', credential] = header.trim().split(/\s+/)
  if (credential === undefined) {
    const what = /^(bearer|api-key|embed-token)$/i.test(first)
      ? `${first} has no credential behind it.`
      : 'The credential lacks its scheme.'
    return new Refusal(code, `${what} Write Authorization: Bearer <key>.`)
  }
  return isDamaged(credential)
    ? new Refusal(code, 'The API key is mistyped or incomplete: its checksum is wrong.')
    : new Refusal(code)
}

/**
 * Returns the number of the deployment that a request names, and undefined for anything else. The
 * input may not have been checked yet, and the audit must not have a text that a caller made up.
 */
function deploymentIn({ pathParameters, body }: APIGatewayProxyEventV2): number | undefined {
  const inPath = pathParameters?.deploymentId ?? ''
  const id = /^\d+$/.test(inPath) ? Number(inPath) : Object(body).deploymentId
  return Number.isSafeInteger(id) ? id : undefined
}
