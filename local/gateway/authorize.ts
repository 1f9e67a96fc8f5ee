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

export type Authorization =
  | { readonly allowed: true; readonly context: unknown }
  | { readonly allowed: false; readonly status: 401 | 403 | 500 }

export type Authorize = (description: RequestDescription) => Promise<Authorization>

type AuthorizeOptions = {
  readonly authorizer: Authorizer
  readonly timeoutMs: number
  readonly log: (line: string) => void
}

/** Asks the authorizer at every request: AWS keeps what it says for half a minute, nothing here does. */
export function createAuthorize({ authorizer, timeoutMs, log }: AuthorizeOptions): Authorize {
  return async (description) => {
    const authorizationHeader = description.headers.authorization
    if (authorizationHeader === undefined || authorizationHeader === '') return { allowed: false, status: 401 }

    const identitySource = [authorizationHeader, description.routeKey]
    const outcome = await invoke({
      functionName: 'authorizer',
      run: authorizer,
      event: { ...description, type: 'REQUEST', routeArn: routeArn(description), identitySource },
      timeoutMs,
    })
    return interpretOutcome(outcome, log)
  }
}

function interpretOutcome(outcome: InvocationOutcome, log: (line: string) => void): Authorization {
  if (outcome.kind === 'returned') return interpretResult(JSON.parse(outcome.payload), log)
  if (outcome.kind === 'threw' && errorMessage(outcome.error) === 'Unauthorized') return { allowed: false, status: 401 }
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
  return error instanceof Error ? (error.stack ?? error.message) : errorMessage(error)
}

function errorMessage(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
