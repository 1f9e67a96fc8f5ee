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

export type Authorize = (description: RequestDescription) => Promise<Authorization>

type AuthorizeOptions = {
  readonly authorizer: Authorizer
  readonly timeoutMs: number
  readonly cacheSeconds: number
  readonly now: () => number
  readonly log: (line: string) => void
}

/** A decision is kept for its credential and route; an error is not. */
export function createAuthorize({ authorizer, timeoutMs, cacheSeconds, now, log }: AuthorizeOptions): Authorize {
  const cached = new Map<string, { readonly authorization: Authorization; readonly until: number }>()

  function forgetExpired(): void {
    for (const [key, { until }] of cached) {
      // Oldest first: every decision lives equally long.
      if (until > now()) return
      cached.delete(key)
    }
  }

  return async (description) => {
    const authorizationHeader = description.headers.authorization
    if (authorizationHeader === undefined || authorizationHeader === '') return { allowed: false, status: 401 }

    const identitySource = [authorizationHeader, description.routeKey]
    const key = JSON.stringify(identitySource)
    forgetExpired()
    const earlier = cached.get(key)
    if (earlier && earlier.until > now()) return earlier.authorization

    const outcome = await invoke({
      functionName: 'authorizer',
      run: authorizer,
      event: { ...description, type: 'REQUEST', routeArn: routeArn(description), identitySource },
      timeoutMs,
    })
    const authorization = interpretOutcome(outcome, log)
    const decided = authorization.allowed || authorization.status === 403
    if (cacheSeconds > 0 && decided) cached.set(key, { authorization, until: now() + cacheSeconds * 1000 })
    return authorization
  }
}

function interpretOutcome(outcome: InvocationOutcome, log: (line: string) => void): Authorization {
  if (outcome.kind === 'returned') return interpretResult(JSON.parse(outcome.payload), log)
  log(`authorizer ${outcome.kind === 'threw' ? `threw: ${describeError(outcome.error)}` : outcome.kind}`)
  return { allowed: false, status: 500 }
}

function interpretResult(result: unknown, log: (line: string) => void): Authorization {
  const isObject = typeof result === 'object' && result !== null
  const isAuthorized = isObject && 'isAuthorized' in result ? result.isAuthorized : undefined
  const context = isObject && 'context' in result ? result.context : null
  if (typeof isAuthorized !== 'boolean' || typeof context !== 'object' || Array.isArray(context)) {
    log('authorizer returned something other than { isAuthorized: boolean, context?: object }')
    return { allowed: false, status: 500 }
  }
  return isAuthorized ? { allowed: true, context } : { allowed: false, status: 403 }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
