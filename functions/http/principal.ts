import type { Principal } from '@embed-access/core/access/principal.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { boolean, integer, text } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import type { Access } from '../operations/operation.ts'

/** What the authorizer hands to the function, through API Gateway. */
const AuthorizerContext = v.object({
  principal: v.object({
    accountId: text,
    userId: integer,
    admin: boolean,
    deploymentIds: v.union([v.literal('all'), v.array(integer)]),
    // A context that does not say it is that of a scoped credential, which may do less.
    scoped: v.optional(boolean, true),
    embedded: v.optional(boolean),
  }),
})

/** The authorizer could not find out who is calling. It cannot answer 503 itself. */
const Undecided = v.object({ unavailable: v.literal(true) })

/**
 * Returns who is calling. The authorizer has checked the admin role already. It is checked here again, because an
 * answer that is cached without the route in its key would open every route.
 * @throws Refusal `issuer_unavailable`, `unauthenticated`, `admin_required`
 */
export function requirePrincipal(authorizerContext: unknown, access: Exclude<Access, 'public'>): Principal {
  // This comes first: such a context has no principal, whatever else is in it.
  if (v.is(Undecided, authorizerContext)) {
    throw new Refusal('issuer_unavailable')
  }
  const parsed = v.safeParse(AuthorizerContext, authorizerContext)
  if (!parsed.success) throw new Refusal('unauthenticated')
  const { principal } = parsed.output
  if (access === 'admin' && !principal.admin) throw new Refusal('admin_required')
  return principal
}
