import type { Account } from './directory.ts'
import { suggest } from './dom.ts'

/** What the fields of all sections suggest: the things of the account whose key was picked. */
export function suggestThingsOf(account: Account | undefined): void {
  const { embedTenants = [], users = [], dashboards = [] } = account ?? {}
  suggest(
    'embed-tenants',
    embedTenants.map(({ name, displayName }) => ({
      value: name,
      ...(displayName !== undefined && { label: displayName }),
    })),
  )
  suggest(
    'internal-ids',
    users.map(({ email }) => ({ value: email })),
  )
  suggest(
    'user-ids',
    users.map(({ id, email }) => ({ value: String(id), label: email })),
  )
  suggest(
    'external-ids',
    embedTenants.flatMap(({ name, externalIds }) => externalIds.map((value) => ({ value, label: name }))),
  )
  suggest(
    'dashboard-ids',
    dashboards.map(({ id, title }) => ({ value: String(id), label: title })),
  )
  suggest(
    'dashboard-public-ids',
    dashboards.map(({ publicId, title }) => ({ value: publicId, label: title })),
  )
}
