import { useEffect, useState } from 'preact/hooks'

/** What the fields of a form hold, by their names. A field that was left alone has no value. */
export type Values = Readonly<Record<string, string>>

const tabs = ['session', 'workbooks', 'syncs', 'notifications'] as const
export type Tab = (typeof tabs)[number]

type Forms = Readonly<Record<Tab | 'bar', Values>>

/** `settled` counts the changes after which a list that is shown must be asked for again. */
type Place = { readonly tab: Tab; readonly forms: Forms; readonly settled: number }

const empty: Forms = { bar: {}, session: {}, workbooks: {}, syncs: {}, notifications: {} }

/** Who asks about which deployment comes with every tab. An own key does not: an address is kept in many places. */
const isOfBar = ([name]: [string, string]) => ['account', 'key', 'deployment'].includes(name)

/** `#workbooks?tenant=alder-oak&deployment=1001`: the tab and everything that was filled in. */
function linkTo({ tab, forms }: Place): string {
  const query = new URLSearchParams(Object.entries({ ...forms.bar, ...forms[tab] }).filter(([, value]) => value !== ''))
  return query.size === 0 ? `#${tab}` : `#${tab}?${query}`
}

/** The place that a link leads to. What it doesn't name stays as it is; so does everything for an anchor that is no tab. */
function follow(hash: string, from: Place): Place {
  const [name, query] = hash.slice(1).split('?', 2)
  const tab = tabs.find((each) => each === (name || 'session'))
  if (tab === undefined) return from
  if (query === undefined) return { ...from, tab }
  const all = [...new URLSearchParams(query)]
  const bar = { ...from.forms.bar, ...Object.fromEntries(all.filter(isOfBar)) }
  const form = Object.fromEntries(all.filter((each) => !isOfBar(each)))
  return { tab, forms: { ...from.forms, bar, [tab]: form }, settled: from.settled + 1 }
}

/** All that was filled in, which the address always tells. */
export function usePlace() {
  const [place, setPlace] = useState(() => follow(location.hash, { tab: 'session', forms: empty, settled: 0 }))
  useEffect(() => {
    const go = () => setPlace((from) => follow(location.hash, from))
    addEventListener('hashchange', go)
    return () => removeEventListener('hashchange', go)
  }, [])
  useEffect(() => history.replaceState(history.state, '', linkTo(place)), [place])
  const update = (form: keyof Forms, values: Values) =>
    setPlace(({ forms, ...from }) => ({ ...from, forms: { ...forms, [form]: { ...forms[form], ...values } } }))
  const settle = () => setPlace((from) => ({ ...from, settled: from.settled + 1 }))
  return { ...place, update, settle }
}
