import type { Minter } from '../access/principal.ts'
import type { User } from '../access/user.ts'
import type { AttributeDefinition } from '../embed-tenants/embed-tenant.ts'
import { type GenerateSession, maxActorTokenSeconds } from './request.ts'

/** What a session stores and its token says: the fields of the request, under their own names. */
export type SessionContext = Readonly<ReturnType<typeof sessionContext>>

/** Captures the context of a session. Defaults fill the attributes that the request leaves out. */
export function sessionContext(
  accountId: string,
  request: GenerateSession,
  user: User | undefined,
  attributeDefinitions: readonly AttributeDefinition[],
  mintedBy: Minter,
) {
  const { groupDefinitions, tenantGroupDefinitions, userAttributeDefinitions, actor, ...captured } =
    request
  return {
    accountId,
    ...captured,
    ...(actor && actingFor(request, actor.id)),
    ...(user && { userId: user.id, email: user.email }),
    userAttributes:
      user === undefined ? withDefaults(request.userAttributes, attributeDefinitions) : undefined,
    securityContext: withGroups(request),
    mintedBy,
  }
}

/** The claim of RFC 8693, section 4.1. The reason is in the audit alone. */
const actingFor = ({ tokenLifetimeSeconds }: GenerateSession, actorId: string) => ({
  act: { sub: actorId },
  tokenLifetimeSeconds: tokenLifetimeSeconds ?? maxActorTokenSeconds,
})

/** Adds the groups that access policies see (docs/specification.md#generate-an-embed-session). */
function withGroups({ securityContext, groups, tenantGroups, embedTenantName }: GenerateSession) {
  if (!groups && !tenantGroups) return securityContext
  const tenantScoped = (tenantGroups ?? []).map(
    (group) => `system:tenant:${embedTenantName}:group:${group}`,
  )
  return { ...securityContext, platformCloud: { groups: [...(groups ?? []), ...tenantScoped] } }
}

function withDefaults(
  given: GenerateSession['userAttributes'],
  definitions: readonly AttributeDefinition[],
) {
  const attributes = (given ?? []).flatMap(({ name, value }) =>
    value === undefined ? [] : [{ name, value }],
  )
  const named = new Set(attributes.map(({ name }) => name))
  const defaults = defaultsOf(definitions).filter(({ name }) => !named.has(name))
  return given || defaults.length > 0 ? [...attributes, ...defaults] : undefined
}

/** The attributes of a session that leaves all of them out. */
export const defaultsOf = (definitions: readonly AttributeDefinition[]) =>
  definitions.flatMap(({ name, defaultValue: value }) =>
    value === undefined ? [] : [{ name, value }],
  )
