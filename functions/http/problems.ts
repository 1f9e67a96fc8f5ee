import { type InputError, Refusal } from '@embed-access/core/refusal.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { originOf } from '../runtime/origin.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type ErrorCode, errorCodes } from './error-codes.ts'
import { commonHeaders } from './headers.ts'

/** A problem (RFC 9457) without the URL of its type and the request's id. */
type Problem = {
  readonly code: ErrorCode
  readonly detail: string
  readonly errors: readonly InputError[]
  /** Whether the service is at fault. Then the error is logged. */
  readonly isFault: boolean
}

type Request = middy.Request<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>

/** Middleware that turns errors into problems and adds the headers that all responses have. */
export const problems = ({ issuer, log }: Pick<Runtime, 'issuer' | 'log'>) => ({
  after: addCommonHeaders,
  onError: (request: Request): void => {
    const { requestId, traceparent } = originOf(request.event)
    const problem = problemOf(request.error)
    if (problem.isFault) log({ level: 'error', requestId, traceparent, ...described(request.error) })
    request.response = problemResponse(problem, issuer, requestId)
    addCommonHeaders(request)
  },
})

function addCommonHeaders(request: Request): void {
  const { requestId } = request.event.requestContext
  const headers = { ...commonHeaders, 'x-request-id': requestId, ...request.response?.headers }
  request.response = { ...request.response, headers }
}

/** Returns what a caller may know about an error. Only a refusal says why. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) {
    return { code: error.code, detail: error.message, errors: error.errors, isFault: false }
  }
  return isDatabaseUnavailable(error)
    ? { code: 'database_unavailable', detail: 'The service is busy. Try again shortly.', errors: [], isFault: true }
    : { code: 'internal_error', detail: 'Something went wrong on our side.', errors: [], isFault: true }
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
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(status === 503 && { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({
      type: `${issuer}/docs/errors#${code}`,
      title,
      status,
      detail,
      code,
      message: detail,
      requestId,
      ...(errors.length > 0 && { errors }),
    }),
  }
}

/** For the log only. Callers never see it. */
function described(error: unknown) {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { name, message, stack }
}
