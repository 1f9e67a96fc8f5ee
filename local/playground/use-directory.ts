import { useEffect, useMemo, useState } from 'preact/hooks'
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
  const [accounts, setAccounts] = useState<readonly Account[]>()
  const [owned, setOwned] = useState<{ of: string; things: AccountThings }>()
  const [found, setFound] = useState<{ of: string; things: Things; isLoading: boolean }>()
  useEffect(() => {
    ask<Account[]>('accounts').then(setAccounts, () => setAccounts([]))
  }, [])
  const picked = accounts?.flatMap(({ keys }) => keys).find((each) => each.key === key)
  const account =
    accounts?.find(({ keys }) => picked && keys.includes(picked)) ??
    accounts?.find(({ id }) => id === accountId) ??
    accounts?.[0]

  useEffect(() => {
    if (!account) return
    const of = account.id
    return whileWanted((isWanted) =>
      ask<AccountThings>('account', { account: of }).then((things) => isWanted() && setOwned({ of, things })),
    )
  }, [account?.id])
  const of = `${account?.id} ${deployment}`
  const canBe = /^\d{1,15}$/.test(deployment)
  useEffect(() => {
    if (!account || !canBe) return
    return whileWanted(async (isWanted) => {
      let things = noThings
      for (let after: string | undefined = ''; after !== undefined && isWanted(); ) {
        const part: Things = await ask<Things>('things', { account: account.id, deployment, ...(after && { after }) })
        things = merged(things, part)
        after = sizeOf(things) < mostOffered ? part.next : undefined
        if (isWanted()) setFound({ of, things, isLoading: after !== undefined })
      }
    })
  }, [of])

  return useMemo(() => {
    const its = owned && owned.of === account?.id ? owned.things : undefined
    const isFound = found !== undefined && found.of === of
    const isAllFound = its !== undefined && (!canBe || (isFound && !found.isLoading))
    return {
      accounts,
      account,
      picked,
      owned: its,
      things: isFound ? found.things : noThings,
      isLoading: accounts === undefined || (account !== undefined && !isAllFound),
    }
  }, [accounts, account, picked, owned, found, of])
}

/** Reads on until something else is wanted. What can't be read is not suggested, and can still be typed. */
function whileWanted(read: (isWanted: () => boolean) => Promise<unknown>): () => void {
  let wanted = true
  read(() => wanted).catch(() => {})
  return () => {
    wanted = false
  }
}

const sizeOf = ({ embedTenants, endUsers, workbooks }: Things) =>
  embedTenants.length + endUsers.length + workbooks.length

/** The table's order means nothing to people. One who receives many notifications is one. */
function merged(a: Things, b: Things): Things {
  const distinct = <T>(items: readonly T[], name: (item: T) => string) =>
    [...new Map(items.map((item) => [name(item), item])).entries()]
      .sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
      .map(([, item]) => item)
  return {
    embedTenants: distinct([...a.embedTenants, ...b.embedTenants], ({ name }) => name),
    endUsers: distinct([...a.endUsers, ...b.endUsers], (user) => `${user.embedTenantName} ${user.externalId}`),
    workbooks: distinct([...a.workbooks, ...b.workbooks], ({ name, id }) => `${name} ${id}`),
    dashboards: distinct([...a.dashboards, ...b.dashboards], ({ id }) => String(id)),
  }
}
