import { useEffect, useState } from 'preact/hooks'
import type { Account, AccountThings, DemoKey, Things } from './directory.ts'

/** Who and what there is in the catalog, as far as it has been read: what the playground offers to pick. */
export type Directory = {
  /** Undefined until they have been read. */
  readonly accounts: readonly Account[] | undefined
  /** The account of the demo key that was picked, or else the one that was picked itself. */
  readonly account: Account | undefined
  readonly picked: DemoKey | undefined
  /** Of the account. Undefined until they have been read. */
  readonly owned: AccountThings | undefined
  readonly things: Things
  readonly isLoading: boolean
}

const noThings: Things = { embedTenants: [], endUsers: [], workbooks: [], dashboards: [] }

/** More suggestions than this help nobody, and slow the page. */
const mostOffered = 5000

export async function ask<T>(name: string, query: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<T> {
  const response = await fetch(`/playground/${name}.json?${new URLSearchParams(query)}`, { method })
  const body = await response.json()
  if (!response.ok) throw new Error(body.message)
  return body as T
}

/** Reads what a demo key or an account, and a deployment, have. Nothing else waits for it. */
export function useDirectory(key: string | undefined, accountId: string | undefined, deployment: string): Directory {
  const accounts = useRead<Account[]>('accounts', (tell) => ask<Account[]>('accounts').then(tell, () => tell([])))
  const picked = accounts?.flatMap(({ keys }) => keys).find((each) => each.key === key)
  const isTheirs = ({ id, keys }: Account) => (picked ? keys.includes(picked) : id === accountId)
  const account = accounts?.find(isTheirs) ?? accounts?.[0]

  const owned = useRead<AccountThings>(`things of ${account?.id}`, async (tell) => {
    if (account) tell(await ask('account', { account: account.id }))
  })
  const found = useRead<Things>(`${deployment} of ${account?.id}`, async (tell) => {
    if (!account || !/^\d{1,15}$/.test(deployment)) return tell(noThings)
    let all = noThings
    do {
      const after = all.next === undefined ? {} : { after: all.next }
      all = merged(all, await ask('things', { account: account.id, deployment, ...after }))
    } while (tell(all) && all.next !== undefined)
  })
  const isAllFound = owned !== undefined && found !== undefined && found.next === undefined
  const isLoading = accounts === undefined || (account !== undefined && !isAllFound)
  return { accounts, account, picked, owned, things: found ?? noThings, isLoading }
}

/**
 * Reads what is wanted, until something else is. What can't be read is not suggested, and can still be typed.
 * @param read tells what it has found so far, and is told whether that is still wanted
 */
function useRead<T>(wanted: string, read: (tell: (value: T) => boolean) => Promise<unknown>): T | undefined {
  const [found, setFound] = useState<{ wanted: string; value: T }>()
  useEffect(() => {
    let isWanted = true
    const tell = (value: T) => {
      if (isWanted) setFound({ wanted, value })
      return isWanted
    }
    read(tell).catch(() => {})
    return () => {
      isWanted = false
    }
  }, [wanted])
  return found?.wanted === wanted ? found.value : undefined
}

/** All that was read, once each, by name: the table's order means nothing to people. */
function merged(before: Things, { next, ...part }: Things): Things {
  const together = <Item>(one: readonly Item[], other: readonly Item[]) => {
    // The text of an item begins with its name.
    const byText = new Map([...one, ...other].map((item) => [JSON.stringify(item), item]))
    return [...byText].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([, item]) => item)
  }
  const all = {
    embedTenants: together(before.embedTenants, part.embedTenants),
    endUsers: together(before.endUsers, part.endUsers),
    workbooks: together(before.workbooks, part.workbooks),
    dashboards: together(before.dashboards, part.dashboards),
  }
  const isEnough = all.embedTenants.length + all.endUsers.length + all.workbooks.length >= mostOffered
  return { ...all, ...(next !== undefined && !isEnough && { next }) }
}
