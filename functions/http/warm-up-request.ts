import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { routeKeyOf } from '../operations/operations.ts'
import type { Operation } from '../operations/record.ts'
import type { Authorization } from './authorization.ts'

/** The parts of a warm-up request that are different for each operation. */
export type WarmUpRequest = Partial<
  Pick<APIGatewayProxyEventV2, 'pathParameters' | 'body' | 'headers'>
>

const authorization: Authorization = {
  allowed: true,
  principal: {
    accountId: '',
    userId: 0,
    admin: true,
    deploymentIds: 'all',
    scoped: false,
    credential: { kind: 'apiKey', key: '' },
  },
}

/**
 * Makes a request of an admin. The id of the admin's account is empty, so there is no such account.
 */
export const warmUpEvent = <Event = APIGatewayProxyEventV2>(
  operation: Operation,
  request: WarmUpRequest,
): Event =>
  ({
    routeKey: routeKeyOf(operation),
    rawQueryString: '',
    pathParameters: Object.fromEntries(
      [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '0']),
    ),
    headers: { 'content-type': 'application/json' },
    isBase64Encoded: false,
    requestContext: {
      requestId: '',
      http: { sourceIp: '' },
      authorizer: { lambda: authorization },
    },
    ...request,
  }) as unknown as Event
