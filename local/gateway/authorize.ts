import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
  Context,
} from 'aws-lambda'
import type { RequestDescription } from './event.ts'
import { invoke } from './invoke.ts'

export type AuthorizerOptions = {
  authorizer: (
    event: APIGatewayRequestAuthorizerEventV2,
    context: Context,
  ) => Promise<APIGatewaySimpleAuthorizerWithContextResult<unknown>>
  authorizerTimeoutSeconds: number
  /** How long a decision is used again for the same Authorization header and route. 0: never. */
  authorizerCacheSeconds: number
  now(): number
  log(line: string): void
}

/** The context that the function gets, or the status of the refusal. */
type Authorization = { context: unknown; status?: never } | { status: 401 | 403 | 500 }

/** Asks the authorizer, and keeps its decision for the credential and route. Keeps no error. */
export function createAuthorize(options: AuthorizerOptions) {
  const { authorizer, authorizerTimeoutSeconds, authorizerCacheSeconds, now, log } = options
  const cached = new Map<string, { authorization: Authorization; until: number }>()

  return async (description: RequestDescription): Promise<Authorization> => {
    const { headers, routeKey, rawPath, requestContext } = description
    if (!headers.authorization) return { status: 401 }

    const identitySource = [headers.authorization, routeKey]
    const key = JSON.stringify(identitySource)
    for (const [each, { until }] of cached) if (until <= now()) cached.delete(each)
    const earlier = cached.get(key)
    if (earlier) return earlier.authorization

    const { accountId, apiId, stage, http } = requestContext
    const api = `arn:aws:execute-api:local:${accountId}:${apiId}`
    const routeArn = `${api}/${stage}/${http.method}${rawPath}`
    const { payload } = await invoke({
      functionName: 'authorizer',
      run: authorizer,
      event: { ...description, type: 'REQUEST', routeArn, identitySource },
      timeoutMs: authorizerTimeoutSeconds * 1000,
      log,
    })
    const authorization = decisionIn(payload)
    const isKept = authorizerCacheSeconds > 0 && authorization.status !== 500
    if (isKept) cached.set(key, { authorization, until: now() + authorizerCacheSeconds * 1000 })
    return authorization
  }
}

/** Reads a simple response of payload format 2.0. Everything else is an error. */
function decisionIn(payload = 'null'): Authorization {
  const { isAuthorized, context = null } = Object(JSON.parse(payload))
  if (typeof isAuthorized !== 'boolean' || typeof context !== 'object' || Array.isArray(context))
    return { status: 500 }
  return isAuthorized ? { context } : { status: 403 }
}
