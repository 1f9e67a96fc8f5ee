import { accountKey } from '../access/keys.ts'
import { groupKey } from '../embed-tenants/embed-tenant.ts'
import { nearest } from '../nearest.ts'
import type { InputError } from '../refusal.ts'
import { isLive } from '../storage/batch-get.ts'
import { partsOfKey } from '../storage/keys.ts'
import { beginningWith, queryPartition } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'

/** Comparing names takes time. So no more than these get a suggestion. */
const mostSuggestions = 5
const mostCandidates = 1000

/**
 * An error for each name of a list that names nothing. The first ones suggest the nearest of the
 * candidates, also one that differs in case alone.
 */
export const unknownNames = (
  field: string,
  names: readonly string[],
  isKnown: (name: string) => boolean,
  candidates: readonly string[],
): InputError[] =>
  names
    .map((name, index) => ({ name, pointer: `/${field}/${index}` }))
    .filter(({ name }) => !isKnown(name))
    .map(({ name, pointer }, position) => {
      const suggested = position < mostSuggestions ? suggestion(name, candidates) : ''
      return { pointer, message: `names no existing group: ${JSON.stringify(name)}${suggested}` }
    })

/** Ends a message with the nearest of the candidates, if one is near. */
export function suggestion(name: string, candidates: readonly string[]): string {
  const meant = nearest(name, candidates)
  return meant === undefined ? '' : `; the nearest one is ${JSON.stringify(meant)}`
}

/** Names of an account's groups, to suggest one of them: the first thousand. */
export async function someGroupNames(storage: Storage, accountId: string): Promise<string[]> {
  const range = {
    partition: accountKey(accountId).pk,
    ...beginningWith(groupKey(accountId, '').sk),
    attributes: ['sk', 'deleted'],
  }
  const { items } = await queryPartition(storage, range, mostCandidates)
  return items.filter(isLive).map(({ sk }) => String(partsOfKey(String(sk))[1]))
}

/** An error for an embed tenant that the session may not create. */
export const unknownTenant = (name: string): InputError => ({
  pointer: '/embedTenantName',
  message: `names no embed tenant, and this session may create none: ${name}`,
})
