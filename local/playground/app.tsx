import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import { byField, CopyButton, ErrorsContext, type FieldErrors, type Form, focusFirstError } from './fields.tsx'
import { KeyBar } from './key-bar.tsx'
import { type Tab, usePlace } from './link.ts'
import { NotificationsTab } from './notifications-tab.tsx'
import { SessionTab } from './session-tab.tsx'
import { Suggestions } from './suggestions.tsx'
import { SyncsTab } from './syncs-tab.tsx'
import { type Directory, useDirectory } from './use-directory.ts'
import { WorkbooksTab } from './workbooks-tab.tsx'

/** Who asks, with which key, about which deployment. */
type Caller = {
  readonly authorization: string
  /** Whether the keys and deployments have been read that it may be chosen from. */
  readonly isKnown: boolean
  /** As it was typed. */
  readonly deployment: string
  /** What has to be typed before anything can be asked, as a sentence. */
  readonly missing: string | undefined
}

/** What every tab is made with. */
export type TabProps = {
  readonly form: Form
  readonly caller: Caller
  readonly directory: Directory
  /** Changes whenever a list must be asked for again. */
  readonly settled: number
  settle(): void
  /** Shows each error at its field, of which the first may get the focus. */
  showErrors(errors: readonly InputError[], focus: boolean): void
}

const tabs = [
  {
    id: 'session',
    name: 'Session',
    title: 'An embed session',
    lead: "The host application's backend asks for a session for one of its end users. The user's browser redeems it, once, for a signed token.",
    View: SessionTab,
  },
  {
    id: 'workbooks',
    name: 'Workbooks',
    title: 'What an embed tenant sees',
    lead: 'Workbooks that are shared with the tenant or with all embed users, or lie in such a folder at any depth. Each has every reason why the tenant sees it. For admins.',
    View: WorkbooksTab,
  },
  {
    id: 'syncs',
    name: 'dbt syncs',
    title: 'dbt syncs',
    lead: 'The newest start comes first. All bars have the same scale.',
    View: SyncsTab,
  },
  {
    id: 'notifications',
    name: 'Notifications',
    title: 'Scheduled notifications',
    lead: 'The newest comes first. Filter by one identifier of a dashboard and one of a recipient. Give two of one kind to see a refusal.',
    View: NotificationsTab,
  },
] as const

function App() {
  const { tab, forms, settled, update, settle } = usePlace()
  const [typedKey, setTypedKey] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const { bar } = forms
  const deployment = (bar.deployment ?? '').trim()
  const directory = useDirectory(bar.key, bar.account, deployment)
  const { accounts, account, owned, picked } = directory
  // The first deployment of an account is filled in, if it has one.
  const isFilledIn = bar.deployment !== undefined || owned?.deployments.length === 0
  const key = picked?.key ?? typedKey.trim()
  const missing = key === '' ? 'an API key or token' : deployment === '' ? 'a deployment' : undefined
  const caller = {
    authorization: `Bearer ${key}`,
    deployment,
    isKnown: accounts !== undefined && (!account || (owned !== undefined && isFilledIn)),
    missing: missing && `Type ${missing} above.`,
  }
  useFocusOfTab(tab)
  useEffect(() => setErrors({}), [tab])

  const formOf = (name: Tab | 'bar'): Form => ({
    values: forms[name],
    // Of a session's body an error has a pointer, of a list's query the parameter's name.
    prefix: name === 'session' ? '/' : '',
    ids: name === 'session' || name === 'bar' ? '' : `${name}-`,
    set(values) {
      if (name === tab || name === 'bar') setErrors({})
      update(name, values)
    },
  })
  const showErrors: TabProps['showErrors'] = (all, focus) => {
    setErrors(byField(all))
    if (focus && all.length > 0) focusFirstError()
  }
  const shared = { caller, directory, settled, settle, showErrors }
  return (
    <ErrorsContext.Provider value={errors}>
      <header class="masthead">
        <div class="title">
          <h1>
            Embed access <span>playground</span>
          </h1>
          <p>Every call goes to the service on this machine. You see each one as it is sent.</p>
        </div>
        <nav aria-label="Sections">
          {tabs.map(({ id, name }) => (
            <a href={`#${id}`} key={id} aria-current={id === tab ? 'page' : undefined} children={name} />
          ))}
          <a href="/docs">Reference</a>
        </nav>
      </header>
      <KeyBar {...{ directory, bar: formOf('bar'), typedKey, setTypedKey, settle }} />
      <main id="content" tabIndex={-1} aria-busy={directory.isLoading}>
        {tabs.map(({ id, title, lead, View }) => {
          // A session stays while its end user's lists are looked at.
          const isThere = id === tab || id === 'session'
          return (
            <section id={id} key={id} aria-labelledby={`${id}-title`} hidden={id !== tab}>
              <h2 id={`${id}-title`} tabIndex={-1} children={title} />
              <p class="lead">{lead}</p>
              {isThere && <View form={formOf(id)} {...shared} />}
            </section>
          )
        })}
      </main>
      <Suggestions directory={directory} />
      <footer>
        <p>
          <CopyButton text={() => location.href} label="Copy a link to this page as it is filled in" />
        </p>
        <p>Only the local service has this page. The demo's keys are public, and its companies are invented.</p>
        <p>
          <a href="/docs">API reference</a> · <a href="/docs/errors">Errors</a> · <a href="/api/v1/spec">OpenAPI</a> ·{' '}
          <a href="/.well-known/jwks.json">Key set</a>
        </p>
      </footer>
    </ErrorsContext.Provider>
  )
}

/** A tab that was changed begins at its heading. */
function useFocusOfTab(tab: Tab): void {
  const before = useRef(tab)
  useEffect(() => {
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (before.current === tab) return
    before.current = tab
    document.getElementById(`${tab}-title`)?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [tab])
}

render(<App />, document.getElementById('app') as HTMLElement)
