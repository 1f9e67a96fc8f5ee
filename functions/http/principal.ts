import type { Principal } from '@embed-access/core/access/principal.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { boolean, integer, text } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import type { Access } from '../operations/operation.ts'

/** What the authorizer hands on, through API Gateway, to the function that it let the request pass to. */
const AuthorizerContext = v.object({
  principal: v.object({
    accountId: text,
    userId: integer,
    admin: boolean,
    deploymentIds: v.union([v.literal('all'), v.array(integer)]),
    embedded: v.optional(boolean),
  }),
})

/** The authorizer could not tell who is calling, and can't say so itself: API Gateway lets it say 401, 403 or 500. */
const Undecided = v.object({ unavailable: v.literal(true) })

/**
 * Who is calling. The authorizer has asked for the admin role already; it is asked for here again because an answer
 * cached without the route in its key would open every route.
 * @throws Refusal `issuer_unavailable`, `unauthenticated`, `admin_required`
 */
export function requirePrincipal(authorizerContext: unknown, access: Exclude<Access, 'public'>): Principal {
  // First of all, so that such a context is nobody's, whatever else it may hold.
  if (v.is(Undecided, authorizerContext)) {
    throw new Refusal('issuer_unavailable')
  }
  const parsed = v.safeParse(AuthorizerContext, authorizerContext)
  if (!parsed.success) throw new Refusal('unauthenticated')
  const { principal } = parsed.output
  if (access === 'admin' && !principal.admin) throw new Refusal('admin_required')
  return principal
}
