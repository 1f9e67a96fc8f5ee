import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type Account, ask, type InputError } from './api.ts'
import { useDirectory } from './directory.ts'
import { byField, type FieldErrors, type Form, focusSoon, type Values } from './form.ts'

const noForms = { session: {}, workbooks: {}, syncs: {}, notifications: {}, requests: {} }
export type Tab = keyof typeof noForms

/** Every tab's address has the bar's values. None has the own key: many places keep addresses. */
type FormName = Tab | 'bar' | 'own'

/** `settled` counts the changes after which a list that is shown must be asked for again. */
type Place = {
  tab: Tab
  forms: Readonly<Record<FormName, Values>>
  settled: number
}

const isOfBar = ([name]: [string, string]) => ['account', 'key', 'deployment'].includes(name)

/** `#workbooks?tenant=alder-oak&deployment=1001`: the tab and everything that was filled in. */
function linkTo({ tab, forms }: Place, key = ''): string {
  const values = Object.entries({ key, ...forms.bar, ...forms[tab] })
  const query = new URLSearchParams(values.filter(([, value]) => value !== ''))
  return query.size === 0 ? `#${tab}` : `#${tab}?${query}`
}

/** The place that a link leads to. What it does not name stays. */
function follow(hash: string, from: Place): Place {
  const [name, query] = hash.slice(1).split('?', 2)
  const tab = (name || 'session') as Tab
  if (!Object.hasOwn(noForms, tab)) return { ...from }
  if (query === undefined) return { ...from, tab }
  const all = [...new URLSearchParams(query)]
  const bar = { ...from.forms.bar, ...Object.fromEntries(all.filter(isOfBar)) }
  const form = Object.fromEntries(all.filter((each) => !isOfBar(each)))
  return { tab, forms: { ...from.forms, bar, [tab]: form }, settled: from.settled + 1 }
}

const start: Place = { tab: 'session', forms: { ...noForms, bar: {}, own: {} }, settled: 0 }

export type Page = ReturnType<typeof usePage>

export function usePage() {
  const [place, setPlace] = useState(() => follow(location.hash, start))
  const [errors, setErrors] = useState<FieldErrors>({})
  const { tab, forms, settled } = place
  useEffect(() => {
    addEventListener('hashchange', ({ newURL }) =>
      setPlace((from) => follow(new URL(newURL).hash, from)),
    )
  }, [])
  useEffect(() => setErrors({}), [tab])

  const deployment = (forms.bar.deployment ?? '').trim()
  const directory = useDirectory(forms.bar, forms.own.key, deployment)
  const { accounts, account, owned, picked } = directory
  useEffect(() => {
    // Safari takes 100 addresses in ten seconds.
    const soon = setTimeout(() => history.replaceState(null, '', linkTo(place, picked?.key)), 150)
    return () => clearTimeout(soon)
  }, [place, picked])
  const key = picked?.key ?? forms.own.key?.trim() ?? ''
  const lacking = key === '' ? 'an API key or token' : deployment === '' && 'a deployment'
  const settle = () => setPlace((from) => ({ ...from, settled: from.settled + 1 }))
  const put = (name: FormName, values: Values) =>
    setPlace(({ forms, ...from }) => ({
      ...from,
      forms: { ...forms, [name]: { ...forms[name], ...values } },
    }))
  const { admin, said, makeKey } = useKeyMaking(account, put, settle)
  const known = owned?.deployments.find(({ id }) => String(id) === deployment)
  // What a link names, or somebody has typed, stays.
  const filledFor = useFilledFor(owned && account?.id, deployment !== '', () => {
    const [first] = owned?.deployments ?? []
    if (first && !known) put('bar', { deployment: String(first.id) })
    settle()
  })
  return {
    tab,
    settled,
    directory,
    deployment,
    known,
    settle,
    admin,
    said,
    makeKey,
    /** Whether a key is all that is missing, and one can be made. */
    canMakeKey: key === '' && admin !== undefined,
    authorization: `Bearer ${key}`,
    /** What has to be typed before anything can be asked, as a sentence. */
    missing: lacking ? `Type ${lacking} above.` : undefined,
    /** Whether the form has the account's deployment. Then the page can ask for things. */
    isKnown: accounts !== undefined && filledFor === account?.id,
    showErrors(all: readonly InputError[]): void {
      setErrors(byField(all))
      if (all.length > 0) focusSoon('#caller [aria-invalid], section:not([hidden]) [aria-invalid]')
    },
    formOf: (name: FormName): Form => ({
      values: forms[name],
      errors,
      // An error in a body has a pointer, one in a query the name of the parameter.
      prefix: name === 'session' ? '/' : '',
      ids: name === 'session' || name === 'bar' ? '' : `${name}-`,
      set(values) {
        if (name === tab || name === 'bar') setErrors({})
        put(name, values)
      },
    }),
  }
}

/** Makes a key for an admin of the account, or else for its first user. Says how that went. */
function useKeyMaking(
  account: Account | undefined,
  put: (name: FormName, values: Values) => void,
  settle: () => void,
) {
  const [said, setSaid] = useState('Sent as Authorization: Bearer …, and kept nowhere.')
  const { users = [] } = account ?? {}
  const admin = (users.find(({ isAdmin }) => isAdmin) ?? users[0])?.email
  async function makeKey(user = admin ?? ''): Promise<void> {
    const query = { account: account?.id ?? '', user }
    try {
      const made = await ask<{ key: string }>('key', query, { method: 'POST' })
      put('bar', { key: 'own' })
      put('own', { key: made.key })
      const { firstName = user } = users.find(({ email }) => email === user) ?? {}
      setSaid(`Made a key of ${firstName}. It ends in a day.`)
    } catch (error) {
      setSaid((error as Error).message)
    }
    settle()
  }
  return { admin, said, makeKey }
}

/** Fills a form in once for each account: for the first one, an empty form. @returns for which */
export function useFilledFor(account: string | undefined, isFilled: boolean, fill: () => void) {
  const [before, setBefore] = useState<string>()
  useLayoutEffect(() => {
    if (account === undefined || before === account) return
    if (before !== undefined || !isFilled) fill()
    setBefore(account)
  }, [account])
  return before
}

/** The latest thing that was asked for, and whether another is on its way. */
export function useLatest<T>() {
  const [{ value, asked }, set] = useState<{ value?: T; asked?: object }>({})
  async function ask(promise: Promise<T> | T): Promise<void> {
    const own = {}
    set((before) => ({ ...before, asked: own }))
    const value = await promise
    set((before) => (before.asked === own ? { value } : before))
  }
  return [value, ask, asked !== undefined] as const
}
