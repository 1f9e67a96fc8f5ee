import { useEffect, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import { useDirectory } from './directory.ts'
import { byField, type FieldErrors, type Form, focusSoon, type Values } from './form.ts'

const tabs = ['session', 'workbooks', 'syncs', 'notifications'] as const
export type Tab = (typeof tabs)[number]

/** `settled` counts the changes after which a list that is shown must be asked for again. */
type Place = {
  readonly tab: Tab
  readonly forms: Readonly<Record<FormName, Values>>
  readonly settled: number
}

/** The bar's comes with every tab. The own key's is in no address, which is kept in many places. */
type FormName = Tab | 'bar' | 'own'

const empty = { bar: {}, own: {}, session: {}, workbooks: {}, syncs: {}, notifications: {} }

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
    follow(location.hash, { tab: 'session', forms: empty, settled: 0 }),
  )
  const [errors, setErrors] = useState<FieldErrors>({})
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
  // The first deployment of an account is filled in, if it has one.
  const isFilledIn = forms.bar.deployment !== undefined || owned?.deployments.length === 0
  return {
    tab,
    settled,
    directory,
    deployment,
    settle: () => setPlace((from) => ({ ...from, settled: from.settled + 1 })),
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
        setPlace(({ forms, ...from }) => ({
          ...from,
          forms: { ...forms, [name]: { ...forms[name], ...values } },
        }))
      },
    }),
  }
}
