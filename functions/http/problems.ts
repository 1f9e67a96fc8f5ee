import { type InputError, Refusal } from '@embed-access/core/refusal.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { LoggedContext } from '../runtime/invocation-log.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type ErrorCode, errorCodes } from './error-codes.ts'
import { commonHeaders } from './headers.ts'

/** What a caller may know about an error. */
type Problem = { readonly code: ErrorCode; readonly detail: string; readonly errors: readonly InputError[] }

type Request = middy.Request<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, LoggedContext>

/** Middleware that turns errors into problems and adds the headers that all responses have. */
export const problems = ({ issuer, log }: Pick<Runtime, 'issuer' | 'log'>) => ({
  after: addCommonHeaders,
  onError: (request: Request): void => {
    const { requestId, traceparent } = request.context.origin
    if (!(request.error instanceof Refusal)) {
      const { name, message, stack } = request.error instanceof Error ? request.error : new Error(String(request.error))
      log({ level: 'error', requestId, traceparent, name, message, stack })
    }
    request.response = problemResponse(problemOf(request.error), issuer, requestId)
    addCommonHeaders(request)
  },
})

function addCommonHeaders(request: Request): void {
  const { requestId } = request.context.origin
  const headers = { ...commonHeaders, 'x-request-id': requestId, ...request.response?.headers }
  request.response = { ...request.response, headers }
}

/** Only a refusal says why. Everything else is the fault of the service. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return { code: error.code, detail: error.message, errors: error.errors }
  return isDatabaseUnavailable(error)
    ? { code: 'database_unavailable', detail: 'The service is busy. Try again shortly.', errors: [] }
    : { code: 'internal_error', detail: 'Something went wrong on our side.', errors: [] }
}

/**
 * The response of a problem (RFC 9457; docs/specification.md#errors).
 * @param issuer the service's own URL, where each code is documented
 */
function problemResponse(
  { code, detail, errors }: Problem,
  issuer: string,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  const { status, title, retryAfter = 1 } = errorCodes[code]
  const type = `${issuer}/docs/errors#${code}`
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(status === 503 && { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({
      ...{ type, title, status, detail, code, message: detail, requestId },
      ...(errors.length > 0 && { errors }),
    }),
  }
}
