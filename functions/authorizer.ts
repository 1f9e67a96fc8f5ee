import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { apiKeyUses } from '@embed-access/core/access/api-key-use.ts'
import { authenticate } from '@embed-access/core/access/authenticate.ts'
import {
  embedTokenAlgorithm,
  embedTokenType,
  embedTokenVerifier,
  Unauthenticated,
} from '@embed-access/core/access/embed-token.ts'
import { IssuerUnavailable } from '@embed-access/core/access/oidc-document.ts'
import { accessTokenVerifier } from '@embed-access/core/access/oidc-token.ts'
import { counting } from '@embed-access/core/storage/counting.ts'
import { untilAborted } from '@embed-access/core/storage/until-aborted.ts'
import middy from '@middy/core'
import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda'
import { type Verdict, verdictOn } from './http/verdict.ts'
import { authorizer } from './operations/lambdas.ts'
import { operations, routeKeyOf, routes } from './operations/operations.ts'
import { audit } from './runtime/audit.ts'
import { onLambda } from './runtime/on-lambda.ts'
import { type Origin, originOf } from './runtime/origin.ts'
import type { Runtime } from './runtime/runtime.ts'
import { verificationKeys } from './runtime/signing-keys.ts'
import { storageOf } from './runtime/storage.ts'
import { timeLimit } from './runtime/time-limit.ts'
import { issuance } from './runtime/tokens.ts'
import { noteCaller, type WatchedContext, watched } from './runtime/watched.ts'

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage' | 'issuance' | 'verificationKeys'>

/** The access log takes the account from the context, where it reads no deeper. */
type Decision = APIGatewaySimpleAuthorizerWithContextResult<(Verdict & { accountId?: string }) | Record<never, never>>

/** The access of each route that needs a credential. The authorizer denies every other route. */
const accessOf = new Map(
  routes.flatMap((route) => (route.access === 'public' ? [] : [[routeKeyOf(route), route.access] as const])),
)

/**
 * The authorizer of the API, with simple responses. It decides who is calling and whether the route is open to them,
 * and hands that verdict to the function. The function answers a refusal, with a code and a reason that API Gateway
 * cannot give. The functions decide about deployments. If the authorizer throws, as it does when the database fails,
 * API Gateway answers 500.
 */
export const create = ({ issuer, log, now, storage, issuance, verificationKeys }: Needs) => {
  const verifiers = {
    verifyEmbedToken: embedTokenVerifier(verificationKeys, { ...issuance, now }),
    verifyAccessToken: accessTokenVerifier(now),
  }
  const recordUse = apiKeyUses()
  const stack = middy<APIGatewayRequestAuthorizerEventV2, Decision, Error, WatchedContext>(timeLimit)
  const handler = stack.handler(async (event, { notes }, { signal }) => {
    const counted = counting(storage, notes)
    const credentials = { ...verifiers, now, storage: untilAborted(counted, signal) }
    const origin = originOf(event)
    const access = accessOf.get(event.routeKey)
    if (access === undefined) return { isAuthorized: false, context: {} }
    try {
      const { principal, endUser, apiKey } = await authenticate(credentials, event.headers?.authorization ?? '')
      // Lambda freezes after the answer, so the write is awaited. If it fails, the request still passes.
      if (apiKey) await recordUse(credentials.storage, apiKey, now()).catch(unrecorded(log, origin))
      const verdict: Verdict = principal
        ? verdictOn(access, principal)
        : { allowed: false, code: 'end_user', by: endUser }
      noteCaller(notes, verdict.allowed ? verdict.principal : verdict.by)
      if (!verdict.allowed) notes.refused = verdict.code
      return { isAuthorized: true, context: { ...verdict, accountId: (principal ?? endUser).accountId } }
    } catch (error) {
      if (!(error instanceof Unauthenticated || error instanceof IssuerUnavailable)) throw error
      // The function notes a known caller who is refused. Here the caller is unknown, and only the authorizer knows
      // why.
      audit({ log, issuer }, origin, now(), { event: 'authorization.refused', reason: error.message })
      const code = error instanceof IssuerUnavailable ? 'issuer_unavailable' : 'unauthenticated'
      notes.refused = code
      return { isAuthorized: true, context: { allowed: false, code } }
    }
  })
  return watched({ log, now, issuer }, 'authorizer', originOf, handler)
}

const unrecorded =
  (log: Runtime['log'], { requestId, traceparent }: Origin) =>
  (error: unknown): void =>
    log({
      level: 'warn',
      requestId,
      traceparent,
      message: 'the use of an API key was not recorded',
      error: String(error),
    })

/**
 * One with an API key, and one with an embed token whose signature is wrong, so that the verification keys are read and
 * used.
 */
export const rehearsal = async ({ verificationKeys }: Pick<Needs, 'verificationKeys'>) => {
  const { keys } = await verificationKeys()
  const header = { alg: embedTokenAlgorithm, typ: embedTokenType, kid: keys[0]?.kid }
  const token = [JSON.stringify(header), '{}', '0'.repeat(64)].map((part) => Buffer.from(part).toString('base64url'))
  return [newApiKey({ accountId: '', userId: 0 }), token.join('.')].map(
    (credential) =>
      ({
        routeKey: routeKeyOf(operations['list-dbt-syncs']),
        headers: { authorization: `Bearer ${credential}` },
        requestContext: { requestId: '', http: { sourceIp: '' } },
      }) as unknown as APIGatewayRequestAuthorizerEventV2,
  )
}

const sources = { storage: storageOf(authorizer), issuance, verificationKeys }

export const handler = await onLambda(create, sources, rehearsal)
