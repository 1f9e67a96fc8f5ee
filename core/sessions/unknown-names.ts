import { isUnlimitedAdmin, type Principal } from '../access/principal.ts'
import {
  embedTenantKey,
  embedTenantsOf,
  groupKey,
  type TenantGroup,
} from '../embed-tenants/embed-tenant.ts'
import { nearest } from '../nearest.ts'
import type { InputError } from '../refusal.ts'
import { getOne } from '../storage/batch-get.ts'
import { isLive } from '../storage/item.ts'
import { partsOfKey } from '../storage/keys.ts'
import { beginningWith, namedLike, queryIndex, queryPartition } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { GenerateSession } from './request.ts'

/** Comparing names takes time, and reading them takes capacity units. So each has a bound. */
const mostSuggestions = 5
const mostGroups = 1000
const mostTenantsOfARange = 500

/** A name of the request that names nothing, and the name's place. */
type UnknownName = { readonly pointer: string; readonly name: string }

const unknownIn = (
  field: string,
  names: readonly string[],
  isKnown: (name: string) => boolean,
): UnknownName[] =>
  names
    .map((name, index) => ({ pointer: `/${field}/${index}`, name }))
    .filter(({ name }) => !isKnown(name))

/**
 * An error for each unknown name. The first errors suggest the nearest of the candidates, also one
 * that differs in case alone.
 * @param problem such as `names no existing group`
 */
export const unknownNames = (
  unknown: readonly UnknownName[],
  problem: string,
  candidates: readonly string[],
) =>
  unknown.map(({ pointer, name }, position) => {
    const meant = position < mostSuggestions ? nearest(name, candidates) : undefined
    const suggestion = meant === undefined ? '' : `; the nearest one is ${JSON.stringify(meant)}`
    return { pointer, message: `${problem}: ${JSON.stringify(name)}${suggestion}` }
  })

const noGroup = 'names no existing group'

export async function unknownGroups(
  storage: Storage,
  accountId: string,
  { groups = [] }: GenerateSession,
  isGroup: (name: string) => boolean,
): Promise<InputError[]> {
  const unknown = unknownIn('groups', groups, isGroup)
  if (unknown.length === 0) return []
  return unknownNames(unknown, noGroup, await someGroupNames(storage, accountId))
}

export function unknownTenantGroups(
  { tenantGroups = [] }: GenerateSession,
  definitions: readonly TenantGroup[],
): InputError[] {
  const names = definitions.map(({ name }) => name)
  const defined = new Set(names)
  const unknown = unknownIn('tenantGroups', tenantGroups, (name) => defined.has(name))
  return unknownNames(unknown, noGroup, names.slice(0, mostGroups))
}

/** Names of an account's groups, to suggest one of them. */
async function someGroupNames(storage: Storage, accountId: string): Promise<string[]> {
  const prefix = groupKey(accountId, '')
  const range = { partition: prefix.pk, ...beginningWith(prefix.sk), attributes: ['sk', 'deleted'] }
  const { items } = await queryPartition(storage, range, mostGroups)
  return items.filter(isLive).map(({ sk }) => String(partsOfKey(String(sk))[1]))
}

/** An error for an unknown embed tenant. It names the nearest one if the caller may know it. */
export const unknownTenant = async (
  storage: Storage,
  principal: Principal,
  name: string,
  problem = 'names no embed tenant, and this session may create none',
): Promise<InputError[]> =>
  unknownNames(
    [{ pointer: '/embedTenantName', name }],
    problem,
    await similarEmbedTenants(storage, principal, name),
  )

/**
 * The embed tenant that was probably meant, if there is one: among the first of the account, and
 * those that begin with the same two letters. Only a caller who may list all tenants learns of one
 * here.
 */
export async function similarEmbedTenants(
  storage: Storage,
  principal: Principal,
  name: string,
): Promise<string[]> {
  if (!isUnlimitedAdmin(principal)) return []
  const { accountId } = principal
  const all = { index: 'byAccount', partition: embedTenantsOf(accountId) }
  const alike = { ...all, ...namedLike(name.slice(0, 2)) }
  const reads = await Promise.all([
    queryIndex(storage, all, mostTenantsOfARange),
    queryIndex(storage, alike, mostTenantsOfARange),
  ])
  const names = reads.flatMap(({ items }) => items.map(({ order }) => String(order)))
  const meant = nearest(name, names)
  if (meant === undefined) return []
  const tenant = await getOne(storage, embedTenantKey(accountId, meant), { consistent: true })
  return isLive(tenant) ? [meant] : []
}
