import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type Route, routeKeyOf } from '../operations/operations.ts'
import type { Authorization } from './authorization.ts'

/** What a request for the warm-up of an operation has of its own. */
export type WarmUpRequest = Partial<Pick<APIGatewayProxyEventV2, 'pathParameters' | 'body' | 'headers'>>

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

/** It comes from an admin of an account with an empty id, which no account can have. */
export const warmUpEvent = (operation: Omit<Route, 'id'>, request: WarmUpRequest): APIGatewayProxyEventV2 =>
  ({
    routeKey: routeKeyOf(operation),
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    isBase64Encoded: false,
    requestContext: { requestId: '', http: { sourceIp: '' }, authorizer: { lambda: authorization } },
    ...request,
  }) as unknown as APIGatewayProxyEventV2
