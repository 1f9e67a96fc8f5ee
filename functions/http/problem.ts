import { type InputError, Refusal } from '@embed-access/core/refusal.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { type ErrorCode, errorCodes } from './error-codes.ts'

/** A problem (RFC 9457) without the URL of its type and the request's id. */
export type Problem = {
  readonly code: ErrorCode
  readonly detail: string
  readonly errors: readonly InputError[]
  /** Whether the service is at fault. Then the error is logged. */
  readonly isFault: boolean
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
export function problemResponse(
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
