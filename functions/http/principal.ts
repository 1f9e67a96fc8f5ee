import type { Principal } from '@embed-access/core/access/principal.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { boolean, integer, text } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import type { Access } from './routes.ts'

/** What the authorizer hands on, through API Gateway, to the function that it let the request pass to. */
const AuthorizerContext = v.object({
  principal: v.object({
    accountId: text,
    userId: integer,
    admin: boolean,
    deploymentIds: v.union([v.literal('all'), v.array(integer)]),
  }),
})

/**
 * Who is calling. The authorizer has asked for the admin role already; it is asked for here again because an answer
 * cached without the route in its key would open every route.
 * @throws Refusal `unauthenticated`, `admin_required`
 */
export function requirePrincipal(authorizerContext: unknown, access: Exclude<Access, 'public'>): Principal {
  const parsed = v.safeParse(AuthorizerContext, authorizerContext)
  if (!parsed.success) throw new Refusal('unauthenticated', 'The request lacks a valid credential.')
  const { principal } = parsed.output
  if (access === 'admin' && !principal.admin) throw new Refusal('admin_required', 'This operation is for admins.')
  return principal
}
