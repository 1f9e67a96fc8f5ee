import type { Directory } from './use-directory.ts'

type Suggestion = readonly [value: string | number, label?: string | undefined]

/** What the fields of all tabs suggest. Anything else may be typed. */
export function Suggestions({ directory: { account, owned, things } }: { directory: Directory }) {
  const users = account?.users ?? []
  const lists: Record<string, readonly Suggestion[]> = {
    deployments: (owned?.deployments ?? []).map(({ id, name }) => [id, name]),
    'embed-tenants': things.embedTenants.map(({ name, displayName }) => [name, displayName]),
    'internal-ids': users.map(({ email, firstName }) => [email, firstName]),
    'user-ids': users.map(({ id, email, firstName }) => [id, firstName ? `${firstName}, ${email}` : email]),
    'external-ids': things.endUsers.map(({ externalId, embedTenantName }) => [externalId, embedTenantName]),
    'dashboard-ids': things.dashboards.map(({ id, title }) => [id, title]),
    'dashboard-public-ids': things.dashboards.map(({ publicId, title }) => [publicId, title]),
    'workbook-ids': things.workbooks.map(({ id, name }) => [id, name]),
  }
  return Object.entries(lists).map(([id, options]) => (
    <datalist id={id} key={id}>
      {options.map(([value, label]) => (
        <option value={value} label={label} key={`${value} ${label}`} />
      ))}
    </datalist>
  ))
}
