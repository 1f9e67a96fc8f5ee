import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { apiKeyUses, type UsedApiKey } from '@embed-access/core/access/api-keys.ts'
import { authenticate } from '@embed-access/core/access/authenticate.ts'
import { embedTokenVerifier, Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { IssuerUnavailable } from '@embed-access/core/access/oidc-document.ts'
import { accessTokenVerifier } from '@embed-access/core/access/oidc-token.ts'
import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import middy from '@middy/core'
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda'
import { type Authorization, authorizationOf } from './http/authorization.ts'
import { makeVerification, type Verification } from './http/bearer.ts'
import { warmUpEvent } from './http/warm-up-request.ts'
import { authorizer } from './operations/lambdas.ts'
import { operations, routeKeyOf, routes } from './operations/operations.ts'
import { audit } from './runtime/audit.ts'
import type { Parts } from './runtime/definition.ts'
import { deployed, timeLimit } from './runtime/deployed.ts'
import { edge } from './runtime/edge.ts'
import { invocationLog, logCaller, type Origin, originOf } from './runtime/invocation-log.ts'
import { storage } from './runtime/storage.ts'

type Decision = APIGatewaySimpleAuthorizerWithContextResult<object>

const denied: Decision = { isAuthorized: false, context: {} }

/**
 * The authorizer of the API, with simple responses. It decides who is calling and whether the route
 * is open to them. The function answers a refusal, with a code that API Gateway cannot give. If
 * this throws, API Gateway answers 500.
 */
function create(parts: Parts<Verification>) {
  const { log, now, issuance, verificationKeys } = parts
  const verifiers = {
    verifyEmbedToken: embedTokenVerifier(verificationKeys, { ...issuance, now }),
    verifyAccessToken: accessTokenVerifier(now),
  }
  const writeUse = apiKeyUses()
  /** A request passes even if the use of its key cannot be written. */
  const recordUse = (storage: Storage, apiKey: UsedApiKey, { sourceIp: _, ...ids }: Origin) =>
    writeUse(storage, apiKey, now()).catch((error: unknown) => {
      const message = 'the use of an API key was not recorded'
      log({ level: 'warn', ...ids, message, error: String(error) })
    })
  const decide = middy<APIGatewayRequestAuthorizerEventV2, Decision>(timeLimit)
  decide
    .use(edge(parts.edge, denied))
    .use(invocationLog(parts, 'authorizer', originOf))
    .handler(async (event, { logFields, storage, origin }, { signal }) => {
      const credentials = { ...verifiers, now, storage: untilAborted(storage, signal) }
      const operation = routes.find((route) => routeKeyOf(route) === event.routeKey)
      if (!operation || operation.access === 'public') return denied
      // For the access log. API Gateway keeps a decision, so `decisionId` names the request in
      // which it was made. Behind an edge, only a header has the caller's address, and the access
      // log cannot read headers.
      const logged = { decisionId: origin.requestId, callerIp: parts.edge && origin.sourceIp }
      try {
        const { principal, endUser, apiKey } = await authenticate(
          credentials,
          event.headers?.authorization ?? '',
        )
        // Lambda freezes after the answer, so the request waits for the write.
        if (apiKey) await recordUse(credentials.storage, apiKey, origin)
        const authorization: Authorization = principal
          ? authorizationOf(principal, operation)
          : { allowed: false, code: 'end_user', by: endUser }
        const caller = principal ?? endUser
        logCaller(logFields, caller)
        if (!authorization.allowed) logFields.refused = authorization.code
        // The access log can read only the fields of the context itself. API Gateway puts their
        // text between quotation marks and escapes nothing. An account's id may be any text, so
        // it is escaped here.
        const accountId = JSON.stringify(caller.accountId).slice(1, -1)
        return { isAuthorized: true, context: { ...authorization, accountId, ...logged } }
      } catch (error) {
        if (!(error instanceof Unauthenticated || error instanceof IssuerUnavailable)) throw error
        // Noted here, since only the authorizer knows why. A function notes only known callers.
        audit(parts, origin, { event: 'authorization.refused', reason: error.message })
        const code = error instanceof IssuerUnavailable ? 'issuer_unavailable' : 'unauthenticated'
        logFields.refused = code
        const refusal: Authorization = { allowed: false, code }
        return { isAuthorized: true, context: { ...refusal, ...logged } }
      }
    })
  return decide
}

/**
 * A request with an API key. A second one, with an embed token, would cost each start more time
 * than it would save the first request with a token (docs/decisions/10-start.md).
 */
const warmUpRequest = () => {
  const headers = { authorization: `Bearer ${newApiKey({ accountId: '', userId: 0 })}` }
  return warmUpEvent<APIGatewayRequestAuthorizerEventV2>(operations['list-dbt-syncs'], { headers })
}

export const handler = await deployed(authorizer, {
  storage,
  make: makeVerification,
  create,
  warmUpRequest,
})
