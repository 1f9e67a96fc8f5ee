import * as v from 'valibot'
import { requireReadable } from '../access/deployment.ts'
import { deploymentKey } from '../access/keys.ts'
import type { Principal } from '../access/principal.ts'
import { definitionsIn, groupKey } from '../embed-tenants/embed-tenant.ts'
import { type InputError, Refusal } from '../refusal.ts'
import { batchGet, type Item, type ItemKey, isLive, itemId } from '../storage/batch-get.ts'
import type { RecentItemsOf } from '../storage/recent-items.ts'
import type { Storage } from '../storage/storage.ts'
import { definedIn } from './definitions.ts'
import type { GenerateSession } from './request.ts'
import { RequestFields } from './request-fields.ts'

type Named = Pick<GenerateSession, 'groups' | 'tenantGroups'>

/**
 * Finds the groups of a request that do not exist.
 * @param itemAt what was read of the account's groups, by key
 * @param tenantGroups the groups that the embed tenant has once the request is done
 */
export function unknownNames(
  accountId: string,
  request: Named,
  itemAt: (key: ItemKey) => Item | undefined,
  tenantGroups: readonly { readonly name: string }[],
): InputError[] {
  const unknown = (field: keyof Named, isKnown: (name: string) => boolean): InputError[] =>
    (request[field] ?? []).flatMap((name, index) =>
      isKnown(name)
        ? []
        : [{ pointer: `/${field}/${index}`, message: `names no existing group: ${JSON.stringify(name)}` }],
    )
  const known = new Set(tenantGroups.map(({ name }) => name))
  const isGroup = (name: string) => isLive(itemAt(groupKey(accountId, name)))
  return [...unknown('groups', isGroup), ...unknown('tenantGroups', (name) => known.has(name))]
}

const { deploymentId, creatorMode, embedTenantName, groups, tenantGroups, tenantGroupDefinitions } =
  RequestFields.entries

const Groups = v.object({ deploymentId, groups: v.fallback(groups, undefined) })
const TenantGroups = v.object({ creatorMode, embedTenantName, tenantGroups, tenantGroupDefinitions })

/**
 * The same for a body that is wrong otherwise, as far as the fields in question have their shape. So the caller learns of all
 * mistakes at once. Whoever may not read the deployment learns nothing of groups.
 */
export async function unknownNamesInBody(
  storage: Storage,
  principal: Principal,
  body: unknown,
  recent: RecentItemsOf,
): Promise<InputError[]> {
  const parsed = v.safeParse(Groups, body)
  if (!parsed.success) return []
  const { deploymentId, groups = [] } = parsed.output
  const ofTenant = v.safeParse(TenantGroups, body)
  const hasTenant = ofTenant.success && ofTenant.output.creatorMode && ofTenant.output.embedTenantName !== undefined
  const request = hasTenant ? ofTenant.output : {}
  const { accountId } = principal
  const [deployment, definitions] = [deploymentKey(deploymentId), definedIn(accountId, request)]
  const keys = [deployment, definitions, ...groups.map((group) => groupKey(accountId, group))]
  const items = await batchGet(storage, keys, { consistent: true, recent: recent(accountId) })
  try {
    requireReadable(principal, deploymentId, items.get(itemId(deployment)))
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
  const defined = [...definitionsIn(items.get(itemId(definitions))).groups, ...(request.tenantGroupDefinitions ?? [])]
  return unknownNames(accountId, { ...request, groups }, (key) => items.get(itemId(key)), defined)
}
