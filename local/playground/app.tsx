import type { TargetedInputEvent } from 'preact'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { suggestionsOf, useTenantsLike } from './directory.ts'
import { KeyBar } from './key-bar.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { usePage } from './page.ts'
import { RequestsTab } from './requests-tab.tsx'
import { SessionTab } from './session-tab.tsx'
import { SyncsTab } from './syncs-tab.tsx'
import { WorkbooksTab } from './workbooks-tab.tsx'

const tabs = [
  {
    id: 'session',
    name: 'Session',
    title: 'An embedded page',
    lead:
      "The host's backend asks for a session of an end user. The page in the frame redeems it, " +
      'once, for a signed token.',
    View: SessionTab,
  },
  {
    id: 'workbooks',
    name: 'Workbooks',
    title: 'What an embed tenant sees',
    lead:
      'Workbooks that are shared with the tenant or with all embed users, or lie in such a ' +
      'folder at any depth. Each has every reason why the tenant sees it. For admins.',
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
    lead: 'The newest comes first. Filter by one identifier of a dashboard and one of a recipient.',
    View: NotificationsTab,
  },
  {
    id: 'requests',
    name: 'Requests',
    title: 'Recent requests',
    lead: 'What this server has answered, to anybody, with the reason of each 401.',
    View: RequestsTab,
  },
] as const

function App() {
  const page = usePage()
  const { tab, directory } = page
  const [typed, setTyped] = useState('')
  const tenantsLike = useTenantsLike(typed, page.authorization)
  function complete({ target }: TargetedInputEvent<HTMLElement>): void {
    if (target instanceof HTMLInputElement && target.list?.id === 'embed-tenants')
      setTyped(target.value.trim())
  }
  const before = useRef(tab)
  useEffect(() => {
    if (before.current === tab) return
    before.current = tab
    // A newly shown tab begins at its heading.
    document.getElementById(`${tab}-title`)?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [tab])
  return (
    <>
      <header>
        <div>
          <h1>
            Embed access <span>playground</span>
          </h1>
          <p>You see each call to this machine as it is sent.</p>
        </div>
        <nav aria-label="Sections">
          {tabs.map(({ id, name }) => (
            <a
              href={`#${id}`}
              key={id}
              aria-current={id === tab ? 'page' : undefined}
              children={name}
            />
          ))}
          <a href="/docs">Reference</a>
        </nav>
      </header>
      <KeyBar page={page} />
      <main id="content" tabIndex={-1} aria-busy={directory.isLoading} onInput={complete}>
        {tabs.map(({ id, title, lead, View }) => (
          <section id={id} key={id} aria-labelledby={`${id}-title`} hidden={id !== tab}>
            <h2 id={`${id}-title`} tabIndex={-1} children={title} />
            <p class="lead">{lead}</p>
            {/* A session stays while its end user's lists are looked at. */}
            {(id === tab || id === 'session') && <View page={page} />}
          </section>
        ))}
      </main>
      {suggestionsOf(directory, tenantsLike).map(([id, options]) => (
        <datalist id={id} key={id}>
          {options.map(([value, label]) => (
            <option value={value} label={label} key={`${value} ${label}`} />
          ))}
        </datalist>
      ))}
      <footer class="row">
        <p>The address of this page has all that is filled in.</p>
        <p>
          <a href="/docs/errors">Errors</a> · <a href="/api/v1/spec">OpenAPI</a> ·{' '}
          <a href="/.well-known/jwks.json">Key set</a> ·{' '}
          <a href="/.well-known/embed-revocations">Revocations</a>
        </p>
      </footer>
    </>
  )
}

render(<App />, document.getElementById('app') as HTMLElement)
