import { type ErrorCode, errorCodes } from '../functions/http/error-codes.ts'
import { asksAuthorizer, type Route } from '../functions/operations/operations.ts'
import type { JsonObject } from './json-schema.ts'
import { type Described, type OperationSchemas, takesDeployment } from './operation.ts'

/** What API Gateway itself answers, by status: a fixed body with one message. */
export const gatewayMessages: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** @returns the values, or none where the condition is not met */
const when = <const Value>(condition: unknown, ...values: Value[]): Value[] =>
  condition ? values : []

/** Those that follow from the operation's input and access, and its own. */
function codesOf(route: Route, input: OperationSchemas, { refusals = [] }: Described): ErrorCode[] {
  const { access, tables } = route
  return [
    ...when(
      input.body,
      'invalid_body',
      'malformed_json',
      'body_too_large',
      'unsupported_media_type',
    ),
    ...when(input.path || input.query, 'invalid_parameter'),
    ...when(input.query?.after, 'invalid_cursor'),
    ...when(access !== 'public', 'unauthenticated'),
    ...when(
      asksAuthorizer(route),
      'issuer_unavailable',
      'api_key_in_browser',
      'end_user',
      'operation_not_allowed',
    ),
    ...when(access === 'admin', 'admin_required'),
    ...when(takesDeployment(input), 'deployment_not_found', 'deployment_forbidden'),
    ...refusals,
    ...when(tables.length > 0, 'database_unavailable'),
    'internal_error',
  ]
}

/** The statuses that API Gateway itself may answer to requests for an operation. */
const gatewayStatusesOf = (route: Route, { body }: OperationSchemas): number[] => [
  400,
  429,
  431,
  500,
  503,
  ...when(asksAuthorizer(route), 401, 403),
  ...when(route.path.includes('{'), 404),
  ...when(body, 413),
]

export function errorResponses(
  route: Route,
  operation: OperationSchemas,
  described: Described,
): JsonObject {
  const codes = codesOf(route, operation, described)
  const gatewayStatuses = gatewayStatusesOf(route, operation)
  const statuses = new Set([...codes.map((code) => errorCodes[code].status), ...gatewayStatuses])
  const responses = [...statuses].map((status) => {
    const own = codes.filter((code) => errorCodes[code].status === status)
    return [status, errorResponse(status, own, gatewayStatuses.includes(status))]
  })
  return Object.fromEntries(responses)
}

function errorResponse(status: number, codes: readonly ErrorCode[], byGateway: boolean) {
  const message = gatewayMessages[status]
  const titles = codes.map((code) => `\`${code}\` (${errorCodes[code].title.toLowerCase()})`)
  const gatewayContent = {
    schema: { $ref: '#/components/schemas/GatewayError' },
    example: { message },
  }
  const headers = [
    ...headersOfEveryAnswer,
    'Cache-Control',
    ...when(status === 401, 'WWW-Authenticate'),
    ...when(status === 503, 'Retry-After'),
  ]
  return {
    description: `${[...titles, ...when(byGateway, `API Gateway's \`${message}\``)].join(', ')}.`,
    ...(codes.length > 0 && { headers: headerReferences(headers) }),
    content: {
      ...(codes.length > 0 && { 'application/problem+json': problemContent(status, codes) }),
      ...(byGateway && { 'application/json': gatewayContent }),
    },
  }
}

const problemContent = (status: number, codes: readonly ErrorCode[]): JsonObject => ({
  schema: {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      // An enum of one, because generators of clients cannot merge a const with an integer.
      { properties: { status: { type: 'integer', enum: [status] }, code: { enum: codes } } },
    ],
  },
  examples: Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  ),
})

export const headersOfEveryAnswer = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Strict-Transport-Security',
]

export const headerReferences = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
