import { Refusal } from '@embed-access/core/refusal.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Runtime } from '../runtime/definition.ts'
import type { LoggedContext } from '../runtime/invocation-log.ts'
import { errorCodes } from './error-codes.ts'
import { commonHeaders } from './headers.ts'

type Request = middy.Request<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Error,
  LoggedContext
>

/** Middleware that turns errors into problems and adds the headers that all responses have. */
export const problems = ({ issuer, log }: Pick<Runtime, 'issuer' | 'log'>) => ({
  after: addCommonHeaders,
  onError: (request: Request): void => {
    const { sourceIp: _, ...origin } = request.context.origin
    if (!(request.error instanceof Refusal)) {
      const { name, message, stack } =
        request.error instanceof Error ? request.error : new Error(String(request.error))
      log({ level: 'error', ...origin, name, message, stack })
    }
    const problem = problemOf(request.error, issuer, origin.requestId)
    const { status, retryAfter } = errorCodes[problem.code]
    const headers = {
      'content-type': 'application/problem+json',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    }
    request.response = { statusCode: status, headers, body: JSON.stringify(problem) }
    addCommonHeaders(request)
  },
})

function addCommonHeaders(request: Request): void {
  const { requestId } = request.context.origin
  const headers = { ...commonHeaders, 'x-request-id': requestId, ...request.response?.headers }
  request.response = { ...request.response, headers }
}

/**
 * What a caller may know about an error (RFC 9457; docs/specification.md#errors).
 * @param issuer the service's own URL, where each code is documented
 */
export function problemOf(error: unknown, issuer: string, requestId: string) {
  const { code, message, errors } = error instanceof Refusal ? error : faultOf(error)
  const { status, title } = errorCodes[code]
  const type = `${issuer}/docs/errors#${code}`
  return {
    type,
    title,
    status,
    detail: message,
    code,
    message,
    requestId,
    ...(errors.length > 0 && { errors }),
  }
}

const faults = {
  database_unavailable: 'The service is busy. Try again shortly.',
  internal_error: errorCodes.internal_error.cause,
}

/** Only a refusal says why. Everything else is the fault of the service. */
function faultOf(error: unknown) {
  const code = isDatabaseUnavailable(error) ? 'database_unavailable' : 'internal_error'
  return { code, message: faults[code], errors: [] } as const
}
