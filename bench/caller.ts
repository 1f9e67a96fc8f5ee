import { authorizationOf } from '../functions/http/authorization.ts'
import { account } from './catalog.ts'

const principal = {
  accountId: account,
  userId: 1,
  admin: true,
  deploymentIds: 'all',
  scoped: false,
  credential: { kind: 'apiKey', key: '0123456789ab' },
} as const

/** What a function gets of its caller by API Gateway, after the authorizer: an admin with an API key. */
export const requestContext = {
  requestId: 'bench',
  http: { sourceIp: '127.0.0.1', userAgent: 'bench' },
  authorizer: { lambda: authorizationOf(principal, 'admin') },
}
