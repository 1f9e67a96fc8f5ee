import { useEffect, useState } from 'preact/hooks'
import {
  type Account,
  type AccountThings,
  ask,
  call,
  pageOf,
  type Schemas,
  send,
  type Things,
} from './api.ts'
import type { Options, Values } from './form.ts'

const noThings: Things = { embedTenants: [], endUsers: [], workbooks: [], dashboards: [] }
const nothingOwned: AccountThings = { deployments: [], groups: [] }

/** More suggestions than this help nobody, and slow the page. */
const mostOffered = 5000

export type Directory = ReturnType<typeof useDirectory>

/** Reads who and what is in the catalog, for the page to offer. Nothing else waits for it. */
export function useDirectory(bar: Values, typedKey = '', deployment: string) {
  const accounts = useRead<Account[]>('accounts', [], async (tell) => tell(await ask('accounts')))
  const keys = accounts?.flatMap(({ keys }) => keys)
  const isUntouched = bar.key === undefined && typedKey === ''
  const picked = isUntouched ? keys?.[0] : keys?.find(({ key }) => key === bar.key)
  const isTheirs = ({ id, keys }: Account) => (picked ? keys.includes(picked) : id === bar.account)
  const account = accounts?.find(isTheirs) ?? accounts?.[0]
  const owned = useRead(`things of ${account?.id}`, nothingOwned, async (tell, signal) => {
    if (account) tell(await ask('account', { account: account.id }, { signal }))
  })
  const found = useRead(`${deployment} of ${account?.id}`, noThings, async (tell, signal) => {
    if (!account || deployment === '') return tell(noThings)
    let all = noThings
    do {
      const query = { account: account.id, deployment, ...(all.next && { after: all.next }) }
      all = merged(all, await ask('things', query, { signal }))
      tell(all)
    } while (all.next !== undefined)
  })
  const isAllFound = owned && found && found.next === undefined
  const isLoading = !accounts || (account !== undefined && !isAllFound)
  return { accounts, keys, account, picked, owned, things: found ?? noThings, isLoading }
}

/** How long a pause in typing must be for a request, in milliseconds. */
const pause = 150

/** The embed tenants whose names begin with what was typed, for those who may list them. */
export function useTenantsLike(typed: string, authorization: string) {
  const path = `/api/v1/embed-tenants?${new URLSearchParams({ search: typed, first: '20' })}`
  return useRead<readonly Schemas['EmbedTenant'][]>(
    `${path} ${authorization}`,
    [],
    async (tell, signal) => {
      await new Promise((resolve) => setTimeout(resolve, pause))
      if (typed === '' || signal.aborted) return
      tell(pageOf<Schemas['EmbedTenant']>(await send(call(path, authorization))).items)
    },
  )
}

type Read<T> = (tell: (found: T) => unknown, signal: AbortSignal) => Promise<unknown>

/** Reads what `wanted` names, until that changes. If it fails there is `none`; people can type. */
function useRead<T>(wanted: string, none: T, read: Read<T>): T | undefined {
  const [found, setFound] = useState<{ wanted: string; value: T }>()
  useEffect(() => {
    const ended = new AbortController()
    const tell = (value: T) => ended.signal.aborted || setFound({ wanted, value })
    read(tell, ended.signal).catch(() => tell(none))
    return () => ended.abort()
  }, [wanted])
  return found?.wanted === wanted ? found.value : undefined
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** Merges what was read, without repetitions, by name: the text of an item begins with it. */
function merged(before: Things, { next, ...part }: Things): Things {
  const together = ([kind, items]: [string, readonly unknown[]]) => {
    const all = [...before[kind as keyof typeof part], ...items]
    const texts = new Set(all.map((item) => JSON.stringify(item)))
    return [kind, [...texts].sort(compare).map((text) => JSON.parse(text))]
  }
  const all = Object.fromEntries(Object.entries(part).map(together)) as Things
  const count = all.embedTenants.length + all.endUsers.length + all.workbooks.length
  return next === undefined || count >= mostOffered ? all : { ...all, next }
}

/** An embed tenant, an external id and an internal id, as the value of an option. */
export const person = (embedTenantName = '', externalId = '', internalId = ''): string =>
  JSON.stringify({ embedTenantName, externalId, internalId })

export const peopleOf = ({ account, things }: Directory): Options => [
  ...things.embedTenants.flatMap(({ name, displayName }): Options => {
    const shown = displayName?.trim() || name
    const theirs = things.endUsers.filter(({ embedTenantName }) => embedTenantName === name)
    return [
      ...theirs.map(({ externalId: id }) => [person(name, id), `${id} of ${shown}`] as const),
      [person(name), `Anonymous at ${shown}`],
    ]
  }),
  ...(account?.users ?? []).map((user) => [person('', '', user.email), named(user)] as const),
  [person(), 'Nobody: an anonymous session'],
]

const named = ({ email, firstName }: Account['users'][number]) =>
  firstName ? `${firstName}, ${email}` : email

type Suggestion = readonly [value: string | number, label?: string | undefined]

/** What fields suggest, by the ids of the lists. Anything else may be typed. */
export function suggestionsOf(
  { account, owned, things }: Directory,
  tenantsLike: readonly Schemas['EmbedTenant'][] = [],
) {
  const { users = [] } = account ?? {}
  const { embedTenants, endUsers, dashboards, workbooks } = things
  return Object.entries<readonly Suggestion[]>({
    deployments: (owned?.deployments ?? []).map(({ id, name }) => [id, name]),
    'embed-tenants': [
      ...new Map(
        [...tenantsLike, ...embedTenants].map((each) => [each.name, each.displayName ?? undefined]),
      ),
    ],
    'internal-ids': users.map(({ email, firstName }) => [email, firstName]),
    'user-ids': users.map((user) => [user.id, named(user)]),
    'external-ids': endUsers.map(({ externalId, embedTenantName: of }) => [externalId, of]),
    'dashboard-ids': dashboards.map(({ id, title }) => [id, title]),
    'dashboard-public-ids': dashboards.map(({ publicId, title }) => [publicId, title]),
    'workbook-ids': workbooks.map(({ id, name }) => [id, name]),
  })
}
