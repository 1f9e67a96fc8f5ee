import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CopyButton, ErrorsContext, type FieldErrors, type Form, focusFirstError, placeErrors } from './fields.tsx'
import { KeyBar } from './key-bar.tsx'
import { type Tab, usePlace } from './link.ts'
import { NotificationsTab } from './notifications-tab.tsx'
import { SessionTab } from './session-tab.tsx'
import { Suggestions } from './suggestions.tsx'
import { SyncsTab } from './syncs-tab.tsx'
import type { Caller, TabProps } from './tab.tsx'
import { useDirectory } from './use-directory.ts'
import { WorkbooksTab } from './workbooks-tab.tsx'

const views = [
  ['session', 'Session', SessionTab],
  ['workbooks', 'Workbooks', WorkbooksTab],
  ['syncs', 'dbt syncs', SyncsTab],
  ['notifications', 'Notifications', NotificationsTab],
] as const

const noErrors: FieldErrors = new Map()
const ofDeployment = { parameter: undefined, pointer: '/deploymentId' }

function App() {
  const { place, update, settle } = usePlace()
  const { tab, bar, settled } = place
  const [typedKey, setTypedKey] = useState('')
  const [errors, setErrors] = useState(noErrors)
  const deployment = (bar.deployment ?? '').trim()
  const directory = useDirectory(bar.key, bar.account, deployment)
  const { picked } = directory
  const caller: Caller = {
    authorization: `Bearer ${picked?.key ?? typedKey.trim()}`,
    deployment,
    isKnown: directory.accounts !== undefined && (!directory.account || directory.owned !== undefined),
    missing:
      !picked && typedKey.trim() === ''
        ? 'Type an API key or token above.'
        : deployment === ''
          ? 'Type a deployment above.'
          : undefined,
  }
  useFocusOfTab(tab)
  useEffect(() => setErrors(noErrors), [tab])

  const formOf = (name: Tab | 'bar'): Form => ({
    values: name === 'bar' ? bar : place.forms[name],
    // Of a session's body an error has a pointer, of a list's query the parameter's name.
    prefix: name === 'session' ? '/' : '',
    ids: name === 'session' || name === 'bar' ? '' : `${name}-`,
    set: (values) => {
      setErrors(noErrors)
      update(name, values)
    },
  })
  const showErrors: TabProps['showErrors'] = (all, names, focus) => {
    // The deployment is a field of the body, or a part of the path. Its field is one.
    const pointed = all.map((error) => (error.parameter === 'deploymentId' ? { ...error, ...ofDeployment } : error))
    const { placed, elsewhere } = placeErrors(pointed, [...names, ofDeployment.pointer])
    setErrors(placed)
    if (focus && placed.size > 0) focusFirstError()
    return elsewhere
  }
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
          {views.map(([id, text]) => (
            <a href={`#${id}`} key={id} {...(id === tab && { 'aria-current': 'page' })}>
              {text}
            </a>
          ))}
          <a href="/docs">Reference</a>
        </nav>
      </header>
      <KeyBar directory={directory} bar={formOf('bar')} typedKey={typedKey} setTypedKey={setTypedKey} settle={settle} />
      <main id="content" tabIndex={-1} aria-busy={directory.isLoading}>
        {views.map(([id, , View]) => (
          <View
            key={id}
            form={formOf(id)}
            caller={caller}
            directory={directory}
            isShown={id === tab}
            settled={settled}
            settle={settle}
            showErrors={showErrors}
          />
        ))}
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
