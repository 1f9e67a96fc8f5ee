import { Caller, callerOf, Principal } from '@embed-access/core/access/principal.ts'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import type { Access } from '../operations/record.ts'

/** Every code with which the authorizer refuses a request. */
const refusals = [
  'unauthenticated',
  'admin_required',
  'operation_not_allowed',
  'end_user',
  'issuer_unavailable',
] as const

export type RefusalOfAuthorizer = (typeof refusals)[number]

/**
 * What the authorizer tells the function, through API Gateway: who is calling, or why the call is
 * refused. The authorizer lets both through, and the function answers the refusal, because API
 * Gateway's own refusals have no code.
 */
const Authorization = v.variant('allowed', [
  v.object({ allowed: v.literal(true), principal: Principal }),
  v.object({
    allowed: v.literal(false),
    code: v.picklist(refusals),
    // If known.
    by: v.optional(Caller),
  }),
])

export type Authorization = v.InferOutput<typeof Authorization>

/**
 * How long API Gateway reuses an authorization. A revoked key works for that much longer at most,
 * and for as long as the database lags: the authorizer reads keys with eventual consistency.
 */
export const authorizerCacheSeconds = 30

type Asked = { readonly id: string; readonly access: Access }

export function authorizationOf(principal: Principal, { id, access }: Asked): Authorization {
  const by = callerOf(principal)
  const refused = (code: RefusalOfAuthorizer): Authorization => ({ allowed: false, code, by })
  if (principal.operations?.includes(id) === false) return refused('operation_not_allowed')
  // The function itself looks at the token.
  if (access === 'embed') return refused('unauthenticated')
  if (access === 'backend' && by.credential.kind === 'embedToken') return refused('end_user')
  if (access === 'admin' && !principal.admin) return refused('admin_required')
  return { allowed: true, principal }
}

/**
 * Returns the authorization that API Gateway adds to an event. Without one, the caller is unknown.
 * The authorizer has checked the access to this route already, and API Gateway keeps its decisions
 * by credential and route. The second check here is for a deployment that would keep them by
 * credential alone: then the decision about one route would open all.
 */
export function authorizationIn(
  { requestContext }: APIGatewayProxyEventV2,
  operation: Asked,
): Authorization {
  const { authorizer } = Object(requestContext)
  const parsed = v.safeParse(Authorization, authorizer?.lambda)
  if (!parsed.success) return { allowed: false, code: 'unauthenticated' }
  return parsed.output.allowed ? authorizationOf(parsed.output.principal, operation) : parsed.output
}
