import type { Principal } from '@embed-access/core/access/principal.ts'
import type { isRevoked } from '@embed-access/core/access/revocation.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { type Caller, callerOf } from '@embed-access/core/sessions/audit.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Route } from '../operations/operations.ts'
import { audit } from '../runtime/audit.ts'
import { type LoggedContext, logCaller } from '../runtime/invocation-log.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { authorizationIn, type RefusalOfAuthorizer } from './authorization.ts'

/** Given to the functions that need it, because it brings the SDK with it. */
export type IsRevoked = typeof isRevoked

export type CallerContext = LoggedContext & { principal?: Principal; caller?: Caller | undefined }

/**
 * Middleware that finds out who is calling, and notes whom the function refuses. Nobody calls a
 * public operation.
 */
export const caller = (
  runtime: Runtime,
  { id, access }: Pick<Route, 'id' | 'access'>,
  isRevoked?: IsRevoked,
): middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, CallerContext> => ({
  async before({ event, context }) {
    if (access === 'public') return
    const authorization = authorizationIn(event, { id, access })
    context.caller = authorization.allowed ? callerOf(authorization.principal) : authorization.by
    logCaller(context.logFields, context.caller)
    // API Gateway keeps the authorizer's decision without the origin.
    const isApiKey = context.caller?.credential.kind === 'apiKey'
    if (isApiKey && comesFromPage(event.headers, runtime.issuer))
      throw new Refusal('api_key_in_browser')
    if (!authorization.allowed) throw refusalOf(authorization.code, event.headers.authorization)
    context.principal = authorization.principal
    await requireStillGood(context.principal, runtime.now(), context.storage, isRevoked)
  },
  onError({ event, error, context: { caller: by, origin } }) {
    if (!by || !(error instanceof Refusal)) return
    audit(runtime, origin, {
      event: 'request.refused',
      code: error.code,
      by,
      deploymentId: deploymentIn(event),
    })
  },
})

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
 * API Gateway may have kept the authorization for a while. The end of a credential counts at once,
 * and so does the revocation of an embed token. A revoked API key works until its authorization is
 * forgotten.
 * @param isRevoked left out, no embed token is good
 */
async function requireStillGood(
  principal: Principal,
  now: number,
  storage?: Storage,
  isRevoked?: IsRevoked,
) {
  const { accountId, credential, expiresAt = Infinity } = principal
  if (expiresAt * 1000 <= now) throw new Refusal('unauthenticated')
  if (credential.kind !== 'embedToken') return
  const isGood = storage && isRevoked && !(await isRevoked(storage, accountId, credential))
  if (!isGood) throw new Refusal('unauthenticated')
}

/** A credential alone, without its scheme, is what people send first. */
const refusalOf = (code: RefusalOfAuthorizer, header = ''): Refusal =>
  code === 'unauthenticated' && /^\S+$/.test(header)
    ? new Refusal(code, 'The credential lacks its scheme. Write Authorization: Bearer <key>.')
    : new Refusal(code)

/**
 * The deployment in the path or the body, which may not have been checked yet. No other text of the
 * request is noted.
 */
function deploymentIn({ pathParameters, body }: APIGatewayProxyEventV2): number | undefined {
  const inPath = pathParameters?.deploymentId
  const id =
    typeof inPath === 'string' && /^\d+$/.test(inPath) ? Number(inPath) : Object(body).deploymentId
  return Number.isSafeInteger(id) ? id : undefined
}
