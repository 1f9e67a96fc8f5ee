import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { originOf } from '../runtime/origin.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { problemOf, problemResponse } from './problem.ts'

type Request = {
  readonly event: APIGatewayProxyEventV2
  readonly error: unknown
  response: APIGatewayProxyStructuredResultV2 | null | undefined
}

/** Middleware that turns errors into problems and adds the headers that all responses have. */
export const responses = ({ issuer, log }: Pick<Runtime, 'issuer' | 'log'>) => ({
  after: withCommonHeaders,
  onError: (request: Request): void => {
    const { requestId, traceparent } = originOf(request.event)
    const problem = problemOf(request.error)
    if (problem.isFault) log({ level: 'error', requestId, traceparent, ...described(request.error) })
    request.response = problemResponse(problem, issuer, requestId)
    withCommonHeaders(request)
  },
})

/** A browser guesses no other type, and for a year comes by https alone. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
}

function withCommonHeaders(request: Request): void {
  request.response = {
    ...request.response,
    headers: {
      'cache-control': 'no-store',
      ...securityHeaders,
      'x-request-id': request.event.requestContext.requestId,
      ...request.response?.headers,
    },
  }
}

/** For the log only. Callers never see it. */
function described(error: unknown) {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { name, message, stack }
}
