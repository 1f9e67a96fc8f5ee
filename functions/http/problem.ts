import { type InputError, Refusal, type RefusalCode } from '@embed-access/core/refusal.ts'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { isDatabaseUnavailable } from './database-unavailable.ts'

type Code = RefusalCode | 'database_unavailable' | 'internal_error'

/** An answer of `application/problem+json` before it gets the URL of its type and the request's id. */
export type Problem = {
  readonly code: Code
  readonly detail: string
  readonly errors: readonly InputError[]
  /** Not the caller's doing, so our log has to tell of it. */
  readonly isFault: boolean
}

const kinds: Readonly<Record<Code, { readonly status: number; readonly title: string }>> = {
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  invalid_body: { status: 400, title: 'Invalid body' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  unknown_name: { status: 400, title: 'Unknown name' },
  context_too_large: { status: 400, title: 'Context too large' },
  unauthenticated: { status: 401, title: 'Not authenticated' },
  invalid_session: { status: 401, title: 'Invalid session' },
  admin_required: { status: 403, title: 'Admin required' },
  deployment_forbidden: { status: 403, title: 'No access to the deployment' },
  embedding_disabled: { status: 403, title: 'Embedding disabled' },
  internal_id_forbidden: { status: 403, title: 'Internal user not permitted' },
  deployment_not_found: { status: 404, title: 'No such deployment' },
  embed_tenant_not_found: { status: 404, title: 'No such embed tenant' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  database_unavailable: { status: 503, title: 'Temporarily unavailable' },
  internal_error: { status: 500, title: 'Internal error' },
}

/** What a caller may learn of an error: a refusal says why, every other error only that it happened. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) {
    return { code: error.code, detail: error.message, errors: error.errors, isFault: false }
  }
  return isDatabaseUnavailable(error)
    ? { code: 'database_unavailable', detail: 'The service is busy. Try again shortly.', errors: [], isFault: true }
    : { code: 'internal_error', detail: 'Something went wrong on our side.', errors: [], isFault: true }
}

/**
 * The response of a problem (RFC 9457; decisions, "Errors").
 * @param issuer the service's own URL, under which each code has its documentation
 */
export function problemResponse(
  { code, detail, errors }: Problem,
  issuer: string,
  requestId: string,
): APIGatewayProxyStructuredResultV2 {
  const { status, title } = kinds[code]
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(status === 503 && { 'retry-after': '1' }),
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
