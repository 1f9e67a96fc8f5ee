import type { AttributeDefinition } from '../embed-tenants/embed-tenant.ts'
import type { GenerateSession } from './request.ts'

/**
 * What a session holds and its token will say: the request's own fields under their own names. Keys that were left out
 * stay out.
 */
export type SessionContext = Omit<
  GenerateSession,
  'groupDefinitions' | 'tenantGroupDefinitions' | 'userAttributeDefinitions'
> & {
  readonly accountId: string
  /** The internal user, if the session is for one. */
  readonly userId?: number | undefined
}

export function sessionContext(
  accountId: string,
  request: GenerateSession,
  userId: number | undefined,
  attributeDefinitions: readonly AttributeDefinition[],
): SessionContext {
  const { groupDefinitions, tenantGroupDefinitions, userAttributeDefinitions, ...captured } = request
  return {
    accountId,
    ...captured,
    userId,
    userAttributes: userId === undefined ? withDefaults(request.userAttributes, attributeDefinitions) : undefined,
    securityContext: withGroups(request),
  }
}

/** Groups as access policies see them (specification, "Generate an embed session", rules 4 and 5). */
function withGroups({ securityContext, groups, tenantGroups, embedTenantName }: GenerateSession) {
  if (!groups && !tenantGroups) return securityContext
  const tenantScoped = (tenantGroups ?? []).map((group) => `system:tenant:${embedTenantName}:group:${group}`)
  return { ...securityContext, platformCloud: { groups: [...(groups ?? []), ...tenantScoped] } }
}

/** Stored defaults fill the attributes that the request leaves out. */
function withDefaults(attributes: GenerateSession['userAttributes'], definitions: readonly AttributeDefinition[]) {
  const named = new Set(attributes?.map(({ name }) => name))
  const defaults = definitions.flatMap(({ name, defaultValue }) =>
    defaultValue === undefined || named.has(name) ? [] : [{ name, value: defaultValue }],
  )
  return attributes || defaults.length > 0 ? [...(attributes ?? []), ...defaults] : undefined
}
