import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type Route, routeKeyOf } from '../operations/operations.ts'
import type { Verdict } from './verdict.ts'

const verdict: Verdict = {
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

type Given = Pick<APIGatewayProxyEventV2, 'pathParameters' | 'body'>

/**
 * A request for the warm-up of an operation. It comes from an admin of an account with an empty id, which no account
 * can have.
 */
export const rehearsed = (operation: Omit<Route, 'id'>, given: Partial<Given> = {}): APIGatewayProxyEventV2 =>
  ({
    routeKey: routeKeyOf(operation),
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    isBase64Encoded: false,
    requestContext: { requestId: '', http: { sourceIp: '' }, authorizer: { lambda: verdict } },
    ...given,
  }) as unknown as APIGatewayProxyEventV2
