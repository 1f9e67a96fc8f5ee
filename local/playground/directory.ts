import { useEffect, useState } from 'preact/hooks'
import { type Account, type AccountThings, ask, type Things } from './api.ts'
import type { Options, Values } from './form.ts'

const noThings: Things = { embedTenants: [], endUsers: [], workbooks: [], dashboards: [] }

/** More suggestions than this help nobody, and slow the page. */
const mostOffered = 5000

export type Directory = ReturnType<typeof useDirectory>

/**
 * Reads who and what there is in the catalog: what the page offers to pick. Nothing else waits for
 * it.
 */
export function useDirectory(
  { key, account: accountId }: Values,
  typedKey = '',
  deployment: string,
) {
  const accounts = useRead<Account[]>('accounts', (tell) =>
    ask<Account[]>('accounts').then(tell, () => tell([])),
  )
  const keys = accounts?.flatMap(({ keys }) => keys)
  const picked =
    key === undefined && typedKey === '' ? keys?.[0] : keys?.find((each) => each.key === key)
  const isTheirs = ({ id, keys }: Account) => (picked ? keys.includes(picked) : id === accountId)
  // The account of the demo key that was picked, or else the one that was picked itself.
  const account = accounts?.find(isTheirs) ?? accounts?.[0]
  const owned = useRead<AccountThings>(`things of ${account?.id}`, async (tell, signal) => {
    if (account) tell(await ask('account', { account: account.id }, { signal }))
  })
  const found = useRead<Things>(`${deployment} of ${account?.id}`, async (tell, signal) => {
    if (!account || !/^\d{1,15}$/.test(deployment)) return tell(noThings)
    let all = noThings
    do {
      const after = all.next === undefined ? {} : { after: all.next }
      all = merged(
        all,
        await ask('things', { account: account.id, deployment, ...after }, { signal }),
      )
      tell(all)
    } while (all.next !== undefined)
  })
  const isAllFound = owned !== undefined && found !== undefined && found.next === undefined
  const isLoading = accounts === undefined || (account !== undefined && !isAllFound)
  return { accounts, keys, account, picked, owned, things: found ?? noThings, isLoading }
}

type Read<T> = (tell: (found: T) => void, signal: AbortSignal) => Promise<unknown>

/**
 * Reads what is wanted, until something else is. What can't be read is not suggested, and can still
 * be typed.
 */
function useRead<T>(wanted: string, read: Read<T>): T | undefined {
  const [found, setFound] = useState<{ wanted: string; value: T }>()
  useEffect(() => {
    const ended = new AbortController()
    read((value) => setFound({ wanted, value }), ended.signal).catch(() => {})
    return () => ended.abort()
  }, [wanted])
  return found?.wanted === wanted ? found.value : undefined
}

/** All that was read, once each, by name: the table's order means nothing to people. */
function merged(before: Things, { next, ...part }: Things): Things {
  const together = ([kind, items]: [string, readonly unknown[]]) => {
    // The text of an item begins with its name.
    const texts = new Set(
      [...before[kind as keyof typeof part], ...items].map((item) => JSON.stringify(item)),
    )
    const sorted = [...texts].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    return [kind, sorted.map((text) => JSON.parse(text))]
  }
  const all = Object.fromEntries(Object.entries(part).map(together)) as Things
  const isEnough =
    all.embedTenants.length + all.endUsers.length + all.workbooks.length >= mostOffered
  return next === undefined || isEnough ? all : { ...all, next }
}

/** An embed tenant, an external id and an internal id, as the value of an option. */
export const person = (embedTenantName = '', externalId = '', internalId = ''): string =>
  JSON.stringify({ embedTenantName, externalId, internalId })

/** The end users of the catalog, by tenant, and then the account's own. */
export const peopleOf = ({ account, things }: Directory): Options => [
  ...things.embedTenants.flatMap(({ name, displayName = name }) => [
    ...things.endUsers
      .filter(({ embedTenantName }) => embedTenantName === name)
      .map(
        ({ externalId }) => [person(name, externalId), `${externalId} of ${displayName}`] as const,
      ),
    [person(name), `Anonymous at ${displayName}`] as const,
  ]),
  ...(account?.users ?? []).map(
    ({ email, firstName }) => [person('', '', email), named(email, firstName)] as const,
  ),
  [person(), 'Nobody: an anonymous session'],
]

const named = (email: string, firstName?: string) => (firstName ? `${firstName}, ${email}` : email)

type Suggestion = readonly [value: string | number, label?: string | undefined]

/** What the fields of all tabs suggest, by the id of its list. Anything else may be typed. */
export function suggestionsOf({
  account,
  owned,
  things,
}: Directory): Record<string, readonly Suggestion[]> {
  const users = account?.users ?? []
  return {
    deployments: (owned?.deployments ?? []).map(({ id, name }) => [id, name]),
    'embed-tenants': things.embedTenants.map(({ name, displayName }) => [name, displayName]),
    'internal-ids': users.map(({ email, firstName }) => [email, firstName]),
    'user-ids': users.map(({ id, email, firstName }) => [id, named(email, firstName)]),
    'external-ids': things.endUsers.map(({ externalId, embedTenantName }) => [
      externalId,
      embedTenantName,
    ]),
    'dashboard-ids': things.dashboards.map(({ id, title }) => [id, title]),
    'dashboard-public-ids': things.dashboards.map(({ publicId, title }) => [publicId, title]),
    'workbook-ids': things.workbooks.map(({ id, name }) => [id, name]),
  }
}
