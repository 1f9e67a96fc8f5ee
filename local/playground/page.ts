import { useEffect, useState } from 'preact/hooks'
import { ask, type InputError } from './api.ts'
import { useDirectory } from './directory.ts'
import { byField, type FieldErrors, type Form, focusSoon, type Values } from './form.ts'

const tabs = ['session', 'workbooks', 'syncs', 'notifications', 'requests'] as const
export type Tab = (typeof tabs)[number]

/** `settled` counts the changes after which a list that is shown must be asked for again. */
type Place = {
  readonly tab: Tab
  readonly forms: Readonly<Record<FormName, Values>>
  readonly settled: number
}

/** The bar's comes with every tab. The own key's is in no address, which is kept in many places. */
type FormName = Tab | 'bar' | 'own'

const noForms = {
  bar: {},
  own: {},
  session: {},
  workbooks: {},
  syncs: {},
  notifications: {},
  requests: {},
}

const isOfBar = ([name]: [string, string]) => ['account', 'key', 'deployment'].includes(name)

/** `#workbooks?tenant=alder-oak&deployment=1001`: the tab and everything that was filled in. */
function linkTo({ tab, forms }: Place, key = ''): string {
  const values = Object.entries({ key, ...forms.bar, ...forms[tab] })
  const query = new URLSearchParams(values.filter(([, value]) => value !== ''))
  return query.size === 0 ? `#${tab}` : `#${tab}?${query}`
}

/**
 * The place that a link leads to. What it does not name stays, and so does all for an anchor that
 * is no tab.
 */
function follow(hash: string, from: Place): Place {
  const [name, query] = hash.slice(1).split('?', 2)
  const tab = tabs.find((each) => each === (name || 'session'))
  if (tab === undefined) return from
  if (query === undefined) return { ...from, tab }
  const { bar = [], form = [] } = Object.groupBy(new URLSearchParams(query), (each) =>
    isOfBar(each) ? 'bar' : 'form',
  )
  const forms = {
    ...from.forms,
    bar: { ...from.forms.bar, ...Object.fromEntries(bar) },
    [tab]: Object.fromEntries(form),
  }
  return { tab, forms, settled: from.settled + 1 }
}

export type Page = ReturnType<typeof usePage>

export function usePage() {
  const [place, setPlace] = useState(() =>
    follow(location.hash, { tab: 'session', forms: noForms, settled: 0 }),
  )
  const [errors, setErrors] = useState<FieldErrors>({})
  const [said, setSaid] = useState('Sent as Authorization: Bearer …, and kept nowhere.')
  const { tab, forms, settled } = place
  useEffect(() => {
    const go = () => setPlace((from) => follow(location.hash, from))
    addEventListener('hashchange', go)
    return () => removeEventListener('hashchange', go)
  }, [])
  useEffect(() => setErrors({}), [tab])

  const deployment = (forms.bar.deployment ?? '').trim()
  const directory = useDirectory(forms.bar, forms.own.key, deployment)
  const { accounts, account, owned, picked } = directory
  // The address always tells all that was filled in.
  useEffect(
    () => history.replaceState(history.state, '', linkTo(place, picked?.key)),
    [place, picked],
  )
  const key = picked?.key ?? forms.own.key?.trim() ?? ''
  const missing =
    key === '' ? 'an API key or token' : deployment === '' ? 'a deployment' : undefined
  const settle = () => setPlace((from) => ({ ...from, settled: from.settled + 1 }))
  const put = (name: FormName, values: Values) =>
    setPlace(({ forms, ...from }) => ({
      ...from,
      forms: { ...forms, [name]: { ...forms[name], ...values } },
    }))
  const { users = [] } = account ?? {}
  const admin = (users.find(({ isAdmin }) => isAdmin) ?? users[0])?.email
  /** Makes a key for a user, who is an admin if nobody is named, and says what became of it. */
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
  // The first deployment of an account is filled in, if it has one.
  const isFilledIn = forms.bar.deployment !== undefined || owned?.deployments.length === 0
  return {
    tab,
    settled,
    directory,
    deployment,
    settle,
    admin,
    said,
    makeKey,
    /** Whether a key is all that is missing, and one can be made. */
    canMakeKey: key === '' && admin !== undefined,
    authorization: `Bearer ${key}`,
    /** What has to be typed before anything can be asked, as a sentence. */
    missing: missing && `Type ${missing} above.`,
    /** Whether the keys and deployments have been read that may be picked. */
    isKnown: accounts !== undefined && (!account || (owned !== undefined && isFilledIn)),
    /** Shows each error at its field, of which the first gets the focus. */
    showErrors(all: readonly InputError[]): void {
      setErrors(byField(all))
      if (all.length > 0) focusSoon('#caller [aria-invalid], section:not([hidden]) [aria-invalid]')
    },
    formOf: (name: FormName): Form => ({
      values: forms[name],
      errors,
      // Of a session's body an error has a pointer, of a list's query the parameter's name.
      prefix: name === 'session' ? '/' : '',
      ids: name === 'session' || name === 'bar' ? '' : `${name}-`,
      set(values) {
        if (name === tab || name === 'bar') setErrors({})
        put(name, values)
      },
    }),
  }
}
