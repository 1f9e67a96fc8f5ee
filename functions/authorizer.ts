import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { embedTokenVerifier, Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import type { Principal } from '@embed-access/core/access/principal.ts'
import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda'
import { routeKeyOf, routes } from './http/routes.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageWith } from './runtime/storage.ts'
import { issuance, verificationKeys } from './runtime/tokens.ts'

type Needs = Pick<Runtime, 'log' | 'now' | 'storage' | 'issuance' | 'verificationKeys'>

type Decision = APIGatewaySimpleAuthorizerWithContextResult<{ readonly principal?: Principal }>

const denied: Decision = { isAuthorized: false, context: {} }

/** Access by route; a route that is not here, or needs no credential, has no business with the authorizer. */
const accessOf = new Map(
  routes.filter(({ access }) => access !== 'public').map((route) => [routeKeyOf(route), route.access]),
)

/**
 * The authorizer of the API, with simple responses: 403 by a denial, 401 by the one error that API Gateway takes for
 * it. The functions decide about deployments; here it's about who calls and whether the route is for admins.
 */
export const create = ({ log, now, storage, issuance, verificationKeys }: Needs) => {
  const credentials = { storage, now, verifyEmbedToken: embedTokenVerifier(verificationKeys, { ...issuance, now }) }
  return async ({ routeKey, headers, requestContext }: APIGatewayRequestAuthorizerEventV2): Promise<Decision> => {
    const access = accessOf.get(routeKey)
    if (access === undefined) return denied
    try {
      const { principal } = await authenticate(credentials, headers?.authorization ?? '')
      return principal && (access === 'read' || principal.admin)
        ? { isAuthorized: true, context: { principal } }
        : denied
    } catch (error) {
      if (!(error instanceof Unauthenticated)) throw error
      log({ level: 'warn', requestId: requestContext.requestId, name: error.name, message: error.message })
      throw new Error('Unauthorized')
    }
  }
}

export const handler = await onLambda(create, { storage: storageWith('credentials'), issuance, verificationKeys })
