import { groupKey } from '../embed-tenants/embed-tenant.ts'
import type { InputError } from '../refusal.ts'
import { type Item, type ItemKey, isLive } from '../storage/batch-get.ts'
import type { GenerateSession } from './request.ts'

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
