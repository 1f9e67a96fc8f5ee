import type { Principal } from '@embed-access/core/access/principal.ts'
import { Refusal, type RefusalCode } from '@embed-access/core/refusal.ts'
import { boolean, integer, text } from '@embed-access/core/schema.ts'
import type { Caller } from '@embed-access/core/sessions/audit.ts'
import * as v from 'valibot'
import type { Access } from '../operations/record.ts'

/** Every code with which the authorizer refuses a request. */
const refusals = [
  'unauthenticated',
  'admin_required',
  'end_user',
  'issuer_unavailable',
] as const satisfies RefusalCode[]

const Credential = v.variant('kind', [
  v.object({ kind: v.literal('apiKey'), key: text }),
  v.object({
    kind: v.literal('embedToken'),
    jti: text,
    deploymentId: integer,
    mintedBy: v.optional(v.object({ userId: integer, key: v.optional(text), at: integer })),
  }),
  v.object({ kind: v.literal('accessToken'), jti: v.optional(text) }),
])

const Allowed = v.object({
  allowed: v.literal(true),
  principal: v.object({
    accountId: text,
    userId: integer,
    admin: boolean,
    deploymentIds: v.union([v.literal('all'), v.array(integer)]),
    scoped: boolean,
    credential: Credential,
    expiresAt: v.optional(v.number()),
  }),
})

const Refused = v.object({
  allowed: v.literal(false),
  code: v.picklist(refusals),
  by: v.optional(v.object({ accountId: text, userId: v.optional(integer), credential: Credential })),
})

/**
 * What the authorizer hands to the function, through API Gateway: who is calling, or why nobody may. The authorizer lets
 * both through, because API Gateway's own refusals have no code, and the function answers.
 */
export type Verdict =
  | { readonly allowed: true; readonly principal: Principal }
  | {
      readonly allowed: false
      readonly code: (typeof refusals)[number]
      /** The caller who is refused, if known. */
      readonly by?: Caller | undefined
    }

const Verdict: v.GenericSchema<unknown, Verdict> = v.variant('allowed', [Allowed, Refused])

type Closed = Exclude<Access, 'public'>

/** The verdict about a principal on a route with this access. */
export function verdictOn(access: Closed, principal: Principal): Verdict {
  const { accountId, userId, credential } = principal
  const by = { accountId, userId, credential }
  if (access === 'backend' && credential.kind === 'embedToken') return { allowed: false, code: 'end_user', by }
  if (access === 'admin' && !principal.admin) return { allowed: false, code: 'admin_required', by }
  return { allowed: true, principal }
}

/**
 * Returns the verdict in the authorizer's context. Without one, the caller is unknown. Access is checked again here,
 * because a verdict that is cached without the route in its key would open every route.
 */
export function verdictIn(authorizerContext: unknown, access: Closed): Verdict {
  const parsed = v.safeParse(Verdict, authorizerContext)
  if (!parsed.success) return { allowed: false, code: 'unauthenticated' }
  return parsed.output.allowed ? verdictOn(access, parsed.output.principal) : parsed.output
}

/** @throws Refusal with the code of a verdict that refuses */
export function principalOf(verdict: Verdict): Principal {
  if (!verdict.allowed) throw new Refusal(verdict.code)
  return verdict.principal
}
