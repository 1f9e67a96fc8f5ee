import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
  Context,
} from 'aws-lambda'
import { type RequestDescription, routeArn } from './event.ts'
import { type InvocationOutcome, invoke } from './invoke.ts'

export type Authorizer = (
  event: APIGatewayRequestAuthorizerEventV2,
  context: Context,
) => Promise<APIGatewaySimpleAuthorizerWithContextResult<unknown>>

type Authorization =
  | { readonly allowed: true; readonly context: unknown }
  | { readonly allowed: false; readonly status: 401 | 403 | 500 }

type AuthorizeOptions = {
  readonly authorizer: Authorizer
  readonly timeoutMs: number
  readonly cacheSeconds: number
  readonly now: () => number
  readonly log: (line: string) => void
}

/** A decision is kept for its credential and route; an error is not. */
export function createAuthorize({ authorizer, timeoutMs, cacheSeconds, now, log }: AuthorizeOptions) {
  const cached = new Map<string, { readonly authorization: Authorization; readonly until: number }>()

  return async (description: RequestDescription): Promise<Authorization> => {
    const { authorization: credential } = description.headers
    if (!credential) return { allowed: false, status: 401 }

    const identitySource = [credential, description.routeKey]
    const key = JSON.stringify(identitySource)
    for (const [each, { until }] of cached) if (until <= now()) cached.delete(each)
    const earlier = cached.get(key)
    if (earlier) return earlier.authorization

    const event = { ...description, type: 'REQUEST', routeArn: routeArn(description), identitySource }
    const outcome = await invoke({ functionName: 'authorizer', run: authorizer, event, timeoutMs })
    const authorization = authorizationOf(outcome, log)
    const isDecided = authorization.allowed || authorization.status === 403
    if (cacheSeconds > 0 && isDecided) cached.set(key, { authorization, until: now() + cacheSeconds * 1000 })
    return authorization
  }
}

function authorizationOf(outcome: InvocationOutcome, log: (line: string) => void): Authorization {
  if (outcome.kind !== 'returned') {
    log(`authorizer ${outcome.kind === 'threw' ? `threw: ${describeError(outcome.error)}` : outcome.kind}`)
    return { allowed: false, status: 500 }
  }
  const { isAuthorized, context = null } = Object(JSON.parse(outcome.payload))
  if (typeof isAuthorized !== 'boolean' || typeof context !== 'object' || Array.isArray(context)) {
    log('authorizer returned something other than { isAuthorized: boolean, context?: object }')
    return { allowed: false, status: 500 }
  }
  return isAuthorized ? { allowed: true, context } : { allowed: false, status: 403 }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
