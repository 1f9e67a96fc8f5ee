import { useEffect, useState } from 'preact/hooks'

/** What the fields of a form hold, by their names. A field that was left alone has no value. */
export type Values = Readonly<Record<string, string>>

const tabs = ['session', 'workbooks', 'syncs', 'notifications'] as const
export type Tab = (typeof tabs)[number]

/** Who asks about which deployment. These come with every tab. An own key does not: an address is kept in many places. */
const ofBar = ['account', 'key', 'deployment']

export type Place = {
  readonly tab: Tab
  readonly bar: Values
  readonly forms: Readonly<Record<Tab, Values>>
  /** Counts the changes after which lists that are shown must be asked for again. */
  readonly settled: number
}

const nowhere: Place = {
  tab: 'session',
  bar: {},
  forms: { session: {}, workbooks: {}, syncs: {}, notifications: {} },
  settled: 0,
}

/** `#workbooks?tenant=alder-oak&deployment=1001`: the tab and everything that was filled in. */
function linkTo({ tab, bar, forms }: Place): string {
  const query = new URLSearchParams(Object.entries({ ...bar, ...forms[tab] }).filter(([, value]) => value !== ''))
  return query.size === 0 ? `#${tab}` : `#${tab}?${query}`
}

/** The place that a link leads to. What it doesn't name stays as it is; so does everything for an anchor that is no tab. */
function follow(hash: string, from: Place): Place {
  const [name, query] = hash.slice(1).split('?', 2)
  const tab = name === '' ? 'session' : tabs.find((each) => each === name)
  if (tab === undefined) return from
  if (query === undefined) return { ...from, tab }
  const all = [...new URLSearchParams(query)]
  const [bar, form] = [true, false].map((isBar) => all.filter(([field]) => ofBar.includes(field) === isBar))
  return {
    tab,
    bar: { ...from.bar, ...Object.fromEntries(bar ?? []) },
    forms: { ...from.forms, [tab]: Object.fromEntries(form ?? []) },
    settled: from.settled + 1,
  }
}

type Update = (form: Tab | 'bar', values: Values) => void

/** All that was filled in, which the address always tells. */
export function usePlace() {
  const [place, setPlace] = useState(() => follow(location.hash, nowhere))
  useEffect(() => {
    const go = () => setPlace((from) => follow(location.hash, from))
    addEventListener('hashchange', go)
    return () => removeEventListener('hashchange', go)
  }, [])
  useEffect(() => history.replaceState(history.state, '', linkTo(place)), [place])
  const update: Update = (form, values) =>
    setPlace((from) =>
      form === 'bar'
        ? { ...from, bar: { ...from.bar, ...values } }
        : { ...from, forms: { ...from.forms, [form]: { ...from.forms[form], ...values } } },
    )
  const settle = () => setPlace((from) => ({ ...from, settled: from.settled + 1 }))
  return { place, update, settle }
}
