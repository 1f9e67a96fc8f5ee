import type { Principal } from '@embed-access/core/access/principal.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { boolean, integer, text } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import type { Access } from '../operations/operation.ts'

/** Every code with which the authorizer refuses a request. */
const refusals = ['unauthenticated', 'admin_required', 'end_user', 'issuer_unavailable'] as const

/**
 * What the authorizer hands to the function, through API Gateway: who is calling, or why nobody is. The authorizer lets
 * both through, because API Gateway's own refusals have no code, and the function answers.
 */
const Verdict = v.variant('allowed', [
  v.object({
    allowed: v.literal(true),
    principal: v.object({
      accountId: text,
      userId: integer,
      admin: boolean,
      deploymentIds: v.union([v.literal('all'), v.array(integer)]),
      // A verdict that doesn't say it is that of a scoped credential, which may do less.
      scoped: v.optional(boolean, true),
      embedded: v.optional(boolean),
    }),
  }),
  v.object({ allowed: v.literal(false), code: v.picklist(refusals) }),
])

export type Verdict = v.InferOutput<typeof Verdict>

type Closed = Exclude<Access, 'public'>

/** The verdict about a principal on a route with this access. */
export function verdictOn(access: Closed, principal: Principal): Verdict {
  if (access === 'backend' && principal.embedded) return { allowed: false, code: 'end_user' }
  if (access === 'admin' && !principal.admin) return { allowed: false, code: 'admin_required' }
  return { allowed: true, principal: principal as Extract<Verdict, { allowed: true }>['principal'] }
}

/**
 * Returns who is calling. Access is checked again here, because a verdict that is cached without the route in its key
 * would open every route.
 * @param authorizerContext what API Gateway has from the authorizer; without a verdict in it, nobody is calling
 * @throws Refusal `unauthenticated`, `admin_required`, `end_user`, `issuer_unavailable`
 */
export function requirePrincipal(authorizerContext: unknown, access: Closed): Principal {
  const parsed = v.safeParse(Verdict, authorizerContext)
  if (!parsed.success) throw new Refusal('unauthenticated')
  const verdict = parsed.output.allowed ? verdictOn(access, parsed.output.principal) : parsed.output
  if (!verdict.allowed) throw new Refusal(verdict.code)
  return verdict.principal
}
